// Kernels for AArch64: 32 vector registers of 128 bits, without masks (Neoverse N1), run in an emulator.
// REQUIRES: qemu-aarch64
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/products.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/triangular.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/solves.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/abreast.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/types.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/reductions.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/sums.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/outer_lanes.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/own_array.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/shared.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/last_rows.c
// RUN: %execute %aarch64 --cpu=neoverse-n1 %S/groups.c
// RUN: %execute %aarch64 --cpu=neoverse-v1 %S/groups.c
