// 45. Rust: a stencil with checked subscripts
mod shape {
    include!("Inputs/shape.rs");
}
use shape::*;

#[inline(never)]
fn kernel(n: usize, m: usize, b: &mut [f64], a: &[f64]) {
    for j in 1..m.saturating_sub(1) {
        for i in 1..n.saturating_sub(1) {
            b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
        }
    }
}

fn main() {
    for (n, m) in SIZES {
        let (mut b, a) = (array(n * m), array(n * m));
        kernel(n, m, &mut b, &a);
        show(&b);
        let short = &a[..(n * m).saturating_sub(2)];
        let _ = fails(|| kernel(n, m, &mut b, short));
        show(&b);
    }
}
