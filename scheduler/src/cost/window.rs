//! Parameters that are sizes of windows: of filters, stencils, bands. They are small where others are not.
//!
//! A loop walks a window if it is summed over (the cells that are written do not move with it), and a subscript of what is read moves with it and with a loop that is not summed over: `x[i + u] * w[u]` for `y[i]`. What
//! bounds such loops, and makes no others longer, is the size of a window: `m` of `u < m`, or `r` of `i - r <= k <= i + r`, but none of `0 <= k <= i`, as in products of polynomials.

use crate::scop::{Scop, Statement};
use polyhedra::{Affine, Kind};
use std::collections::BTreeSet;

/// What such a parameter is taken for.
pub const TYPICAL_WINDOW: i64 = 8;

/// In a line of fewer cells most of them are at an end.
const FEW_CELLS: i64 = 12;

/// The parameters.
#[must_use]
pub fn window_sizes(scop: &Scop) -> BTreeSet<usize> {
    let (mut of_windows, mut of_others) = (BTreeSet::new(), BTreeSet::new());
    for s in &scop.statements {
        let (windows, (cut, _)) = (windows(s), cut(s));
        for row in s.domain.constraints() {
            let dims: Vec<usize> = (0..s.depth()).filter(|&d| row.expr.dim_coeff(d) != 0).collect();
            let of_window = dims.iter().any(|d| windows.contains(d));
            let known = if of_window {
                &mut of_windows
            } else if dims.is_empty() || dims.iter().any(|d| cut.contains(d)) {
                // What holds for all instances says nothing of one loop; and the weights of a window may be summed, too.
                continue;
            } else {
                &mut of_others
            };
            // What other loops end before (`i <= n - w`) does not make them longer.
            let counts = |p: usize| match row.expr.param_coeff(p) {
                0 => false,
                c => of_window || row.kind == Kind::Eq || c > 0,
            };
            known.extend((0..scop.params.len()).filter(|&p| counts(p)));
        }
    }
    of_windows.difference(&of_others).copied().collect()
}

/// Is the sum of a statement over a window that only the ends of the domain cut off, as of a filter whose middle lies on the point? The window itself is of constant size, or of one of `sizes`
/// ([`window_sizes`]), and there are more cells than that; no other loop of the sum begins or ends where cells do.
#[must_use]
pub fn is_padded(s: &Statement, sizes: &BTreeSet<usize>) -> bool {
    let (mut from, mut to, mut far) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for row in s.domain.constraints() {
        let dims: Vec<usize> = (0..s.depth()).filter(|&d| row.expr.dim_coeff(d) != 0).collect();
        let is_small = (0..row.expr.param_coeffs().len()).all(|p| row.expr.param_coeff(p) == 0 || sizes.contains(&p));
        if let ([d], true) = (dims.as_slice(), is_small) {
            let both = row.kind == Kind::Eq;
            from.extend((both || row.expr.dim_coeff(*d) > 0).then_some(*d));
            to.extend((both || row.expr.dim_coeff(*d) < 0).then_some(*d));
        }
        if let ([d], true) = (dims.as_slice(), !is_small || row.expr.constant_term() >= FEW_CELLS) {
            far.extend((row.expr.dim_coeff(*d) < 0).then_some(*d));
        }
    }
    let (cut, by) = cut(s);
    !cut.is_empty() && cut.is_subset(&from) && cut.is_subset(&to) && by.is_subset(&far)
}

/// The loops of a statement that are summed over and begin or end where cells do, and those that walk these cells.
fn cut(s: &Statement) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let is_written = |d: &usize| s.write().subscripts.iter().any(|e| e.dim_coeff(*d) != 0);
    let (mut cut, mut by) = (BTreeSet::new(), BTreeSet::new());
    for row in s.domain.constraints() {
        let dims = (0..s.depth()).filter(|&d| row.expr.dim_coeff(d) != 0);
        let (written, summed): (Vec<usize>, Vec<usize>) = dims.partition(is_written);
        if !written.is_empty() && !summed.is_empty() {
            cut.extend(summed);
            by.extend(written);
        }
    }
    (cut, by)
}

