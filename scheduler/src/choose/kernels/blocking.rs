//! The plan of a kernel, once roles and register tile are chosen: tiles for caches, copies, and sizes from which it is worth while.

use super::{Candidate, Roles, Tile};
use crate::kernel::{BandWorth, Blocking, Enough, PackPlan, TileLoop};
use crate::scop::{Access, AccessId};

/// Part of the first-level cache for the sliver of columns. The other sliver streams through; where the level is small both do, from the second: a shorter depth
/// would cost more, by the stored array that is loaded and stored for every tile of the depth (measured: 192 against 256 and 384 iterations at n = 2000).
const SLIVER: f64 = 1.0;

/// Where both slivers stream from the second level in less than this part of the time of a step, the first level limits nothing.
const STREAMED: f64 = 0.4;

/// Depth there (measured on Zen 5, 256 -> 384 -> 512 iterations, n = 2000: doubles 111 -> 117 -> 120 GFlop/s, floats 237 -> 245 -> 246; BLIS has 512 and 480 on Zen 4).
const STREAMED_DEPTH: i64 = 512;

/// Part of the second and third level for blocks.
const BLOCK: f64 = 0.5;

/// Sizes in use: blocks of rows and panels of columns are not larger than this many iterations. Half of a large second level is too much for the rows (measured on Emerald Rapids, 480 -> 256 rows: doubles by
/// 0.02 to 0.05, at strides of a power of two most).
const MOST_ROWS: i64 = 256;
const MOST_COLUMNS: i64 = 3072;
const MOST_DEPTH: i64 = 384;
const LEAST_DEPTH: i64 = 256;

/// Operands that are not copied take whole lines for each step. Where both slivers are in the first level for so many, which leaves a part for what is stored, the depth is not longer (measured on Zen 3, solves with tiles of 4 x 12,
/// 1000 rows: 336, 256, 200, 192 and 160 iterations 1, 1.03, 1.03, 1.07 and 1.05 times as fast; LU with 4 x 8 all the same).
const LEAST_IN_PLACE: i64 = 160;
const BOTH: f64 = 0.95;

/// Vector registers of AVX2, of which no more than one is wanted for something else around kernels.
const FEW_REGISTERS: i64 = 16;

/// Bytes of one panel of scratch memory.
const MOST_SCRATCH: i64 = 16 << 20;

/// Operands are packed only when rows, columns and depth have at least so many iterations.
const WORTH_PACKING: i64 = 128;

/// The same where that puts cells side by side that are not (measured: at 12 products of transposed matrices lose, at 16 they win a fifth, symmetric updates half).
const WORTH_GATHERING: i64 = 16;

/// And for the depth, which only the memory has to pay for, and for columns where the memory is asked for once for many products.
const WORTH_GATHERING_SHORT: i64 = 8;

/// Part of the second level that an operand may take and stay where it is, if it streams from there: rows, columns and depth then need so many iterations in the mean for copies to pay (measured on Zen 4, times as fast without
/// copies, n = 200, 320, 400, 500, 640, 800, 1000: doubles 1.06, 1.04, 1.04, 0.96, 0.93, 0.92, 0.94; floats 1.12, 1.06, 1.05, 1.04, 1.02, 0.98, 0.86; at strides of 2048 cells with n = 200, 350, 500: doubles 0.99, 1.04, 0.96; with
/// one of them 130 and 3000 of the others 0.84 to 1.02).
const NEAR: f64 = 1.5;

/// The source runs where eight times rows and columns and once the depth are less together (measured on products: a kernel is 1.1 to 1.4 times as fast for 5 x 5 x 5, 2 to 3 times for 8 x 2 x 8, 1.5 to 4
/// times for 2 x 2 x 64, 0.5 to 0.9 times for 2 x 2 x 16 and 4 x 4 x 4). Besides, loops of two or less are of no use for anything else: 2 x 64 x 2, 64 x 64 x 1 (0.7 times), 1 x 1 x 64.
const WORTHWHILE: i64 = 80;

/// The same where vectors are short, so that columns take more of them.
const WORTHWHILE_FEW_LANES: i64 = 100;
const FEW_LANES: i64 = 5;

