// The plugin loads into rustc, when rustc's own LLVM is 22.
// REQUIRES: rustc
// RUN: env RUSTC_BOOTSTRAP=1 LOOPWRIGHT_OPTIONS=policy=force rustc -O -Zllvm-plugins=%plugin -Cremark=loopwright -Cdebuginfo=1 --emit=obj -o %t.o %s 2>&1 | %FileCheck %s

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
