// Whatever clang is asked for beside the plugin, the program does the same.
// RUN: %both --transforms=no -O0 %S/Inputs/program.c
// RUN: %both --transforms=no -O1 %S/Inputs/program.c
// RUN: %both --transforms=no -Os %S/Inputs/program.c
// RUN: %both --transforms=no -Oz %S/Inputs/program.c
// RUN: %both --transforms=yes -O2 %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -g -fdebug-info-for-profiling %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fPIC -pie -fno-plt -ffunction-sections -fdata-sections %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fno-strict-aliasing -fwrapv %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fno-builtin -ffreestanding %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fno-vectorize -fno-slp-vectorize -fno-inline %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fno-math-errno -ffp-contract=off %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fstack-protector-all -fno-omit-frame-pointer -ftrivial-auto-var-init=pattern %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -finstrument-functions %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 -fno-delete-null-pointer-checks -fcf-protection=full %S/Inputs/program.c
// RUN: %both --transforms=yes -O3 %S/Inputs/program.c
// RUN: %both -O3 -fno-unroll-loops %S/Inputs/program.c
// RUN: %both -O3 -ftrapv %S/Inputs/program.c
// RUN: %both -O3 -fexceptions -fnon-call-exceptions -fno-finite-loops %S/Inputs/program.c
// RUN: %both --transforms=no -O3 -ffp-model=strict %S/Inputs/program.c
// RUN: %both --transforms=no -O3 -frounding-math %S/Inputs/program.c
// RUN: %both --transforms=no -O3 -ffp-exception-behavior=strict %S/Inputs/program.c