/// The loops of a statement that walk windows.
fn windows(s: &Statement) -> BTreeSet<usize> {
    let moves = |e: &Affine, d: usize| e.dim_coeff(d) != 0;
    let is_written = |d: usize| s.write().subscripts.iter().any(|e| moves(e, d));
    let (kept, summed): (Vec<usize>, Vec<usize>) = (0..s.depth()).partition(|&d| is_written(d));
    let reads = s.accesses.iter().filter(|a| !a.kind.writes()).flat_map(|a| &a.subscripts);
    let slides = |e: &Affine, d: usize| moves(e, d) && kept.iter().any(|&k| moves(e, k));
    reads.flat_map(|e| summed.iter().copied().filter(move |&d| slides(e, d))).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_padded, window_sizes};
    use crate::testing;

    fn sizes(text: &str) -> Vec<String> {
        let scop = testing::scop(text).expect("text of a part");
        window_sizes(&scop).into_iter().map(|p| scop.params[p].clone()).collect()
    }

    #[test]
    fn filters_have_sizes_of_windows() {
        assert_eq!(sizes("params n, m\nfor i = 0 .. n\n  for u = 0 .. m\n    y[i] += x[i + u] * w[u]"), ["m"]);
        assert_eq!(
            sizes(
                "params n, r\nfor i = 0 .. n\n  for k = max(0, i - r) .. min(n, i + r + 1)\n    y[i] += x[k] * w[k - i]"
            ),
            ["r"]
        );
    }

    /// What is left of a row when windows lie inside of it.
    #[test]
    fn other_loops_may_end_before() {
        let inside = "for i = 0 .. n - m\n  for u = 0 .. m\n    y[i] += x[i + u] * w[u]";
        assert_eq!(sizes(&format!("params n, m\n{inside}")), ["m"]);
        let centred = "for i = r .. n - r\n  for u = i - r .. i + r + 1\n    y[i] += x[u] * w[u - i + r]";
        assert_eq!(sizes(&format!("params n, r\n{centred}")), ["r"]);
        // A full convolution: more cells for a longer filter.
        let full = "for i = 0 .. n + m\n  for u = 0 .. m\n    y[i] += x[i + u] * w[u]";
        assert!(sizes(&format!("params n, m\n{full}")).is_empty());
    }

    #[test]
    fn the_ends_of_pictures_cut_windows_off() {
        let padded = |text: &str| {
            let scop = testing::scop(text).expect("text of a part");
            is_padded(&scop.statements[0], &window_sizes(&scop))
        };
        let filter =
            |cut: &str| format!("params n, m, r\nfor i = 0 .. n\n  for u = {cut}\n    y[i] += x[i + u - r] * w[u]");
        assert!(padded(&filter("max(0, r - i) .. min(m, n + r - i)")));
        assert!(padded(&filter("max(0, r - i) .. min(5, n + r - i)")));
        // Nothing is cut off.
        assert!(!padded(&filter("0 .. m")));
        // A band: as many terms as cells around the diagonal.
        assert!(!padded(
            "params n, b\nfor i = 0 .. n\n  for k = max(0, i - b) .. min(n, i + b)\n    y[i] += x[k] * w[k - i]"
        ));
        assert!(!padded("params n, m\nfor i = 0 .. n\n  for k = 0 .. m\n    y[i] += A[i,k] * x[k]"));
        // Another loop of the sum ends where the cell does.
        let triangle =
            "for i = 0 .. n\n  for c = 0 .. i\n    for u = 0 .. min(m, n - i)\n      y[i] += x[c,i + u] * w[u]";
        assert!(!padded(&format!("params n, m\n{triangle}")));
        // Few cells, and sums over all points: what a filter is to become.
        let gradient = "for p = 0 .. 5\n  for i = max(0, p - 2) .. min(n, n + p - 2)\n    d[p] += x[i + 2 - p] * y[i]";
        assert!(!padded(&format!("params n, m\n{gradient}")));
        // The sum of the weights that are used.
        let weights = "for i = 0 .. n\n  for u = max(0, m - i) .. min(2*m, n + m - i)\n    t[i] += w[u]";
        assert!(!padded(&format!("params n, m\n{weights}")));
        assert!(padded(&format!(
            "params n, m\n{weights}\nfor i = 0 .. n\n  for u = max(0, m - i) .. min(2*m, n + m - i)\n    y[i] += x[i + u - m] * w[u]"
        )));
    }

    #[test]
    fn what_bounds_other_loops_does_not() {
        let product =
            "params n, m\nfor i = 0 .. n + m\n  for k = max(0, i - n) .. min(i, m)\n    y[i] += x[k] * w[i - k]";
        assert!(sizes(product).is_empty());
        assert!(sizes("params n, m\nfor i = 0 .. n\n  for k = 0 .. m\n    y[i] += A[i,k] * x[k]").is_empty());
    }
}
