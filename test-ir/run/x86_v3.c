// Kernels for processors with 16 vector registers of 256 bits, without masks of AVX-512.
// REQUIRES: x86-64-v3
// RUN: %execute --cpu=x86-64-v3 %S/products.c
// RUN: %execute --cpu=x86-64-v3 %S/triangular.c
// RUN: %execute --cpu=x86-64-v3 %S/solves.c
// RUN: %execute --cpu=x86-64-v3 %S/abreast.c
// RUN: %execute --cpu=x86-64-v3 %S/types.c
// RUN: %execute --cpu=x86-64-v3 %S/reductions.c
// RUN: %execute --cpu=x86-64-v3 %S/sums.c
// RUN: %execute --cpu=x86-64-v3 %S/last_rows.c
// RUN: %execute --cpu=x86-64-v3 %S/outer_lanes.c
