// Length of the longest common subsequence of two sequences.
#include "../harness.h"

KERNEL longest_common_subsequence(int n, int m, int length[n + 1][m + 1], int a[n], int b[m]) {
    for (int j = 0; j <= m; j++) length[0][j] = 0;
    for (int i = 1; i <= n; i++) {
        length[i][0] = 0;
        for (int j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1])
                length[i][j] = length[i - 1][j - 1] + 1;
            else
                length[i][j] = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 4000);
    size_t vector = (size_t)n, table = (vector + 1) * (vector + 1);
    int *a = allocate(vector * sizeof(int)), *b = allocate(vector * sizeof(int)), *length = allocate(table * sizeof(int));
    fill_ints(a, vector, 1);
    fill_ints(b, vector, 2);
    for (size_t i = 0; i < vector; i++) a[i] %= 4, b[i] %= 4;
    MEASURE(fill_ints(length, table, 3), longest_common_subsequence(n, n, (void *)length, a, b));
    add_to_hash(length, table * sizeof(int));
    return report();
}