/// The same of columns whose operands are no neighbours, and with twice the rows a third of it (measured on products of transposed matrices: 6 x 6 x 6 1.9 times, 8 x 8 x 2 1.6 to 2.5 times, 2 x 16 x 16 2.1 to
/// 2.5 times as fast, 5 x 5 x 5 0.5 to 0.7 times, 4 x 8 x 8 and 8 x 3 x 20 0.6 times).
const SCATTERED_COLUMNS: i64 = 6;

/// The source runs where rows or columns are fewer and its own sums are vectors of neighbours, which LLVM makes of sums in any order (measured on products of bytes and of numbers of 16 bits by transposed
/// matrices, with 1000 of the other and terms: 8 rows 0.4 times, 16 0.8 to 1.4, 32 1.3 to 1.8, 16 columns 0.9, 48 columns 1.6 to 3 times as fast; 16 x 16 0.4 to 0.6, 24 x 24 0.7 to 1.4, 48 x 48 2 times).
const WORTHWHILE_BESIDE_VECTORS: i64 = 32;

/// Where the columns of a sum without rows are fewer the source runs.
const WORTHWHILE_ALONE: i64 = 16;

/// The same of columns and five times the depth, where blocks of it are transposed: what is left of columns is slow where there are few blocks (measured: 16 x 16 2.4 times, 20 x 16 1.2 to 1.9, 64 x 2 2.1 times as
/// fast, 20 x 15 0.6 to 0.8).
const WORTHWHILE_BLOCKS: i64 = 96;

/// And of columns, for two lanes of a vector, of which there are fewer the deeper their sums are, each of which begins with the last term (measured on Cholesky's factorisation, 8 lanes: 39 rows by 0.77, 48 by
/// 0.95, 60 by 1.3).
const WORTHWHILE_TRIANGLES: i64 = 6;

/// The same for the depth where it is not.
const WORTHWHILE_TAPS: i64 = 3;

/// The same of columns and twice a depth that ends at another place for each column: most of a short one runs under masks (measured: sums of products at a distance 0.8 to 0.9 times as fast for 16 of both, 1.2 to 1.6
/// for 24; filters with padding 2 to 4 times for 48 points and 3 to 31 terms).
const WORTHWHILE_SLANTED: i64 = 52;

/// The same of bands (measured on transposed convolutions: 0.6 to 0.8 times as fast for both of less than 40; in one dimension 1.0 to 1.3 times for 8 to 32; for strides of two 0.5 times for 64, 1.5 for 256; for
/// filters of constant size 0.4 to 0.9 times on 32 to 48 points, 1.3 on 100; where columns move with rows, too, on sums over rows of a band, 16 by 0.4 to 0.9, 32 by 0.7 to 1.4, 40 by 0.95 to 1.9).
const WORTHWHILE_BANDS: BandWorth = BandWorth {
    least: 16,
    least_of_both: 48,
    least_of_steep: 192,
    least_of_constant: 120,
    least_of_window: 40,
    mostly_box: false,
};

/// The same of sums without rows (measured on Zen 4, products of polynomials of 16, 18, 20, 22, 24 terms by long ones: doubles 0.74, 0.86, 0.95, 1.08, 1.16, floats of 16, 20, 24 0.95, 1.12, 1.35).
const WORTHWHILE_BANDS_ALONE: i64 = 22;

/// The same where lanes have no masks: what is under one is put together cell by cell.
const WORTHWHILE_BANDS_UNMASKED: BandWorth = BandWorth {
    least: 48,
    least_of_both: 64,
    least_of_steep: 256,
    least_of_constant: 160,
    least_of_window: 40,
    mostly_box: false,
};

/// The same of bands in rows and columns whose terms are counted by a shorter loop, with and without masks (measured on transposed convolutions by 3 x 3: 16 points by 1.13 and 0.85, 20 by 1.5 and 1.03, 24 by 2.0 and 1.67; by
/// 7 x 7: 12 by 1.27 and 0.89, 16 by 1.6 and 1.26).
pub(super) const WORTHWHILE_SHORTER: i64 = 28;
pub(super) const WORTHWHILE_SHORTER_UNMASKED: i64 = 40;

