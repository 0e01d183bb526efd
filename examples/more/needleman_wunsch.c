// Global alignment of two sequences: the best score of every pair of prefixes.
#include "../harness.h"

KERNEL needleman_wunsch(int n, int m, int gap, int score[n + 1][m + 1], int match[n][m]) {
    for (int i = 0; i <= n; i++) score[i][0] = -i * gap;
    for (int j = 0; j <= m; j++) score[0][j] = -j * gap;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int best = score[i - 1][j - 1] + match[i - 1][j - 1];
            if (score[i - 1][j] - gap > best) best = score[i - 1][j] - gap;
            if (score[i][j - 1] - gap > best) best = score[i][j - 1] - gap;
            score[i][j] = best;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t vector = (size_t)n, pairs = vector * vector, table = (vector + 1) * (vector + 1);
    int *match = allocate(pairs * sizeof(int)), *score = allocate(table * sizeof(int));
    fill_ints(match, pairs, 1);
    for (size_t i = 0; i < pairs; i++) match[i] = match[i] % 21 - 10;
    MEASURE(fill_ints(score, table, 2), needleman_wunsch(n, n, 4, (void *)score, (void *)match));
    add_to_hash(score, table * sizeof(int));
    return report();
}
