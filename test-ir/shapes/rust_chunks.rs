// 43. Rust: rows by chunks_exact, elements by iterators
mod shape {
    include!("Inputs/shape.rs");
}
use shape::*;

#[inline(never)]
fn kernel(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

fn main() {
    for (n, m) in SIZES {
        if n > 0 {
            let (mut c, a, b) = (array(n * m), array(n * n), array(n * n));
            kernel(n, &mut c, &a, &b);
            show(&c);
        }
    }
}