/// The same of windows that the ends of the domain cut off: tiles inside of it have all terms in common. Windows of constant size the source has unrolled (measured on filters with padding of 5 x 5, 16 and 8 lanes: 12
/// points by 3.3 and 1.4, of several channels 8 and 3.5; of 3 x 3 of constant size: 12 points by 1.7 and 0.7, 14 by 0.8 and 1.05, 16 by 3.8 and 2.1).
const WORTHWHILE_PADDING: i64 = 19;
const WORTHWHILE_PADDING_OF_CONSTANT: i64 = 27;

/// The same where a step of the window is several cells (measured with masks on a 5 x 5 window of every second cell: 16 points by 4.3, 24 by 4.7; on 7 x 3 in steps of three, channels last: 20 by 10, 24 by 1.2, 32 by 6).
const WORTHWHILE_PADDING_OF_STEPS: i64 = 27;

/// Rows of a tile are copied in vectors of at least so many.
const ROWS_IN_VECTORS: i64 = 4;

/// And so many rows may have one place more that is not used (measured on Zen 4: 14 floats in 16 places 3 to 12 % faster, 6 doubles in 8 2 % slower).
const FOR_A_PLACE: i64 = 7;

/// Places for the rows of a tile, so that they can be copied in vectors, if that does not take much more memory.
fn places_for(rows: i64) -> i64 {
    let places = (rows + ROWS_IN_VECTORS - 1) / ROWS_IN_VECTORS * ROWS_IN_VECTORS;
    if (places - rows) * FOR_A_PLACE <= rows { places } else { rows }
}

/// Loops of a kernel that count as one.
struct Side {
    /// Members of unknown length.
    open: Vec<usize>,
    /// The product of the other lengths.
    times: i64,
}

impl Side {
    /// The product of all lengths is at least `times` the sum of the unknown ones, less this: of `n` numbers that are one or more the product is their sum less `n - 1` at least.
    fn less(&self) -> i64 {
        self.times.saturating_mul(i64::try_from(self.open.len()).unwrap_or(1) - 1)
    }
}

