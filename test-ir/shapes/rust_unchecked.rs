// 42. Rust: subscripts that are not checked
mod shape {
    include!("Inputs/shape.rs");
}
use shape::*;

#[inline(never)]
fn kernel(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                unsafe {
                    *c.get_unchecked_mut(i * n + j) += a.get_unchecked(i * n + k) * b.get_unchecked(k * n + j);
                }
            }
        }
    }
}

fn main() {
    for (n, _) in SIZES {
        let (mut c, a, b) = (array(n * n), array(n * n), array(n * n));
        kernel(n, &mut c, &a, &b);
        show(&c);
    }
}
