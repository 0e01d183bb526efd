// How many letters have to be put in, taken out or changed to make one word of another.
#include "../harness.h"

KERNEL edit_distance(int n, int m, int distance[n + 1][m + 1], char a[n], char b[m]) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0)
                distance[i][j] = j;
            else if (j == 0)
                distance[i][j] = i;
            else if (a[i - 1] == b[j - 1])
                distance[i][j] = distance[i - 1][j - 1];
            else {
                int least = distance[i - 1][j - 1];
                if (distance[i - 1][j] < least) least = distance[i - 1][j];
                if (distance[i][j - 1] < least) least = distance[i][j - 1];
                distance[i][j] = 1 + least;
            }
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t letters = (size_t)n, table = (letters + 1) * (letters + 1);
    char *a = allocate(letters + 1), *b = allocate(letters + 1);
    int *distance = allocate(table * sizeof(int));
    for (size_t i = 0; i < letters; i++) a[i] = (char)(value_at(i, 1) * 4.0), b[i] = (char)(value_at(i, 2) * 4.0);
    MEASURE((void)0, edit_distance(n, n, (void *)distance, a, b));
    add_to_hash(distance, table * sizeof(int));
    return report();
}
