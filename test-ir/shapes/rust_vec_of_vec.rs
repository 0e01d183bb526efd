// 52. Rust: vectors of vectors, rows of different lengths
mod shape {
    include!("Inputs/shape.rs");
}
use shape::*;

#[inline(never)]
fn kernel(n: usize, m: usize, c: &mut Vec<Vec<f64>>, a: &Vec<Vec<f64>>, b: &Vec<Vec<f64>>) {
    for i in 0..n {
        for j in 0..m {
            for k in 0..n {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

fn main() {
    let rows = |n, m| (0..n).map(|i| array(m + i % 3)).collect::<Vec<_>>();
    for (n, m) in SIZES {
        let (mut c, a, mut b) = (rows(n, m), rows(n, n), rows(n, m));
        kernel(n, m, &mut c, &a, &b);
        c.iter().for_each(|row| show(row));
        // One row too short, then one too few.
        if let Some(row) = b.get_mut(n / 2) {
            row.truncate(m.saturating_sub(1));
            let failed = fails(|| kernel(n, m, &mut c, &a, &b));
            assert_eq!(failed, m > 0);
            c.iter().for_each(|row| show(row));
            b.pop();
            let failed = fails(|| kernel(n, m, &mut c, &a, &b));
            assert_eq!(failed, m > 0);
            c.iter().for_each(|row| show(row));
        }
    }
}
