// Kernels for processors with 16 vector registers of 128 bits, without multiply-adds and without masks.
// REQUIRES: x86-64-v2
// RUN: %execute --cpu=x86-64-v2 %S/products.c
// RUN: %execute --cpu=x86-64-v2 %S/types.c
// RUN: %execute --cpu=x86-64-v2 %S/outer_lanes.c
