// 44. Rust: a matrix with Index and an assertion
mod shape {
    include!("Inputs/shape.rs");
}
use shape::*;
use std::ops::{Index, IndexMut};

struct Matrix {
    rows: usize,
    columns: usize,
    cells: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        assert!(i < self.rows && j < self.columns);
        &self.cells[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        assert!(i < self.rows && j < self.columns);
        &mut self.cells[i * self.columns + j]
    }
}

#[inline(never)]
fn kernel(c: &mut Matrix, a: &Matrix, b: &Matrix) {
    for i in 0..c.rows {
        for j in 0..c.columns {
            for k in 0..a.columns {
                c[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
}

fn main() {
    let matrix = |rows, columns| Matrix { rows, columns, cells: array(rows * columns) };
    for (n, m) in SIZES {
        let (mut c, a, mut b) = (matrix(n, m), matrix(n, n), matrix(n, m));
        kernel(&mut c, &a, &b);
        show(&c.cells);
        // The last row of what is read is not there any more.
        b.rows = n.saturating_sub(1);
        let failed = fails(|| kernel(&mut c, &a, &b));
        assert_eq!(failed, n > 0 && m > 0);
        show(&c.cells);
    }
}
