"""The examples as a suite: what each one is, the size it is measured at, and the work it has to do.

Operations are those that the computation needs, as libraries count them, not those that a program spends; bytes are those of a memory that
is asked for every cell once, and given every result once, as if caches were as large as all data. Both are functions of the size n;
None where nothing is counted (integers, or no arithmetic)."""

import dataclasses
from collections.abc import Callable

import measure

DOUBLE, FLOAT = 8, 4


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    size: int
    flops: Callable[[int], float] | None = None
    bytes: Callable[[int], float] | None = None
    thirty: str | None = None  # its name among the thirty of the PolyBench collection
    sizes_vary: bool = True
    group: str = ""


def products(*names):
    return [Kernel(name, 1000, lambda n: 2 * n**3, lambda n: 4 * DOUBLE * n**2) for name in names]


SUITE = {
    "matrix products": [
        *products("matmul_ijk", "matmul_ikj", "matmul_jik", "matmul_jki", "matmul_kij", "matmul_kji"),
        *products("matmul_restrict", "matmul_flat", "matmul_at_b", "matmul_a_bt", "product_of_views"),
        Kernel("matmul_float", 1000, lambda n: 2 * n**3, lambda n: 4 * FLOAT * n**2),
        Kernel("matmul_wide_sums", 1000, lambda n: 2 * n**3, lambda n: (2 * FLOAT + DOUBLE) * n**2),
        Kernel("matmul_constant", 512, lambda n: 2 * n**3, lambda n: 3 * DOUBLE * n**2, sizes_vary=False),
        Kernel("complex_product", 500, lambda n: 8 * n**3, lambda n: 6 * DOUBLE * n**2),
        Kernel("complex_matmul", 500, lambda n: 8 * n**3, lambda n: 8 * DOUBLE * n**2),
        Kernel("gemm", 1000, lambda n: 2 * n**3, lambda n: 4 * DOUBLE * n**2, "gemm"),
        Kernel("two_products", 900, lambda n: 4 * n**3, lambda n: 6 * DOUBLE * n**2, "2mm"),
        Kernel("three_products", 900, lambda n: 6 * n**3, lambda n: 7 * DOUBLE * n**2, "3mm"),
    ],
    "dense linear algebra": [
        Kernel("cholesky", 1000, lambda n: n**3 / 3, lambda n: DOUBLE * n**2),
        Kernel("cholesky_rows", 1500, lambda n: n**3 / 3, lambda n: DOUBLE * n**2, "cholesky"),
        Kernel("cholesky_columns", 600, lambda n: n**3 / 3, lambda n: DOUBLE * n**2),
        Kernel("cholesky_packed", 1000, lambda n: n**3 / 3, lambda n: DOUBLE * n**2 / 2),
        Kernel("householder_qr", 500, lambda n: 4 * n**3 / 3, lambda n: DOUBLE * n**2),
        Kernel("cholesky_solve", 1000, lambda n: n**3 / 3 + 2 * n**2, lambda n: DOUBLE * n**2),
        Kernel("lu", 1000, lambda n: 2 * n**3 / 3, lambda n: 2 * DOUBLE * n**2),
        Kernel("lu_pivots", 1000, lambda n: 2 * n**3 / 3, lambda n: 2 * DOUBLE * n**2),
        Kernel("lu_rows", 1500, lambda n: 2 * n**3 / 3, lambda n: 2 * DOUBLE * n**2, "lu"),
        Kernel("lu_solve", 1500, lambda n: 2 * n**3 / 3 + 2 * n**2, lambda n: 2 * DOUBLE * n**2, "ludcmp"),
        Kernel("inverse_product", 800, lambda n: 2 * n**3 / 3, lambda n: DOUBLE * n**2),
        Kernel("gram_schmidt", 800, lambda n: 2 * n**3, lambda n: 3.5 * DOUBLE * n**2, "gramschmidt"),
        Kernel("syrk", 1000, lambda n: n**3, lambda n: 2 * DOUBLE * n**2, "syrk"),
        Kernel("syrk_float", 1000, lambda n: n**3, lambda n: 2 * FLOAT * n**2),
        Kernel("syr2k", 1000, lambda n: 2 * n**3, lambda n: 3 * DOUBLE * n**2, "syr2k"),
        Kernel("symm", 1000, lambda n: 2 * n**3, lambda n: 3.5 * DOUBLE * n**2, "symm"),
        Kernel("trmm", 1000, lambda n: n**3, lambda n: 2.5 * DOUBLE * n**2, "trmm"),
        Kernel("trisolve", 1000, lambda n: n**3, lambda n: 2.5 * DOUBLE * n**2),
        Kernel("trisolve_shifted", 1000, lambda n: n**3, lambda n: 2.5 * DOUBLE * n**2),
        Kernel("trisolve_column_major", 1000, lambda n: n**3, lambda n: 2.5 * DOUBLE * n**2),
        Kernel("trisolve_float", 1000, lambda n: n**3, lambda n: 2.5 * FLOAT * n**2),
    ],
    "vectors and matrices": [
        Kernel("atax", 2000, lambda n: 4 * n**2, lambda n: DOUBLE * n**2, "atax"),
        Kernel("bicg", 2000, lambda n: 4 * n**2, lambda n: DOUBLE * n**2, "bicg"),
        Kernel("gemv", 2000, lambda n: 2 * n**2, lambda n: DOUBLE * n**2),
        Kernel("gemv_t", 2500, lambda n: 2 * n**2, lambda n: DOUBLE * n**2),
        Kernel("gemver", 2000, lambda n: 8 * n**2, lambda n: 2 * DOUBLE * n**2, "gemver"),
        Kernel("gesummv", 2000, lambda n: 4 * n**2, lambda n: 2 * DOUBLE * n**2, "gesummv"),
        Kernel("mvt", 2000, lambda n: 4 * n**2, lambda n: DOUBLE * n**2, "mvt"),
        Kernel("forward_substitution", 2000, lambda n: n**2, lambda n: DOUBLE * n**2 / 2, "trisolv"),
        Kernel("trsv_columns", 2000, lambda n: n**2, lambda n: DOUBLE * n**2 / 2),
        Kernel("trmv", 2000, lambda n: n**2, lambda n: DOUBLE * n**2 / 2),
        Kernel("symv", 2000, lambda n: 2 * n**2, lambda n: DOUBLE * n**2 / 2),
        Kernel("ger", 2000, lambda n: 2 * n**2, lambda n: 2 * DOUBLE * n**2),
        Kernel("syr2", 2000, lambda n: 2 * n**2, lambda n: DOUBLE * n**2),
        Kernel("durbin", 3000, lambda n: 2 * n**2, lambda n: 4 * DOUBLE * n, "durbin"),
        Kernel("add", 2000, lambda n: n**2, lambda n: 3 * DOUBLE * n**2),
        Kernel("column_sums", 2000, lambda n: n**2, lambda n: DOUBLE * n**2),
        Kernel("transpose", 2000),
    ],
    "contractions": [
        Kernel("contraction_three", 128, lambda n: 2 * n**4, lambda n: 3 * DOUBLE * n**3),
        Kernel("contraction_four", 24, lambda n: 2 * n**6, lambda n: 4 * DOUBLE * n**4),
        Kernel("tensor_times_matrix", 160, lambda n: 128 * n**3, lambda n: DOUBLE * (n**3 + 64 * n**2)),
        Kernel("mttkrp", 200, lambda n: 96 * n**3, lambda n: DOUBLE * n**3),
        Kernel("doitgen", 150, lambda n: 2 * n**4, lambda n: 2 * DOUBLE * n**3, "doitgen"),
        Kernel("embedding", 1000, lambda n: 32 * n**2, lambda n: DOUBLE * (n**2 + 32 * n)),
        Kernel("batched_product", 128, lambda n: 128 * n**3, lambda n: 192 * DOUBLE * n**2),
        Kernel("matmul_small", 2000, lambda n: 3456 * n, lambda n: 576 * DOUBLE * n),
        Kernel("batch_4x4", 50000, lambda n: 128 * n, lambda n: 48 * DOUBLE * n),
        Kernel("batch_8x8", 10000, lambda n: 1024 * n, lambda n: 192 * DOUBLE * n),
        Kernel("transform_points", 100000, lambda n: 32 * n, lambda n: 8 * FLOAT * n),
    ],
    "networks": [
        Kernel("convolution", 1000, lambda n: 50 * n**2, lambda n: 2 * DOUBLE * n**2),
        Kernel("convolution_padded", 1000, lambda n: 50 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("convolution_same", 56, lambda n: 18432 * n**2, lambda n: FLOAT * (64 * n**2 + 9216)),
        Kernel("convolution_full", 2000, lambda n: 2 * n**2, lambda n: DOUBLE * 4 * n),
        Kernel("band_product", 600, lambda n: 162 * n**2, lambda n: DOUBLE * 3 * n**2),
        Kernel("convolution_float", 1000, lambda n: 50 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("convolution_seven", 1000, lambda n: 98 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("masked_filter", 400, lambda n: 243 * n**2, lambda n: (2 * FLOAT + 1) * n**2),
        Kernel("clamped_filter", 400, lambda n: 98 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("convolution_bytes", 1000, lambda n: 50 * n**2, lambda n: (FLOAT + 1) * n**2),
        Kernel("quantised_layer", 1024, lambda n: 2 * n**3, lambda n: (FLOAT + 2) * n**2),
        Kernel("product_of_groups", 1024, lambda n: 2 * n**3, lambda n: (3 * FLOAT + 1) * n**2),
        Kernel("gemv_of_groups", 2048, lambda n: 2 * n**2, lambda n: n**2),
        Kernel("decimation", 20000, lambda n: 128 * n, lambda n: 5 * FLOAT * n),
        Kernel("quantised_convolution", 56, lambda n: 73728 * n**2, lambda n: 64 * (n + 2) ** 2 + FLOAT * 64 * n**2 + 36864),
        Kernel("convolution_transposed", 1000, lambda n: 50 * n**2, lambda n: 2 * DOUBLE * n**2),
        Kernel("polynomials", 4000, lambda n: 2 * n**2, lambda n: 4 * DOUBLE * n),
        Kernel("convolution_channels", 56, lambda n: 73728 * n**2, lambda n: FLOAT * (128 * n**2 + 36864)),
        Kernel("convolution_channels_last", 56, lambda n: 73728 * n**2, lambda n: FLOAT * (128 * n**2 + 36864)),
        Kernel("convolution_depthwise", 112, lambda n: 1152 * n**2, lambda n: 128 * FLOAT * n**2),
        Kernel("convolution_by_channels", 112, lambda n: 1152 * n**2, lambda n: 128 * FLOAT * n**2),
        Kernel("dense_layer", 1024, lambda n: 128 * n**2, lambda n: FLOAT * (n**2 + 128 * n)),
        Kernel("attention", 1024, lambda n: 256 * n**2, lambda n: FLOAT * (n**2 + 256 * n)),
        Kernel("attention_gradient", 256, lambda n: 1024 * n**2, lambda n: FLOAT * (6 * n**2 + 2560 * n)),
        Kernel("layer_norm", 1024, lambda n: 8 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("rms_norm", 1024, lambda n: 4 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("batch_norm", 56, lambda n: 3072 * n**2, lambda n: 1024 * FLOAT * n**2),
    ],
    "data mining": [
        Kernel("correlation", 1000, lambda n: n**3, lambda n: 3 * DOUBLE * n**2, "correlation"),
        Kernel("covariance", 1000, lambda n: n**3, lambda n: 3 * DOUBLE * n**2, "covariance"),
        Kernel("standardised_features", 2000, lambda n: 24 * n, lambda n: 24 * DOUBLE * n),
        Kernel("centre_distances", 20000, lambda n: 6144 * n, lambda n: 96 * DOUBLE * n),
        Kernel("nearest_centre", 20000, lambda n: 1536 * n, lambda n: 140 * n),
        Kernel("pairwise_distances", 1000, lambda n: 192 * n**2, lambda n: DOUBLE * (n**2 + 64 * n)),
        Kernel("class_sums", 20000, lambda n: 32 * n, lambda n: 12 * n),
        Kernel("pairs_within", 2000, lambda n: 11 * n**2, lambda n: 5 * FLOAT * n),
        Kernel("feature_distances", 1000, lambda n: 48 * n**2, lambda n: FLOAT * (n**2 / 2 + 32 * n)),
        Kernel("condensed_distances", 1000, lambda n: 72 * n**2, lambda n: DOUBLE * (n**2 / 2 + 48 * n)),
    ],
    "stencils": [
        Kernel("jacobi_1d", 20000, lambda n: 6000 * n, lambda n: 3 * DOUBLE * n, "jacobi-1d"),
        Kernel("stencil_five_1d", 100000, lambda n: 2800 * n, lambda n: 3 * FLOAT * n),
        Kernel("closed_grid", 400, lambda n: 7 * n**2, lambda n: 2 * DOUBLE * n**2),
        Kernel("seidel_1d", 20000, lambda n: 600 * n, lambda n: 2 * DOUBLE * n),
        Kernel("jacobi_2d", 1300, lambda n: 400 * n**2, lambda n: 3 * DOUBLE * n**2, "jacobi-2d"),
        Kernel("jacobi_2d_float", 1300, lambda n: 400 * n**2, lambda n: 3 * FLOAT * n**2),
        Kernel("seidel", 1500, lambda n: 180 * n**2, lambda n: 2 * DOUBLE * n**2, "seidel-2d"),
        Kernel("red_black", 1000, lambda n: 80 * n**2, lambda n: 2 * DOUBLE * n**2),
        Kernel("wave_2d", 1000, lambda n: 180 * n**2, lambda n: 5 * DOUBLE * n**2),
        Kernel("fdtd_2d", 1000, lambda n: 440 * n**2, lambda n: 6 * DOUBLE * n**2, "fdtd-2d"),
        Kernel("adi", 800, lambda n: 300 * n**2, lambda n: 5 * DOUBLE * n**2, "adi"),
        Kernel("implicit_diffusion", 128, lambda n: 9 * n**3, lambda n: DOUBLE * (n**3 + n)),
        Kernel("deriche", 2500, lambda n: 30 * n**2, lambda n: 4 * FLOAT * n**2, "deriche"),
        Kernel("biquads", 1000, lambda n: 9 * n**2, lambda n: 2 * FLOAT * n**2),
        Kernel("tridiagonal_rows", 1000, lambda n: 9 * n**2, lambda n: 4 * DOUBLE * n**2),
        Kernel("box_blur", 2000, lambda n: 6 * n**2, lambda n: 3 * FLOAT * n**2),
        Kernel("pixel_filter", 400, lambda n: 294 * n**2, lambda n: 6 * FLOAT * n**2),
        Kernel("sobel", 1500, lambda n: 15 * n**2, lambda n: 2 * n**2),
        Kernel("heat_3d", 120, lambda n: 600 * n**3, lambda n: 3 * DOUBLE * n**3, "heat-3d"),
        Kernel("seidel_3d", 120, lambda n: 70 * n**3, lambda n: 2 * DOUBLE * n**3),
        Kernel("stencil_27", 160, lambda n: 54 * n**3, lambda n: 2 * DOUBLE * n**3),
    ],
    "dynamic programming": [
        Kernel("floyd_warshall", 1000, thirty="floyd-warshall"),
        Kernel("nussinov", 1200, thirty="nussinov"),
        Kernel("longest_common_subsequence", 4000),
        Kernel("edit_distance", 3000),
        Kernel("needleman_wunsch", 3000),
        Kernel("shortest_paths", 1000),
        Kernel("smith_waterman", 3000),
        Kernel("matrix_chain", 700, lambda n: 2 * n**3 / 3, lambda n: DOUBLE * n**2 / 2),
    ],
}

THIRTY = "the thirty"  # the geometric mean over those that have a name there


def kernels():
    """Name -> kernel, each with its group. Every example must be in the suite, and the other way round."""
    table = {k.name: dataclasses.replace(k, group=group) for group, members in SUITE.items() for k in members}
    found = sources()
    if missing := set(found) ^ set(table):
        raise ValueError(f"in examples/ or in scripts/suite.py, but not in both: {', '.join(sorted(missing))}")
    return table


def sources():
    """Name of each example -> its file."""
    return {source.stem: source for source in sorted((measure.ROOT / "examples").rglob("*.c"))}


def sweep(kernel):
    """Sizes from a sixteenth of the usual one upwards; every other one is odd, so that remainders show."""
    if not kernel.sizes_vary:
        return [kernel.size]
    parts = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 3 / 2)
    return [int(kernel.size * part) | (k % 2) for k, part in enumerate(parts)]
