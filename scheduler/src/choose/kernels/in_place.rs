//! The register tile where operands are not copied: there sizes are small, so that much runs at the ends of the domain.
//!
//! **Method.** For some sizes, most of them small, the steps of all tiles that the code will have are counted: whole ones, those of fewer rows
//! ([`fewer_rows`]), and of fewer columns ([`vectors_at_end`]). The tile with the least cycles in the mean, each size by itself, is taken.
//!
//! **Worked example.** Matrix product of 16 x 16 doubles, 8 lanes, 2 multiply-adds per cycle that take 4: with 6 rows by 4 vectors all columns are at the end, so that one vector runs at a
//! time; 6 of them, twice, take 4 cycles for a step each, as do both pairs of rows: 32 cycles. With 12 rows by 2 vectors it is 12 for the first rows and 4 for the others.

use super::{Candidate, Roles, TILE_OF_DEPTH, Tile};
use crate::kernel::{Registers, fewer_rows, vectors_at_end};

/// Sizes for which tiles are compared.
const SIZES: [i64; 16] = [6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112];

/// Another tile must take less than this part of the time.
const BETTER: f64 = 0.97;

/// Terms in a band: the fewer, the less columns may a tile have, more of which run under masks (measured on Zen 4, products by the upper part of a band of 17, 21, 25 cells, 100 rows: tiles of 6 x 24 1.2, of 14 x 8 4.7 times clang's speed).
const NARROW: f64 = 32.0;

impl Candidate<'_> {
    /// The tile, if another one is better than that for copied operands.
    pub(super) fn in_place(&self, roles: &Roles, row: usize, tile: Tile) -> Option<Registers> {
        let registers = |tile: Tile| Registers { rows: tile.rows, columns: tile.vectors * tile.lanes };
        if self.is_any_scattered(roles) {
            // What is put together cell by cell takes much code.
            return (tile.vectors > 1).then(|| registers(Tile { vectors: 1, ..tile }));
        }
        if self.is_narrow_band(roles, row) {
            return None;
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

    /// Do few terms move with the row or the column? Then sizes are not what counts.
    fn is_narrow_band(&self, roles: &Roles, row: usize) -> bool {
        let steps = &self.path.steps;
        let follows = |a: usize, b: usize| steps[a].follows.contains(&steps[b].of) && self.extent(a) <= NARROW;
        let mut cells = [row, roles.column].into_iter();
        cells.any(|cell| roles.depth.iter().any(|&s| follows(s, cell) || follows(cell, s)))
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
        let together = vectors_at_end(tile.vectors);
        let (several, one) = if left < together {
            (i64::from(left > 1), i64::from(left == 1))
        } else {
            (left / together, left % together)
        };
        // A single one in half the time where it has half the lanes at most, where that takes half the time: the code has a kernel for it.
        let few = columns % tile.lanes;
        let lanes = if few > 0 && 2 * few <= tile.lanes && tile.lanes > 2 { tile.lanes / 2 } else { tile.lanes };
        let wide = [
            (whole, tile),
            (several, Tile { vectors: left.clamp(1, together), ..tile }),
            (one, Tile { vectors: 1, lanes, ..tile }),
        ];
        let mut cycles = 0.0;
        for (count, part) in wide {
            let mut left = rows;
            for rows in std::iter::once(tile.rows).chain(fewer_rows(tile.rows, tile.vectors)).chain([1]) {
                let times = left / rows * count;
                left %= rows;
                if times == 0 {
                    continue;
                }
                let part = Tile { rows, ..part };
                let each =
                    self.step(roles, part).0 * depth + self.around(roles, part) * (depth / TILE_OF_DEPTH).max(1.0);
                cycles += times as f64 * each;
            }
        }
        cycles
    }
}
