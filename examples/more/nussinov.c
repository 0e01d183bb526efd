// RNA folding: dynamic programming over intervals.
#include "../harness.h"

KERNEL nussinov(int n, int sequence[n], int table[n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            table[i][j] = table[i][j] > table[i][j - 1] ? table[i][j] : table[i][j - 1];
            if (i + 1 < n) {
                table[i][j] = table[i][j] > table[i + 1][j] ? table[i][j] : table[i + 1][j];
                int paired = table[i + 1][j - 1] + (i < j - 1 && sequence[i] % 4 + sequence[j] % 4 == 3);
                table[i][j] = table[i][j] > paired ? table[i][j] : paired;
            }
            for (int k = i + 1; k < j; k++)
                table[i][j] = table[i][j] > table[i][k] + table[k + 1][j] ? table[i][j] : table[i][k] + table[k + 1][j];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *sequence = allocate(vector * sizeof(int));
    void *table = allocate(matrix * sizeof(int));
    fill_ints(sequence, vector, 1);
    MEASURE(memset(table, 0, matrix * sizeof(int)), nussinov(n, sequence, table));
    add_to_hash(table, matrix * sizeof(int));
    return report();
}
