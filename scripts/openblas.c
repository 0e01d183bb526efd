// What OpenBLAS has for an example: the same data, the same work, by one routine. bench.py compiles it with -DROUTINE=<one of these>.
// Its matrices are column-major: they are the transposes of ours. (LU: the ones are on the other diagonal then, and there
// are pivots, which with these data stay where they are.)
#include "../examples/harness.h"

enum routine { GEMM, GEMM_AT_B, GEMM_A_BT, GEMM_FLOAT, SYRK, SYR2K, SYMM, TRMM, SOLVE, SOLVE_COLUMN_MAJOR, CHOLESKY, LU };

typedef const char *flag;
typedef const int *size;
typedef const double *real;
void dgemm_(flag, flag, size, size, size, real, real, size, real, size, real, double *, size);
void sgemm_(flag, flag, size, size, size, const float *, const float *, size, const float *, size, const float *, float *, size);
void dsyrk_(flag, flag, size, size, real, real, size, real, double *, size);
void dsyr2k_(flag, flag, size, size, real, real, size, real, size, real, double *, size);
void dsymm_(flag, flag, size, size, real, real, size, real, size, real, double *, size);
void dtrmm_(flag, flag, flag, flag, size, size, real, real, size, double *, size);
void dtrsm_(flag, flag, flag, flag, size, size, real, real, size, double *, size);
void dpotrf_(flag, size, double *, size, int *);
void dgetrf_(size, size, double *, size, int *, int *);

static int info, *pivots;

static void call(int n, size_t count, double *A, double *B, double *C) {
    const double one = 1.0, alpha = 1.5, beta = 1.2;
    const float one_float = 1.0f;
    switch (ROUTINE) {
    case GEMM: dgemm_("N", "N", &n, &n, &n, &one, B, &n, A, &n, &one, C, &n); break;
    case GEMM_AT_B: dgemm_("N", "T", &n, &n, &n, &one, B, &n, A, &n, &one, C, &n); break;
    case GEMM_A_BT: dgemm_("T", "N", &n, &n, &n, &one, B, &n, A, &n, &one, C, &n); break;
    case GEMM_FLOAT:
        sgemm_("N", "N", &n, &n, &n, &one_float, (float *)B, &n, (float *)A, &n, &one_float, (float *)C, &n);
        break;
    case SYRK: dsyrk_("U", "T", &n, &n, &alpha, A, &n, &beta, C, &n); break;
    case SYR2K: dsyr2k_("U", "T", &n, &n, &alpha, A, &n, B, &n, &beta, C, &n); break;
    case SYMM: dsymm_("R", "U", &n, &n, &alpha, A, &n, B, &n, &beta, C, &n); break;
    case TRMM: dtrmm_("R", "U", "T", "U", &n, &n, &alpha, A, &n, C, &n); break;
    case SOLVE:
        memcpy(C, A, count * sizeof *C);
        dtrsm_("L", "L", "N", "N", &n, &n, &one, B, &n, C, &n);
        break;
    case SOLVE_COLUMN_MAJOR:
        memcpy(C, A, count * sizeof *C);
        dtrsm_("R", "U", "N", "N", &n, &n, &one, B, &n, C, &n);
        break;
    case CHOLESKY: dpotrf_("U", &n, C, &n, &info); break;
    case LU: dgetrf_(&n, &n, C, &n, pivots, &info); break;
    }
}

static void prepare(int n, size_t count, double *A, double *B, double *C) {
    int triangular = ROUTINE == SOLVE || ROUTINE == SOLVE_COLUMN_MAJOR, factorisation = ROUTINE == CHOLESKY || ROUTINE == LU;
    if (ROUTINE == GEMM_FLOAT) {
        fill_floats((float *)A, count, 1), fill_floats((float *)B, count, 2), fill_floats((float *)C, count, 3);
        return;
    }
    fill(A, count, 1);
    if (triangular) fill_dominant(B, (size_t)n, 2);
    else fill(B, count, 2);
    if (factorisation) fill_dominant(C, (size_t)n, 1);
    else fill(C, count, ROUTINE == SYRK || ROUTINE == TRMM ? 2 : 3);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * (size_t)n, bytes = count * sizeof(double);
    double *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes);
    pivots = allocate((size_t)n * sizeof *pivots);
    prepare(n, count, A, B, C);
    call(n, count, A, B, C); // the library sets itself up
    MEASURE(prepare(n, count, A, B, C), call(n, count, A, B, C));
    add_to_hash(C, ROUTINE == GEMM_FLOAT ? bytes / 2 : bytes);
    return report();
}
