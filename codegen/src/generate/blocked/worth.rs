//! From which sizes on a blocked band is worth while.

use super::{Blocked, State, extents};
use crate::sets::halves;
use polyhedra::{Affine, Space};
use scheduler::Result;
use scheduler::kernel::{BandWorth, Enough};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Forms at most for one condition: members have several ends.
const MOST_SUMS: usize = 8;

/// How many values a member has.
#[derive(Clone)]
struct Lengths {
    /// In some iterations of the loops around fewer than in others.
    differ: bool,
    /// The most, over `[1 | N]`: the least of these.
    most: Vec<Affine>,
}

/// Forms that are all `>= 0` where members have enough values, each of which has at most as many as each of some forms says, and counts so many times. Of what is not known nothing is expected.
pub(super) fn sums(space: Space, least: i64, terms: &[(Vec<Affine>, i64)]) -> Result<Vec<Affine>> {
    let mut sums = vec![Affine::constant(space, least.saturating_neg())];
    for (most, weight) in terms.iter().filter(|(most, _)| !most.is_empty()) {
        let mut longer = Vec::new();
        for extent in most {
            let extent = extent.scale(*weight)?;
            for sum in &sums {
                longer.push(sum.add(&extent)?);
            }
        }
        longer.truncate(MOST_SUMS);
        sums = longer;
    }
    Ok(sums)
}

impl Blocked<'_> {
    /// `has_corners`: are there any in lanes? Within loops that are shared with others the most values count that members have in any of their iterations; twice as many are asked for where
    /// they differ (in a triangle half of them in the mean).
    pub(super) fn note_worth(&self, has_corners: bool, state: &State) -> Result<()> {
        let worthwhile: Vec<Enough> =
            if has_corners { self.plan.least_values().collect() } else { self.plan.worthwhile.clone() };
        let around: Vec<usize> = (0..state.context.space().dims).collect();
        let mut known: BTreeMap<usize, Lengths> = BTreeMap::new();
        let mut forms = Vec::new();
        for Enough { terms, least } in worthwhile {
            let mut parts: Vec<(Lengths, i64)> = Vec::new();
            for (member, weight) in terms {
                let lengths = match known.entry(member) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let shadow = self.shadow(state, &[member])?.0;
                        let differ = extents(&shadow, around.len())?.iter().any(|extent| !extent.is_dim_free());
                        let whole = shadow.project_out(&around, self.maker.budget)?.set;
                        new.insert(Lengths { differ, most: extents(&whole, 0)? })
                    }
                };
                parts.push((lengths.clone(), weight));
            }
            let halves = if parts.iter().any(|(lengths, _)| lengths.differ) { 2 } else { 1 };
            let outside = Space::new(self.maker.scop.params.len(), 0);
            let weighted = |(lengths, weight): (Lengths, i64)| {
                let weight = if lengths.differ { weight } else { weight.saturating_mul(halves) };
                (lengths.most, weight)
            };
            let terms: Vec<_> = parts.into_iter().map(weighted).collect();
            forms.extend(sums(outside, least.saturating_mul(halves), &terms)?);
        }
        forms.retain(|form| !form.is_constant());
        let mut forms = forms.into_iter().map(|form| self.maker.beside(self.id, form)).collect::<Result<Vec<_>>>()?;
        forms.extend(self.bands_worth(state)?);
        self.maker.worthwhile.borrow_mut().extend(forms);
        Ok(())
    }

    /// Forms over `[1 | N]` that are `>= 0` where bands are wide enough.
    fn bands_worth(&self, state: &State) -> Result<Vec<Affine>> {
        let Some(worth) = self.plan.bands else { return Ok(Vec::new()) };
        let BandWorth { least, least_of_both, least_of_steep, least_of_constant, least_of_window, mostly_box } = worth;
        let (at, outside) = (state.context.space().dims, Space::new(self.maker.scop.params.len(), 0));
        let around: Vec<usize> = (0..at).collect();
        let column = at + self.members.len() - self.first_row();
        let (mut bands, mut with_row, mut with_column, mut steep) = (Vec::new(), false, false, false);
        for member in self.plan.outer..self.first_row() {
            let widths = self.band_widths(member, state)?;
            with_column |= widths.iter().any(|(_, bound)| bound.dim_coeff(column) != 0);
            with_row |= widths.iter().any(|(_, bound)| (at + 1..column).any(|d| bound.dim_coeff(d) != 0));
            steep |= widths.iter().any(|(_, bound)| bound.dim_coeff(at).abs() != 1);
            // Where lanes come and go with masks cells are held all the same.
            if self.is_masked(member, &self.shadow(state, &[member])?.0, state) {
                continue;
            }
            let whole = self.shadow(state, &[member])?.0.project_out(&around, self.maker.budget)?.set;
            let lengths = if mostly_box { extents(&whole, 0)? } else { Vec::new() };
            bands.extend(widths.into_iter().map(|(width, _)| (width, lengths.clone())));
        }
        let least = match (steep, with_row && with_column) {
            (true, _) => least_of_steep,
            (false, true) => least_of_both,
            (false, false) => least,
        };
        let mut out = Vec::new();
        let of_params = |width: &Affine| Affine::from_coeffs(outside, width.coeffs()[..outside.columns()].to_vec());
        if least_of_window > 0 {
            for (width, _) in self.band_widths(self.column(), state)? {
                out.push(of_params(&width).offset(-least_of_window)?);
            }
        }
        for (width, lengths) in bands {
            let width = of_params(&width);
            if lengths.is_empty() {
                out.push(width.offset(-least)?);
            }
            // Of several the least is the length: beside a band that may be of any width, one that does not depend on it.
            let depends =
                |length: &Affine| (0..outside.params).any(|p| length.param_coeff(p) != 0 && width.param_coeff(p) != 0);
            let (with_it, alone): (Vec<_>, Vec<_>) = lengths.into_iter().partition(depends);
            for length in if alone.is_empty() { with_it } else { alone } {
                let least = if length.is_constant() { least.max(least_of_constant) } else { least };
                out.push(width.sub(&length)?);
                out.push(width.scale(2)?.sub(&length)?.offset(-least)?);
            }
        }
        Ok(out)
    }

    /// How many cells lie between the ends of a member, where both move with rows or columns: `w` for `i - w < k <= i`; each with one of the ends, over `[1 | N | V x]`, `x` the times of the member, the rows
    /// and the column.
    fn band_widths(&self, member: usize, state: &State) -> Result<Vec<(Affine, Affine)>> {
        let at = state.context.space().dims;
        let jammed = (self.first_row()..self.members.len()).filter(|&other| other != member);
        let seen: Vec<usize> = std::iter::once(member).chain(jammed).collect();
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for row in self.shadow(state, &seen)?.0.constraints() {
            for form in halves(row)? {
                if form.dim_coeffs()[at + 1..].iter().any(|c| *c != 0) {
                    match form.dim_coeff(at) {
                        0 => {}
                        c if c > 0 => lower.push(form),
                        _ => upper.push(form),
                    }
                }
            }
        }
        let mut out = Vec::new();
        for l in &lower {
            for u in &upper {
                let width = l.add(u)?.offset(1)?;
                if width.is_dim_free() {
                    out.push((width, l.clone()));
                }
            }
        }
        Ok(out)
    }
}
