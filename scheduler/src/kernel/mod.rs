//! How a nest is blocked for registers and caches: the plan that code generation follows.
//!
//! **Problem.** A permutable band over one statement, such as a matrix product, reaches the speed of the machine only if its innermost part is a
//! *micro-kernel*: a tile of the stored array in vector registers over the whole reduction, fed from caches by further levels of tiles, with operands copied
//! ("packed") so that they are read in order.
//!
//! **Notation.** Members of the band in their order: first `outer` members that are plain loops outside everything, then *depth* members (the reduction), then
//! *row* members, last the *column* member, whose iterations become vector lanes. Rows and columns are *jammed*: the micro-kernel runs
//! `for depth { for row { for column { statement } } }` with the two inner loops unrolled and vectorised.
//!
//! There may be no row: a sum `y[i] += A[i][j] x[j]` has `i` for its column and `j` for its depth. Then some *steps* of the innermost depth member are unrolled too: as many as
//! there are lanes make the cells `A[i][j]` a square block, which is loaded by rows and transposed in registers.
//!
//! **Strips.** Nests that read the same cells one after the other, as the two sums of `y = A^T (A x)` do, are best run strip by strip: all nests for the first so many rows of `A`, then
//! all for the next. A [`Strip`] gives each instance of the nests a row number. So are sweeps that a loop repeats: the row number of a stencil's instance moves with time (`i + t`), and a
//! strip runs through all times before the next begins.
//!
//! **Why it is legal.** In a permutable band tile loops of any sizes may stand in any order outside the points, and points in any order of members. In another band, of several loops of a sum, only members
//! without dependences that lead back along them have tiles, and points keep the band's order. The
//! columns become lanes only if their member is parallel in the proved order, inside all others; in corners a member does only if it is parallel outside of all others. Strips keep the order of the nests within them; so they are legal if that order is and
//! no dependence leads to a smaller row number.
//!
//! Papers: Goto, van de Geijn, *Anatomy of high-performance matrix multiplication* (TOMS 2008); Low et al., *Analytical modeling is enough for
//! high-performance BLIS* (TOMS 2016).

mod proof;

pub use proof::{ProvedKernels, prove};

use crate::scop::{AccessId, StatementId};
use crate::tree::{Member, Node, Rows};
use std::collections::BTreeMap;
use std::fmt;

/// A tile loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileLoop {
    /// Index of the member in the band.
    pub member: usize,
    /// Points of the member in one tile.
    pub size: i64,
}

/// Cells of an access copied to scratch memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackPlan {
    /// A read of an array that the nest does not write.
    pub access: AccessId,
    /// Members on which its subscripts depend, in the order of the band.
    pub members: Vec<usize>,
    /// The copy is made inside so many tile loops. Each of `members` has one of them.
    pub depth: usize,
    /// Places for the points of the last member, one of rows, in an innermost tile, where there are more of them than points.
    pub places: Option<i64>,
    /// Its cells lie in rows that are apart, of which each tile of columns takes a few neighbours: what the next tile takes is asked for ahead.
    pub fetches: bool,
}

/// Cells of the columns' operand that stay where they are, in rows that are apart, of which each tile takes a few neighbours: those of the next tile of columns are asked for ahead, a part of them by each tile of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FetchPlan {
    /// A read that moves with columns from cell to neighbour, with one member of the depth, and not with rows.
    pub access: AccessId,
    /// That member.
    pub member: usize,
    /// So many of its values belong to each tile of rows.
    pub share: i64,
    /// It pays only when members have so many values.
    pub worth: Vec<Enough>,
}

/// Cells of an operand that are read from scratch memory, too, if the program asks for that when it knows sizes: where rows of the array have their cells in the same places of the caches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirrorPlan {
    /// A read of two subscripts, each of which moves with one member by one.
    pub access: AccessId,
    /// These members: a jammed one, and one of the depth, along which neighbours are neighbours.
    pub members: [usize; 2],
    /// It is made inside so many tile loops.
    pub depth: usize,
    /// Which of these loops, over a jammed member, orders cells that the nest stores: those of a tile's depth are done at its end. The mirror has those of the tiles before.
    pub order: usize,
    /// Cells from one value of the first member to the next.
    pub row: i64,
    /// Cells that are copied together.
    pub line: i64,
}

