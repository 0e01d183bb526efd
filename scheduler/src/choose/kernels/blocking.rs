//! The plan of a kernel, once roles and register tile are chosen: tiles for caches, copies, and sizes from which it is worth while.

use super::{Candidate, Roles, Tile};
use crate::kernel::{BandWorth, Blocking, PackPlan, TileLoop};
use crate::scop::AccessId;

/// Part of the first-level cache for the sliver of columns. The other sliver streams through; where the level is small both do, from the second: a shorter depth
/// would cost more, by the stored array that is loaded and stored for every tile of the depth (measured: 192 against 256 and 384 iterations at n = 2000).
const SLIVER: f64 = 1.0;

/// Part of the second and third level for blocks.
const BLOCK: f64 = 0.5;

/// Sizes in use: blocks of rows and panels of columns are not larger than this many iterations.
const MOST_ROWS: i64 = 480;
const MOST_COLUMNS: i64 = 3072;
const MOST_DEPTH: i64 = 384;
const LEAST_DEPTH: i64 = 256;

/// Bytes of one panel of scratch memory.
const MOST_SCRATCH: i64 = 16 << 20;

/// Operands are packed only when rows, columns and depth have at least so many iterations.
const WORTH_PACKING: i64 = 128;

/// The same where that puts cells side by side that are not (measured: at 12 products of transposed matrices lose, at 16 they win a fifth, symmetric updates half).
const WORTH_GATHERING: i64 = 16;

/// And for the depth, which only the memory has to pay for, and for columns where the memory is asked for once for many products.
const WORTH_GATHERING_SHORT: i64 = 8;

/// Where rows, columns or depth have fewer iterations than this the source runs: one more where a vector has fewer lanes, so that columns take two.
const WORTHWHILE: i64 = 5;

/// Where the columns of a sum without rows are fewer the source runs; where its depth is, if that is unrolled in steps.
const WORTHWHILE_ALONE: i64 = 16;

/// The same for the depth where it is not.
const WORTHWHILE_TAPS: i64 = 3;

/// The same of a depth that ends at another place for each column: most of a short one runs under masks (measured on sums of products at a distance: 0.7 times as fast at 32, 1.4 times at 48).
const WORTHWHILE_SLANTED: i64 = 40;

/// The same of bands (measured on transposed convolutions: 0.6 to 0.8 times as fast for both of less than 40; in one dimension 1.0 to 1.3 times for 8 to 32; for strides of two 0.5 times for 64, 1.5 for 256; for
/// filters of constant size 0.4 to 0.9 times on 32 to 48 points, 1.3 on 100).
const WORTHWHILE_BANDS: BandWorth =
    BandWorth { least: 16, least_of_both: 48, least_of_steep: 192, least_of_constant: 120, mostly_box: false };

/// The same where lanes have no masks: what is under one is put together cell by cell.
const WORTHWHILE_BANDS_UNMASKED: BandWorth =
    BandWorth { least: 48, least_of_both: 64, least_of_steep: 256, least_of_constant: 160, mostly_box: false };

