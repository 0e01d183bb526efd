// 41. Rust: slices, every subscript checked
mod shape {
    include!("Inputs/shape.rs");
}
use shape::*;

#[inline(never)]
fn kernel(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

fn main() {
    for (n, _) in SIZES {
        let (mut c, a, b) = (array(n * n), array(n * n), array(n * n));
        kernel(n, &mut c, &a, &b);
        show(&c);
        // One element short of what the last subscript asks for: the last sum is never stored.
        let short = &b[..(n * n).saturating_sub(1)];
        let failed = fails(|| kernel(n, &mut c, &a, short));
        assert_eq!(failed, n > 0);
        show(&c);
    }
}