/// How a corner runs: the rest of a tile, where other statements run besides the micro-kernel's, such as the triangle on the diagonal of a solve. As lanes of vectors, so many
/// values of one member at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Corner {
    /// A jammed member. It must be parallel as the first of the band.
    pub member: usize,
    /// Only in tiles all of whose values of `member` are greater than all of this jammed one's, and there it must be parallel: off the diagonal of a factorisation, whose rows wait for that only.
    pub beyond: Option<usize>,
    /// At least 2.
    pub lanes: u32,
    /// So many tiles of `member` have their kernels one after the other and then one corner, whose vectors need not wait for each other. 1: each has its own.
    pub tiles: i64,
    /// So many values of the members that decide whether the kernel is worth while are enough with it.
    pub worthwhile: i64,
}

/// The tile of a micro-kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Registers {
    /// How often the last of the row members is unrolled.
    pub rows: i64,
    /// A multiple of the lanes.
    pub columns: i64,
}

/// Where kernels are worth while of which the depth begins and ends with the row or column: in a band. Most of what runs in a narrow one does under masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BandWorth {
    /// Cells in the band, at least.
    pub least: i64,
    /// The same where depth members move with rows and with columns.
    pub least_of_both: i64,
    /// The same where a step of the depth moves the band by several cells: what lanes run in some step is not known then, and cells stay in memory where lanes come and go.
    pub least_of_steep: i64,
    /// The same where the depth is of constant length and the domain mostly a box: the source has such loops unrolled and their operands in registers, or outside of all others.
    pub least_of_constant: i64,
    /// Columns, where their loop is a window that moves with rows: tiles are cut off on both sides.
    pub least_of_window: i64,
    /// Only at the ends of rows or columns does the band bound the depth, which is a box otherwise: it must be as wide as the depth is long, and twice its width be at least so much more than that.
    pub mostly_box: bool,
}

/// How one nest is blocked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocking {
    /// Number of members that are looped over outside of all tiles.
    pub outer: usize,
    /// Tile loops, outermost first. The sizes of one member decrease, each a multiple of the next. The last size of a jammed member is its count.
    pub tiles: Vec<TileLoop>,
    /// Number of row members, in front of the column member; each with how often it is unrolled (1: one value at a time, inside of copies).
    pub rows: Vec<i64>,
    /// Columns in the tile: a multiple of `lanes`.
    pub columns: i64,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Of the columns in a tile the last comes first, because that is how their cells lie. They are parallel.
    pub reversed: bool,
    /// What is done with corners: the first of these that may run there.
    pub corners: Vec<Corner>,
    /// Iterations of the innermost depth member that are unrolled together; 1: none.
    pub steps: i64,
    /// Operands copied to scratch memory.
    pub packs: Vec<PackPlan>,
    /// They are copied only when members have so many values.
    pub worth_packing: Vec<Enough>,
    /// Operands that stay where they are, or are read from mirrors.
    pub mirrors: Vec<MirrorPlan>,
    /// Mirrors pay only when members have so many values.
    pub worth_mirrors: Vec<Enough>,
    /// What is asked for ahead of operands that are not copied.
    pub fetch: Option<FetchPlan>,
    /// Where they are not copied vectors have to be put together cell by cell.
    pub scattered: bool,
    /// The register tile where they are not copied.
    pub in_place: Option<Registers>,
    /// Each operation takes what is the same for all lanes from memory by itself.
    pub embeds: bool,
    /// It takes all vector registers, or all but one: nothing else may stay in one while it runs.
    pub fills: bool,
    /// Where members have fewer values the source is as fast.
    pub worthwhile: Vec<Enough>,
    /// Where a cell's terms begin and end with its row or column, in a band, the kernel must be worth while, too; `None`: it is wherever.
    pub bands: Option<BandWorth>,
}