impl Candidate<'_> {
    pub(super) fn blocking(&self, roles: &Roles, tile: Tile) -> Blocking {
        match roles.row {
            Some(row) => self.in_caches(roles, row, tile),
            None => self.alone(roles, tile),
        }
    }

    fn bands(&self) -> BandWorth {
        if self.machine.masks { WORTHWHILE_BANDS } else { WORTHWHILE_BANDS_UNMASKED }
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
        let open = |s: &&usize| self.path.steps[**s].exact.is_none();
        let worthwhile = std::iter::once(&roles.column).chain(roles.depth.last());
        let least = |s: usize| match roles.depth.contains(&s) {
            true if self.path.steps[s].slanted => WORTHWHILE_SLANTED,
            true if tile.steps == 1 => WORTHWHILE_TAPS,
            _ => WORTHWHILE_ALONE,
        };
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
            scattered: false,
            in_place: None,
            worthwhile: worthwhile.filter(open).map(|&s| (at(s), least(s))).collect(),
            bands: Some(self.bands()),
        }
    }

    /// The plan of a kernel with rows, with tiles for caches.
    fn in_caches(&self, roles: &Roles, its_row: usize, tile: Tile) -> Blocking {
        let m = self.machine;
        let order = roles.order();
        let at = |step: usize| order.iter().position(|&s| s == step).unwrap_or(0);
        let columns = tile.vectors * tile.lanes;
        let (row, column) = (at(its_row), at(roles.column));
        // Depth: the innermost loops whole where short, the others cut.
        let part = |bytes: u64, share: f64| {
            #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "sizes of caches")]
            let cells = (bytes as f64 * share) as i64 / self.bytes;
            cells
        };
        let sliver = part(m.l1_bytes, SLIVER) / columns;
        let mut left = (sliver / 8 * 8).clamp(LEAST_DEPTH, MOST_DEPTH);
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
        let down = |most: i64, step: i64| (most / step * step).max(step);
        // No more than there are.
        let at_most = |step: usize, size: i64, register: i64| match self.path.steps[step].exact {
            Some(n) => size.min((n.max(1) + register - 1) / register * register),
            None => size,
        };
        let rows = down((part(m.l2_bytes, BLOCK) / depth_cells).min(MOST_ROWS), tile.rows);
        let rows = at_most(its_row, rows, tile.rows);
        let scratch = (MOST_SCRATCH / self.bytes).min(part(m.l3_bytes, BLOCK));
        let panel = down((scratch / depth_cells).min(MOST_COLUMNS), columns);
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
                packs.push(PackPlan { access: AccessId(access), members, depth });
            }
        }
        let worth_packing = if packs.is_empty() { None } else { self.worth_packing(roles, its_row) };
        let scattered = self.is_any_scattered(roles);
        let in_place = if packs.is_empty() { None } else { self.in_place(roles, its_row, tile) };
        let worth_packing = worth_packing.unwrap_or_default().into_iter().map(|(s, least)| (at(s), least)).collect();
        let open = |s: &&usize| self.path.steps[**s].exact.is_none();
        let all = [its_row, roles.column];
        let least_worthwhile = if tile.lanes < WORTHWHILE { WORTHWHILE + 1 } else { WORTHWHILE };
        let worthwhile = all.iter().chain(&roles.depth).filter(open).map(|&s| (at(s), least_worthwhile)).collect();
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
            scattered,
            in_place,
            worthwhile,
            bands: Some(self.bands()),
        }
    }

    /// Are there vectors of cells that are no neighbours?
    pub(super) fn is_any_scattered(&self, roles: &Roles) -> bool {
        self.reads().any(|a| self.is_scattered(a, roles))
    }

    /// How many iterations the steps need for copies to pay; `None`: one of them has fewer. Of several rows, or loops of the depth, the product counts.
    pub(super) fn worth_packing(&self, roles: &Roles, row: usize) -> Option<Vec<(usize, i64)>> {
        // Vectors of cells that are no neighbours have to be put together: better once.
        let scattered = self.is_any_scattered(roles);
        let least = if scattered { WORTH_GATHERING } else { WORTH_PACKING };
        // Scratch memory is asked for once for all that runs in it.
        let often = scattered && roles.outer.len() + roles.inner.len() + self.first > 0;
        let least_columns = if often { WORTH_GATHERING_SHORT } else { least };
        let least_depth = if scattered { WORTH_GATHERING_SHORT } else { least };
        let rows: Vec<usize> = roles.inner.iter().copied().chain([row]).collect();
        let mut out = Vec::new();
        let groups = [(rows, least), (vec![roles.column], least_columns), (roles.depth.clone(), least_depth)];
        for (group, least) in groups {
            let known: i64 = group.iter().filter_map(|&s| self.path.steps[s].exact).fold(1, i64::saturating_mul);
            let open: Vec<usize> = group.into_iter().filter(|&s| self.path.steps[s].exact.is_none()).collect();
            let left = (least + known - 1) / known.max(1);
            if open.is_empty() && left > 1 {
                return None;
            }
            let root = (1..=left).find(|r| (0..open.len()).fold(1_i64, |p, _| p.saturating_mul(*r)) >= left);
            out.extend(open.into_iter().map(|s| (s, root.unwrap_or(left))));
        }
        Some(out)
    }
}
