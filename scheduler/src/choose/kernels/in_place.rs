//! The register tile where operands are not copied: there sizes are small, so that much runs at the ends of the domain.
//!
//! **Method.** For some sizes below those from which copies pay, the steps of all tiles that the code will have are counted: whole ones, those of fewer rows
//! ([`fewer_rows`]), single vectors of columns. The tile with the least cycles in the mean, each size by itself, is taken.
//!
//! **Worked example.** Matrix product of 16 x 16 doubles, 8 lanes, 2 multiply-adds per cycle that take 4: with 6 rows by 4 vectors all columns are at the end, so that one vector runs at a
//! time; 6 of them, twice, take 4 cycles for a step each, as do both pairs of rows: 32 cycles. With 12 rows by 2 vectors it is 12 for the first rows and 4 for the others.

use super::{Candidate, Roles, TILE_OF_DEPTH, Tile};
use crate::kernel::{MOST_AT_END, Registers, fewer_rows};

/// Sizes for which tiles are compared.
const SIZES: [i64; 16] = [6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112];

/// Another tile must take less than this part of the time.
const BETTER: f64 = 0.97;

/// Most tiles' rows that are unrolled together where a single vector is left.
const MOST_TALLER: i64 = 3;

/// Sums should be so many times as many as wait for each other.
const AHEAD: f64 = 1.5;

impl Candidate<'_> {
    /// The tile, if another one is better than that for copied operands.
    pub(super) fn in_place(&self, roles: &Roles, row: usize, tile: Tile) -> Option<Registers> {
        let registers = |tile: Tile| {
            let last_rows = self.last_rows(roles, tile);
            Registers { rows: tile.rows, columns: tile.vectors * tile.lanes, last_rows }
        };
        if self.is_any_scattered(roles) {
            // What is put together cell by cell takes much code.
            return (tile.vectors > 1).then(|| registers(Tile { vectors: 1, ..tile }));
        }
        let mut best = (tile, self.small(roles, row, tile) * BETTER);
        for rows in self.rows_of_tiles(roles) {
            for vectors in 1..=4 {
                let other = Tile { rows: *rows, vectors, ..tile };
                if self.fits(roles, other) {
                    let cycles = self.small(roles, row, other);
                    if cycles < best.1 {
                        best = (other, cycles);
                    }
                }
            }
        }
        (best.0 != tile).then(|| registers(best.0))
    }

    /// How often rows are unrolled for a single vector of columns at the end: so often that its sums do not wait for each other.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn last_rows(&self, roles: &Roles, tile: Tile) -> i64 {
        let one = |rows: i64| Tile { rows, vectors: 1, ..tile };
        let each = |rows: i64| {
            let (step, waits) = self.step(roles, one(rows));
            // What comes before and after the loop is hidden by sums that need not wait.
            step.max(waits * AHEAD) / rows as f64
        };
        let mut best = tile.rows;
        for rows in (2..=MOST_TALLER).map(|k| k * tile.rows).filter(|&rows| self.fits(roles, one(rows))) {
            if each(rows) < each(best) * BETTER {
                best = rows;
            }
        }
        best
    }

    /// Cycles of products of small sizes, each by its number of vectors.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    fn small(&self, roles: &Roles, row: usize, tile: Tile) -> f64 {
        let of = |step: usize, n: i64| self.path.steps[step].exact.unwrap_or(n).max(1);
        let mut sum = 0.0;
        for n in SIZES {
            let (rows, columns) = (of(row, n), of(roles.column, n));
            let depth = roles.depth.iter().map(|&s| of(s, n)).fold(1, i64::saturating_mul) as f64;
            let vectors = (columns + tile.lanes - 1) / tile.lanes;
            sum += self.tiles(roles, tile, (rows, columns), depth) / (rows * vectors) as f64 / depth;
        }
        sum
    }

    /// Cycles of all tiles of so many rows and columns, those at the ends included.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn tiles(&self, roles: &Roles, tile: Tile, (rows, columns): (i64, i64), depth: f64) -> f64 {
        // Vectors that are not whole are with those at the end.
        let whole = columns / (tile.vectors * tile.lanes);
        let left = (columns + tile.lanes - 1) / tile.lanes - whole * tile.vectors;
        // Of many pairs; a single one in half the time where it has half the lanes at most, where that takes half the time: the code has kernels for it.
        let (pairs, one) =
            if tile.vectors > MOST_AT_END { (left / 2, left % 2) } else { (i64::from(left > 1), i64::from(left == 1)) };
        let few = columns % tile.lanes;
        let halved = few > 0 && 2 * few <= tile.lanes && tile.lanes > 2;
        let last = Tile { vectors: 1, lanes: if halved { tile.lanes / 2 } else { tile.lanes }, ..tile };
        let several =
            Tile { vectors: left.min(if tile.vectors > MOST_AT_END { 2 } else { MOST_AT_END }).max(1), ..tile };
        let taller = self.last_rows(roles, tile);
        let mut cycles = 0.0;
        for (first, count, part) in [(tile.rows, whole, tile), (tile.rows, pairs, several), (taller, one, last)] {
            let mut left = rows;
            let heights = [first, tile.rows].into_iter().chain(fewer_rows(tile.rows, tile.vectors)).chain([1]);
            for rows in heights {
                let part = Tile { rows, ..part };
                let each = self.step(roles, part).0 * depth + self.around(part) * (depth / TILE_OF_DEPTH).max(1.0);
                cycles += ((left / rows) * count) as f64 * each;
                left %= rows;
            }
        }
        cycles
    }
}