/// Members have enough values together: so many, each counted so many times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enough {
    /// Members, and what one value of them counts.
    pub terms: Vec<(usize, i64)>,
    /// The least sum.
    pub least: i64,
}

impl Enough {
    /// A member has so many values.
    #[must_use]
    pub fn of(member: usize, least: i64) -> Self {
        Self { terms: vec![(member, 1)], least }
    }
}

/// What sums that are held are taken for: at least so many terms.
const FEW_TERMS: i64 = 3;

impl Blocking {
    /// The size of the innermost tile of a member.
    #[must_use]
    pub fn register_size(&self, member: usize) -> Option<i64> {
        self.tiles.iter().rev().find(|t| t.member == member).map(|t| t.size)
    }

    /// The plan of the same kernel with its operands where they are.
    #[must_use]
    pub fn in_place(&self) -> Self {
        let mut plan = Self { packs: Vec::new(), in_place: None, ..self.clone() };
        let column = self.tiles.iter().map(|t| t.member).max();
        if let (Some(Registers { rows, columns }), Some(column)) = (self.in_place, column) {
            plan.columns = columns;
            plan.resize(column, columns);
            if let (Some(last), Some(row)) = (plan.rows.last_mut(), column.checked_sub(1)) {
                *last = rows;
                plan.resize(row, rows);
            }
        }
        plan
    }

    /// The plan for a band with so many sums in front of its members. They and its own depth, which is so many members behind the outer ones, run whole, inside of all tiles.
    #[must_use]
    pub fn within_sums(mut self, sums: usize, depth: usize) -> Self {
        let summed = self.outer..self.outer + depth;
        self.tiles.retain(|t| !summed.contains(&t.member));
        self.tiles.iter_mut().for_each(|t| t.member += sums);
        for enough in &mut self.worthwhile {
            let (gone, mut left): (Vec<_>, Vec<_>) =
                enough.terms.iter().partition(|(member, _)| summed.contains(member));
            enough.least -= gone.iter().map(|(_, weight)| weight * FEW_TERMS).sum::<i64>();
            left.iter_mut().for_each(|(member, _)| *member += sums);
            enough.terms = left;
        }
        self.worthwhile.retain(|enough| !enough.terms.is_empty() && enough.least > 0);
        // Its own depth is not cut.
        self.fetch = None;
        self
    }

    /// Another size for the innermost tile of a member; those around it get multiples.
    fn resize(&mut self, member: usize, size: i64) {
        let mut tiles = Vec::new();
        let mut inside = 0;
        for tile in self.tiles.iter().rev() {
            if tile.member != member {
                tiles.push(*tile);
                continue;
            }
            let size = if inside == 0 { size } else { tile.size / inside * inside };
            if size > inside {
                tiles.push(TileLoop { member, size });
                inside = size;
            }
        }
        tiles.reverse();
        self.tiles = tiles;
    }

