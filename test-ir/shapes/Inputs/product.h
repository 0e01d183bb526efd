static void run(int n, int m) {
    (void)m;
    size_t size = (size_t)n * n;
    double *C = ARRAY(double, size), *A = ARRAY(double, size), *B = ARRAY(double, size);
    kernel(n, C, A, B);
    show(C, size * 8), show(A, size * 8), show(B, size * 8);
}
