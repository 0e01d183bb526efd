// The plugin loads into rustc, when rustc's own LLVM is 22.
// REQUIRES: rustc
// RUN: env RUSTC_BOOTSTRAP=1 LOOPWRIGHT_OPTIONS=policy=force rustc -O -Zllvm-plugins=%plugin -Cremark=loopwright -Cdebuginfo=1 --emit=obj -o %t.o %s 2>&1 | %FileCheck %s
// Many threads at once: one that was new to the allocator died.
// RUN: bash -c 'for k in $(seq 25); do RUSTC_BOOTSTRAP=1 rustc -O -Ccodegen-units=16 -Zllvm-plugins=%plugin --emit=obj -o %t.o %s || exit 1; done'

#![crate_type = "lib"]

// CHECK: loopwright (success): interchanged loops
#[no_mangle]
pub unsafe fn add(n: usize, m: usize, a: *mut f64, b: *const f64) {
    for j in 0..m {
        for i in 0..n {
            *a.add(i * m + j) += *b.add(i * m + j);
        }
    }
}

macro_rules! more {
    ($($name:ident)*) => { $(pub mod $name {
        #[inline(never)]
        pub fn scale(n: usize, m: usize, a: &mut [f64]) {
            for j in 0..m {
                for i in 0..n {
                    a[i * m + j] *= 0.5;
                }
            }
        }
    })* };
}
more!(m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15);