    /// How many values members need at least, where fewer are done as fast by the source.
    pub fn least_values(&self) -> impl Iterator<Item = Enough> + '_ {
        let most = self.corners.iter().map(|c| c.worthwhile).min().unwrap_or(i64::MAX);
        self.worthwhile.iter().map(move |enough| match enough.terms[..] {
            [(_, 1)] => Enough { least: enough.least.min(most), ..enough.clone() },
            _ => enough.clone(),
        })
    }

    /// Is the plan well formed for a band of so many members?
    #[must_use]
    pub fn fits(&self, members: usize) -> bool {
        let jammed = self.rows.len() + 1;
        if self.outer + jammed > members || self.lanes < 2 || self.columns < 1 {
            return false;
        }
        // Steps are digits of no copy's places.
        let depth = members - jammed - self.outer;
        if self.steps < 1 || (self.steps > 1 && (depth == 0 || !self.packs.is_empty())) {
            return false;
        }
        let chain = |m: usize| self.tiles.iter().filter(move |t| t.member == m).map(|t| t.size);
        let decreasing = (0..members).all(|m| {
            let sizes: Vec<i64> = chain(m).collect();
            sizes.iter().all(|s| *s >= 1) && sizes.windows(2).all(|w| w[0] > w[1] && w[0] % w[1] == 0)
        });
        let first_row = members - jammed;
        let counts = self.rows.iter().copied().chain([self.columns]);
        let registers = counts.enumerate().all(|(k, n)| self.register_size(first_row + k) == Some(n));
        let tiled = self.tiles.iter().all(|t| (self.outer..members).contains(&t.member));
        let packs = self.packs.iter().all(|p| {
            let entered = &self.tiles[..p.depth.min(self.tiles.len())];
            let row = p.members.last().filter(|m| (first_row..members - 1).contains(m));
            let points = row.and_then(|&m| self.register_size(m));
            p.depth <= self.tiles.len()
                && p.places.is_none_or(|places| points.is_some_and(|points| points <= places))
                && p.members.is_sorted()
                && p.members.iter().all(|m| entered.iter().any(|t| t.member == *m))
        });
        let fetch = self.fetch.as_ref().is_none_or(|f| {
            let tiled = |m: usize| self.tiles.iter().any(|t| t.member == m);
            (self.outer..first_row).contains(&f.member) && tiled(f.member) && f.share >= 1 && !self.rows.is_empty()
        });
        let is_jammed = |m: usize| (first_row..members).contains(&m);
        let mirrors = self.mirrors.iter().all(|mirror| {
            if mirror.depth > self.tiles.len() {
                return false;
            }
            let [first, second] = mirror.members;
            let entered = |m: usize| self.tiles[..mirror.depth].iter().rev().find(|t| t.member == m).map(|t| t.size);
            let is_depth = |m: usize| (self.outer..first_row).contains(&m);
            let whole = |size: Option<i64>| size.is_some_and(|size| size % mirror.line == 0 && size <= mirror.row);
            !self.reversed
                && is_depth(second)
                && (first_row..members).contains(&first)
                && self.tiles[..mirror.depth]
                    .get(mirror.order)
                    .is_some_and(|t| (first_row..members).contains(&t.member))
                && mirror.line >= 1
                && mirror.line % i64::from(self.lanes) == 0
                && entered(first).is_some()
                && whole(entered(second))
        });
        let corners = self.corners.iter().all(|c| {
            is_jammed(c.member)
                && c.beyond.is_none_or(|other| is_jammed(other) && other != c.member)
                && c.lanes >= 2
                && c.tiles >= 1
                && self.register_size(c.member).is_some_and(|size| size.checked_mul(c.tiles).is_some())
        });
        decreasing
            && registers
            && tiled
            && packs
            && fetch
            && mirrors
            && corners
            && self.columns % i64::from(self.lanes) == 0
    }
}

impl fmt::Display for Blocking {
    /// `tiles c 3072, a 192, b 480, c 24, b 8; 8 rows, 24 columns by 8; pack 3 [a c] inside 2`, members by letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |m: usize| char::from(b'a' + u8::try_from(m.min(25)).unwrap_or(25));
        let tiles: Vec<String> = self.tiles.iter().map(|t| format!("{} {}", name(t.member), t.size)).collect();
        let rows: Vec<String> = self.rows.iter().map(i64::to_string).collect();
        write!(f, "tiles {}; ", tiles.join(", "))?;
        if !rows.is_empty() {
            write!(f, "{} rows, ", rows.join("x"))?;
        }
        write!(f, "{} columns by {}", self.columns, self.lanes)?;
        if self.reversed {
            write!(f, ", reversed")?;
        }
        if self.steps > 1 {
            write!(f, ", {} steps", self.steps)?;
        }
        for corner in &self.corners {
            write!(f, ", corners {} by {}", name(corner.member), corner.lanes)?;
            if corner.tiles > 1 {
                write!(f, " of {} tiles", corner.tiles)?;
            }
            if let Some(other) = corner.beyond {
                write!(f, " beyond {}", name(other))?;
            }
        }
        for p in &self.packs {
            let members: Vec<String> = p.members.iter().map(|m| name(*m).to_string()).collect();
            write!(f, "; pack {} [{}] inside {}", p.access.0, members.join(" "), p.depth)?;
            if let Some(places) = p.places {
                write!(f, ", {places} places")?;
            }
        }
        for mirror in &self.mirrors {
            let [first, second] = mirror.members.map(name);
            write!(f, "; mirror {} [{first} {second}] inside {}", mirror.access.0, mirror.depth)?;
        }
        if let Some(FetchPlan { access, member, share, .. }) = &self.fetch {
            write!(f, "; fetch {} by {share} {}", access.0, name(*member))?;
        }
        if let Some(Registers { rows, columns }) = self.in_place {
            write!(f, "; in place {rows} rows, {columns} columns")?;
        }
        if self.embeds {
            write!(f, "; numbers for all lanes with each operation")?;
        }
        if self.fills {
            write!(f, "; all registers")?;
        }
        Ok(())
    }
}

