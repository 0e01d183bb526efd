// Local alignment of two sequences: the best score of all pairs of pieces that end at each pair of places.
#include "../harness.h"

KERNEL smith_waterman(int n, int m, int score[n + 1][m + 1], int a[n], int b[m]) {
    for (int i = 0; i <= n; i++) score[i][0] = 0;
    for (int j = 0; j <= m; j++) score[0][j] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int best = score[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -3);
            if (score[i - 1][j] - 2 > best) best = score[i - 1][j] - 2;
            if (score[i][j - 1] - 2 > best) best = score[i][j - 1] - 2;
            if (best < 0) best = 0;
            score[i][j] = best;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t vector = (size_t)n, table = (vector + 1) * (vector + 1);
    int *a = allocate(vector * sizeof(int)), *b = allocate(vector * sizeof(int)), *score = allocate(table * sizeof(int));
    fill_ints(a, vector, 1);
    fill_ints(b, vector, 2);
    for (size_t i = 0; i < vector; i++) a[i] %= 4, b[i] %= 4;
    MEASURE(fill_ints(score, table, 3), smith_waterman(n, n, (void *)score, a, b));
    add_to_hash(score, table * sizeof(int));
    return report();
}