impl Candidate<'_> {
    pub(super) fn blocking(&self, roles: &Roles, tile: Tile) -> Blocking {
        match roles.row {
            Some(row) => self.in_caches(roles, row, tile),
            None => self.alone(roles, tile),
        }
    }

    fn bands(&self, with_rows: bool) -> BandWorth {
        // Where there are no masks rows make up for what is put together cell by cell.
        if self.padded && (self.machine.masks || with_rows) {
            return BandWorth {
                least: WORTHWHILE_PADDING,
                least_of_both: WORTHWHILE_PADDING,
                least_of_steep: WORTHWHILE_PADDING_OF_STEPS,
                least_of_constant: WORTHWHILE_PADDING_OF_CONSTANT,
                least_of_window: WORTHWHILE_PADDING,
                mostly_box: true,
            };
        }
        let bands = if self.machine.masks { WORTHWHILE_BANDS } else { WORTHWHILE_BANDS_UNMASKED };
        let least = if with_rows { bands.least } else { bands.least.max(WORTHWHILE_BANDS_ALONE) };
        BandWorth { least, ..bands }
    }

    /// The plan of a sum without rows.
    fn alone(&self, roles: &Roles, tile: Tile) -> Blocking {
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let columns = tile.vectors * tile.lanes;
        let mut tiles = Vec::new();
        if let (1, Some(&last)) = (tile.steps, roles.depth.last()) {
            tiles.push(TileLoop { member: at(last), size: self.depth_alone(roles) });
        }
        tiles.push(TileLoop { member: at(roles.column), size: columns });
        let exact = |s: usize| self.path.steps[s].exact;
        let mut worthwhile = Vec::new();
        if exact(roles.column).is_none() {
            worthwhile.push(Enough::of(at(roles.column), WORTHWHILE_ALONE));
        }
        if let Some(&last) = roles.depth.last().filter(|&&s| exact(s).is_none()) {
            let leans = self.path.steps[last].leans_on.contains(&self.path.steps[roles.column].of);
            let with_columns = |times: i64, least: i64| self.with_columns(roles, last, times, least);
            worthwhile.push(match (leans, tile.steps) {
                (true, _) => with_columns(2, WORTHWHILE_SLANTED),
                (false, 1) => Enough::of(at(last), WORTHWHILE_TAPS),
                (false, _) => with_columns(5, WORTHWHILE_BLOCKS),
            });
            worthwhile.retain(|enough| enough.least > 0);
        }
        let falls = |a: usize, step: usize| self.path.accesses[a].by[step].last().is_some_and(|c| *c < 0);
        let downwards = roles.depth.last().is_some_and(|&s| self.reads().any(|a| falls(a, s)));
        if downwards && tile.steps > 1 && !self.path.steps[roles.column].leans_on.is_empty() {
            worthwhile.push(Enough::of(at(roles.column), WORTHWHILE_TRIANGLES * tile.lanes / 2));
        }
        Blocking {
            outer: roles.outer.len(),
            tiles,
            rows: Vec::new(),
            columns,
            lanes: u32::try_from(tile.lanes).unwrap_or(1),
            reversed: self.reversed,
            corners: Vec::new(),
            steps: tile.steps,
            packs: Vec::new(),
            worth_packing: Vec::new(),
            mirrors: Vec::new(),
            worth_mirrors: Vec::new(),
            fetch: None,
            scattered: false,
            in_place: None,
            embeds: self.embeds(),
            fills: false,
            worthwhile,
            bands: Some(self.bands(false)),
        }
    }

    /// So many times the values of a depth loop of unknown length, and those of the columns, are at least this many.
    fn with_columns(&self, roles: &Roles, depth: usize, times: i64, least: i64) -> Enough {
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let mut enough = Enough { terms: vec![(at(depth), times)], least };
        match self.path.steps[roles.column].exact {
            Some(n) => enough.least = enough.least.saturating_sub(n),
            None => enough.terms.push((at(roles.column), 1)),
        }
        enough
    }

    /// The plan of a kernel with rows, with tiles for caches.
    fn in_caches(&self, roles: &Roles, its_row: usize, tile: Tile) -> Blocking {
        let m = self.machine;
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let columns = tile.vectors * tile.lanes;
        let (row, column) = (at(its_row), at(roles.column));
        // Depth: the innermost loops whole where short, the others cut.
        let mut left = self.depth_in_caches(roles, tile);
        let mut depth_tiles = Vec::new();
        let mut depth_cells = 1;
        for &s in roles.depth.iter().rev() {
            let size = match self.path.steps[s].exact {
                Some(n) if n <= left => n.max(1),
                _ => left,
            };
            depth_cells *= size;
            left = (left / size).max(1);
            depth_tiles.push(TileLoop { member: at(s), size });
        }
        depth_tiles.reverse();
        let part = |bytes: u64, share: f64| self.cells_of(bytes, share);
        let down = |most: i64, step: i64| (most / step * step).max(step);
        // No more than there are.
        let at_most = |step: usize, size: i64, register: i64| match self.path.steps[step].exact {
            Some(n) => size.min((n.max(1) + register - 1) / register * register),
            None => size,
        };
        let copies = |step: usize| {
            let all = self.reads().filter(|&a| self.is_packed(a, roles) && self.moves(a, step)).count();
            i64::try_from(all).unwrap_or(i64::MAX)
        };
        let places = if copies(its_row) > 0 { places_for(tile.rows) } else { tile.rows };
        let rows = part(m.l2_bytes, BLOCK) / copies(its_row).max(1) / depth_cells * tile.rows / places;
        let rows = down(rows.min(MOST_ROWS), tile.rows);
        let rows = at_most(its_row, rows, tile.rows);
        let scratch = (MOST_SCRATCH / self.bytes).min(part(m.l3_bytes, BLOCK));
        let panel = scratch / copies(roles.column).max(1) / depth_cells;
        let panel = down(panel.min(MOST_COLUMNS), columns);
        let panel = at_most(roles.column, panel, columns);
        let mut tiles = Vec::new();
        let level = |member: usize, size: i64, register: i64, tiles: &mut Vec<TileLoop>| {
            if size > register {
                tiles.push(TileLoop { member, size });
            }
        };
        level(column, panel, columns, &mut tiles);
        tiles.extend(depth_tiles.iter().copied());
        let columns_packed = tiles.len();
        tiles.extend(roles.inner.iter().map(|&s| TileLoop { member: at(s), size: 1 }));
        level(row, rows, tile.rows, &mut tiles);
        let rows_packed = tiles.len();
        let registers = [TileLoop { member: column, size: columns }, TileLoop { member: row, size: tile.rows }];
        // A sliver of the columns' operand is used again by the next rows, if there is one; else cells are met in the order in which they lie.
        let again = self.reads().any(|a| self.moves(a, roles.column) && !self.moves(a, its_row));
        tiles.extend(if again { registers } else { [registers[1], registers[0]] });
        let mut packs = Vec::new();
        for access in self.reads().filter(|&a| self.is_packed(a, roles)) {
            let own = order.iter().filter(|&&s| self.moves(access, s) && !roles.outer.contains(&s));
            let mut members: Vec<usize> = own.map(|&s| at(s)).collect();
            members.sort_unstable();
            let by_column = self.moves(access, roles.column);
            let depth = if by_column { columns_packed } else { rows_packed };
            let entered = |m: &usize| tiles[..depth].iter().any(|t| t.member == *m);
            if members.iter().all(entered) {
                let places = Some(places).filter(|&places| !by_column && places > tile.rows);
                let fetches = by_column && !self.is_scattered(access, roles);
                packs.push(PackPlan { access: AccessId(access), members, depth, places, fetches });
            }
        }
        let worth_packing =
            self.worth_packing(roles, its_row, tile).filter(|_| !packs.is_empty()).unwrap_or_else(|| {
                packs.clear();
                Vec::new()
            });
        let scattered = self.is_any_scattered(roles);
        let in_place = if packs.is_empty() { None } else { self.in_place(roles, its_row, tile) };
        let mut worthwhile = self.worthwhile(roles, its_row, tile);
        // Rows share nothing, so it is as for one of them.
        if let Some(&last) = roles.depth.last()
            && packs.is_empty()
            && tile.steps > 1
            && self.path.steps[last].exact.is_none()
            && self.uses_once(roles)
        {
            worthwhile.extend(Some(self.with_columns(roles, last, 5, WORTHWHILE_BLOCKS)).filter(|e| e.least > 0));
        }
        Blocking {
            outer: roles.outer.len(),
            tiles,
            rows: roles.inner.iter().map(|_| 1).chain([tile.rows]).collect(),
            columns,
            lanes: u32::try_from(tile.lanes).unwrap_or(1),
            reversed: self.reversed,
            corners: Vec::new(),
            steps: if packs.is_empty() { tile.steps } else { 1 },
            packs,
            worth_packing,
            mirrors: Vec::new(),
            worth_mirrors: Vec::new(),
            fetch: None,
            scattered,
            in_place,
            embeds: self.embeds(),
            fills: self.fills(roles, tile),
            worthwhile,
            bands: Some(self.bands(true)),
        }
    }

    /// Are there sums by themselves that keep units busy on which numbers come to all lanes?
    fn embeds(&self) -> bool {
        // Only the registers of AVX-512 have such operations.
        self.machine.embeds && self.machine.vector_registers >= 32 && self.scop.statements[self.id.0].sums > 0
    }

    /// Are hardly any of few registers left? (LLVM moves accumulators to and from the stack in the innermost loop for a number that lives on: 12x1 with two operands took three times as long.)
    fn fills(&self, roles: &Roles, tile: Tile) -> bool {
        let all = i64::from(self.machine.vector_registers);
        all <= FEW_REGISTERS && self.registers(roles, tile) + 1 >= all
    }

    /// Cells that fill a share of a cache.
    pub(super) fn cells_of(&self, bytes: u64, share: f64) -> i64 {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "sizes of caches")]
        let cells = (bytes as f64 * share) as i64 / self.bytes;
        cells
    }

    /// Iterations of the depth in a tile.
    fn depth_in_caches(&self, roles: &Roles, tile: Tile) -> i64 {
        if !self.together && !self.is_inside && self.streams(roles, tile) {
            return STREAMED_DEPTH;
        }
        let down = |depth: i64| depth / 8 * 8;
        let columns = tile.vectors * tile.lanes;
        let in_place = self.together || !self.reads().any(|a| self.is_packed(a, roles));
        // Squares of rows have their lines along the depth.
        if in_place && !self.is_any_scattered(roles) && i64::from(self.machine.vector_registers) <= FEW_REGISTERS {
            let line = self.cells_of(self.machine.line_bytes, 1.0).max(1);
            let both = (columns + line - 1) / line * line + tile.rows;
            let depth = down(self.cells_of(self.machine.l1_bytes, BOTH) / both);
            if depth >= LEAST_IN_PLACE {
                return depth.min(MOST_DEPTH);
            }
        }
        let sliver = self.cells_of(self.machine.l1_bytes, SLIVER) / columns;
        down(sliver).clamp(LEAST_DEPTH, MOST_DEPTH)
    }

    /// Cycles in which the lines of copied slivers come from the second level for a step of the depth.
    pub(super) fn slivers(&self, roles: &Roles, tile: Tile) -> f64 {
        let of = |a: usize| if self.moves(a, roles.column) { tile.vectors * tile.lanes } else { tile.rows };
        let cells: i64 = self.reads().filter(|&a| self.is_packed(a, roles)).map(of).sum();
        #[expect(clippy::cast_precision_loss, reason = "estimates")]
        let lines = (cells * self.bytes) as f64 / self.machine.line_bytes as f64;
        lines * self.machine.line_from_l2
    }

    /// From which sizes on a kernel with rows is faster than the source, of which one loop runs on vectors at best.
    fn worthwhile(&self, roles: &Roles, its_row: usize, tile: Tile) -> Vec<Enough> {
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let side = |steps: &[usize]| {
            let (mut open, mut times) = (Vec::new(), 1_i64);
            for &s in steps {
                match self.path.steps[s].exact {
                    Some(n) => times = times.saturating_mul(n.clamp(1, MOST_DEPTH)),
                    None => open.push(at(s)),
                }
            }
            Side { open, times }
        };
        let (rows, columns, depth) = (side(&[its_row]), side(&[roles.column]), side(&roles.depth));
        let enough = |sides: &[(&Side, i64)], least: i64| {
            let of = |(side, weight): &(&Side, i64)| {
                let each = side.times.saturating_mul(*weight);
                side.open.iter().map(move |&member| (member, each)).collect::<Vec<_>>()
            };
            let less = |(side, weight): &(&Side, i64)| side.less().saturating_mul(*weight);
            let least = sides.iter().map(less).fold(least, i64::saturating_add);
            Enough { terms: sides.iter().flat_map(of).collect(), least }
        };
        let few_lanes = tile.lanes < FEW_LANES;
        let mut out = vec![enough(&[(&depth, 1)], 2)];
        if self.is_any_scattered(roles) {
            out.push(enough(&[(&columns, 1)], SCATTERED_COLUMNS));
            out.push(enough(&[(&rows, 2), (&columns, 1)], 3 * SCATTERED_COLUMNS));
        } else {
            out.push(enough(&[(&rows, 1), (&depth, 1)], if few_lanes { 8 } else { 7 }));
            out.push(enough(&[(&rows, 1), (&columns, 1)], 4));
            let all = [(&rows, 8), (&columns, 8), (&depth, 1)];
            out.push(enough(&all, if few_lanes { WORTHWHILE_FEW_LANES } else { WORTHWHILE }));
        }
        if self.scop.statements[self.id.0].any_order {
            // LLVM asks whether rows are of one cell, and then has vectors, too.
            out.push(enough(&[(&columns, 1)], 2));
        }
        if self.source_has_vectors() {
            // Rows of several planes use the same copies again.
            let least = if roles.inner.is_empty() { WORTHWHILE_BESIDE_VECTORS } else { tile.rows };
            out.push(enough(&[(&rows, 1)], least));
            out.push(enough(&[(&columns, 1)], WORTHWHILE_BESIDE_VECTORS));
        }
        out.retain(|enough| !enough.terms.is_empty() && enough.least > 0);
        out
    }

    /// Has the source vectors along its sum: may that be in any order, and are all operands neighbours?
    fn source_has_vectors(&self) -> bool {
        let statement = &self.scop.statements[self.id.0];
        let Some(innermost) = statement.depth().checked_sub(1) else { return false };
        let by = |a: &Access| a.subscripts.iter().map(|e| e.dim_coeff(innermost)).collect::<Vec<_>>();
        let stays = |by: &[i64]| by.iter().all(|c| *c == 0);
        let neighbours = |by: &[i64]| by.split_last().is_some_and(|(last, others)| last.abs() == 1 && stays(others));
        statement.any_order
            && stays(&by(statement.write()))
            && statement.reads().iter().map(by).all(|by| stays(&by) || neighbours(&by))
    }

    /// All loops of the kernel have at least so many iterations.
    pub(super) fn all_at_least(&self, roles: &Roles, least: i64) -> Vec<Enough> {
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let depth =
            if roles.row.is_some() { &roles.depth[..] } else { &roles.depth[roles.depth.len().saturating_sub(1)..] };
        let all = roles.row.iter().chain([&roles.column]).chain(depth);
        all.filter(|&&s| self.path.steps[s].exact.is_none()).map(|&s| Enough::of(at(s), least)).collect()
    }

    /// Are there vectors of cells that are no neighbours?
    pub(super) fn is_any_scattered(&self, roles: &Roles) -> bool {
        self.reads().any(|a| self.is_scattered(a, roles))
    }

    /// May copies pay? Not where a group of loops has fewer iterations than it needs.
    pub(super) fn may_pack(&self, roles: &Roles, row: usize) -> bool {
        self.groups_copied(roles, row).into_iter().all(|(group, least)| {
            let lengths = group.map(|s| self.path.steps[s].exact);
            let known = lengths.into_iter().try_fold(1_i64, |product, n| Some(product.saturating_mul(n?)));
            known.is_none_or(|product| product >= least)
        })
    }

    /// Loops of rows, columns and depth; how many iterations each of these needs for copies to pay.
    fn groups_copied<'r>(&self, roles: &'r Roles, row: usize) -> [(impl Iterator<Item = usize> + use<'r>, i64); 3] {
        // Vectors of cells that are no neighbours have to be put together: better once.
        let scattered = self.is_any_scattered(roles);
        let least = if scattered { WORTH_GATHERING } else { WORTH_PACKING };
        // Scratch memory is asked for once for all that runs in it.
        let often = scattered && roles.outer.len() + roles.inner.len() + self.first > 0;
        let least_columns = if often { WORTH_GATHERING_SHORT } else { least };
        let least_depth = if scattered { WORTH_GATHERING_SHORT } else { least };
        let group = |steps: &'r [usize], one: Option<usize>| steps.iter().copied().chain(one);
        [
            (group(&roles.inner, Some(row)), least),
            (group(&[], Some(roles.column)), least_columns),
            (group(&roles.depth, None), least_depth),
        ]
    }

    /// How many iterations the steps need for copies to pay; `None`: they never have so many. Of several rows, or loops of the depth, the product counts.
    fn worth_packing(&self, roles: &Roles, row: usize, tile: Tile) -> Option<Vec<Enough>> {
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let mut out = Vec::new();
        let mut together = Enough { terms: Vec::new(), least: self.near(roles, tile).saturating_mul(3) };
        for (group, least) in self.groups_copied(roles, row) {
            let (open, known): (Vec<usize>, Vec<usize>) = group.partition(|&s| self.path.steps[s].exact.is_none());
            let known = known.iter().filter_map(|&s| self.path.steps[s].exact).fold(1, i64::saturating_mul);
            let left = (least + known - 1) / known.max(1);
            let root = (1..=left).find(|r| (0..open.len()).fold(1_i64, |p, _| p.saturating_mul(*r)) >= left);
            out.extend(open.iter().map(|&s| Enough::of(at(s), root.unwrap_or(left))));
            match open[..] {
                [] => together.least = together.least.saturating_sub(known),
                [step] => together.terms.push((at(step), known)),
                // Of several nobody knows.
                _ => together.least = 0,
            }
        }
        if together.least > 0 {
            out.push(together);
        }
        out.iter().all(|enough| !enough.terms.is_empty()).then_some(out)
    }

    /// Rows, columns and depth of products whose operands need no copies, because they stay in the second level, whence they come as fast as they are used; 0: they do not.
    fn near(&self, roles: &Roles, tile: Tile) -> i64 {
        if self.is_any_scattered(roles) || self.is_any_prepared(roles) || !self.streams(roles, tile) {
            return 0;
        }
        self.cells_of(self.machine.l2_bytes, NEAR).isqrt()
    }

    /// Do copied slivers come from the second level while a step of the depth runs?
    fn streams(&self, roles: &Roles, tile: Tile) -> bool {
        let lines = self.slivers(roles, tile);
        lines > 0.0 && lines < STREAMED * self.step(roles, tile).0
    }
}