/// Neighbours in the outermost sequence of a tree, or all of it, that run strip by strip; strip by strip of several row numbers: brick by brick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strip {
    /// The loops over strips, outermost first. At least one; all with the same statements.
    pub cuts: Vec<Cut>,
    /// Where the loops that go from cell to cell are shorter in the mean, the source is as fast.
    pub worthwhile: Option<i64>,
}

/// A loop over strips.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// For each statement of the nests the row number of an instance: `{ Stmt[i] -> Row[r] }`.
    pub rows: Rows,
    /// Rows in a strip, at least 1.
    pub size: i64,
}

impl Strip {
    /// Its statements.
    pub fn statements(&self) -> impl Iterator<Item = StatementId> + '_ {
        self.cuts.first().into_iter().flat_map(|cut| cut.rows.keys().copied())
    }

    /// Does all of this node run in it?
    #[must_use]
    pub fn has(&self, node: &Node) -> bool {
        node.statements().iter().all(|s| self.cuts.iter().all(|cut| cut.rows.contains_key(s)))
    }

    /// The sizes in words: `8x16`.
    #[must_use]
    pub fn sizes(&self) -> String {
        let sizes: Vec<String> = self.cuts.iter().map(|cut| cut.size.to_string()).collect();
        sizes.join("x")
    }
}

impl Cut {
    /// The tree with a loop over the row number around what runs in the strips. `None`: these are no neighbours in the outermost sequence.
    #[must_use]
    pub fn around(&self, tree: &Node) -> Option<Node> {
        let inside = |c: &Node| c.statements().iter().all(|s| self.rows.contains_key(s));
        let children = tree.outermost();
        let first = children.iter().position(inside)?;
        let end = first + children[first..].iter().take_while(|c| inside(c)).count();
        let many: usize = children[first..end].iter().map(|c| c.statements().len()).sum();
        if many != self.rows.len() || self.size < 1 {
            return None;
        }
        let member = Member::new(self.rows.clone(), false);
        let child = match &children[first..end] {
            [only] => only.clone(),
            several => Node::Sequence(several.to_vec()),
        };
        let looped = Node::Band { members: vec![member], permutable: false, child: Box::new(child) };
        let mut all: Vec<Node> = children[..first].iter().cloned().chain([looped]).collect();
        all.extend(children[end..].iter().cloned());
        if all.len() == 1 { all.pop() } else { Some(Node::Sequence(all)) }
    }
}

/// How many rows run together where there are fewer than in a tile of so many vectors, the most first; then one by one. Pairs of three vectors are enough for a processor to be busy.
pub fn fewer_rows(rows: i64, vectors: i64) -> impl Iterator<Item = i64> {
    let most = if vectors > 2 { 2 } else { 4 };
    [4, 2].into_iter().filter(move |few| *few <= most && *few < rows && rows % few == 0)
}

/// How many vectors of columns run together at the end of the domain, at most, where a tile has so many; there is a kernel for each number up to that. Of four or more it is two, as
/// kernels take room.
#[must_use]
pub fn vectors_at_end(vectors: i64) -> i64 {
    match vectors {
        ..=3 => vectors,
        _ if vectors % 2 == 0 => 2,
        _ => 1,
    }
}

/// Plans of nests, each by the statement of the nest.
pub type Kernels = BTreeMap<StatementId, Blocking>;
