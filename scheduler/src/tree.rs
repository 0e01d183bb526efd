//! The schedule tree: what code generation turns into loops.

use crate::scop::StatementId;
use polyhedra::Affine;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Iterations of a loop that run at once as vectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lanes {
    /// Lanes of a vector.
    pub width: u32,
    /// So many vectors side by side: what one waits for, another one uses.
    pub vectors: u32,
}

impl Lanes {
    /// One vector.
    #[must_use]
    pub const fn of(width: u32) -> Self {
        Self { width, vectors: 1 }
    }

    /// Iterations.
    #[must_use]
    pub const fn all(self) -> u32 {
        self.width.saturating_mul(self.vectors)
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { width, vectors: 1 } => write!(f, "lanes {width}"),
            Self { width, vectors } => write!(f, "lanes {width} vectors {vectors}"),
        }
    }
}

/// `{ Stmt[i] -> Time[t] }`, a row for each of some statements. Copies share their rows until one changes: a search makes thousands of trees of the same loops.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Rows(Rc<BTreeMap<StatementId, Affine>>);

impl Rows {
    /// Tells rows apart that do not share: another number, other rows, or equal ones that were made by themselves. Only while the rows are there.
    #[must_use]
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }
}

impl Deref for Rows {
    type Target = BTreeMap<StatementId, Affine>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Rc::make_mut(&mut self.0)
    }
}

impl From<BTreeMap<StatementId, Affine>> for Rows {
    fn from(rows: BTreeMap<StatementId, Affine>) -> Self {
        Self(Rc::new(rows))
    }
}

impl FromIterator<(StatementId, Affine)> for Rows {
    fn from_iter<I: IntoIterator<Item = (StatementId, Affine)>>(rows: I) -> Self {
        BTreeMap::from_iter(rows).into()
    }
}

impl<'a> IntoIterator for &'a Rows {
    type Item = (&'a StatementId, &'a Affine);
    type IntoIter = std::collections::btree_map::Iter<'a, StatementId, Affine>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// One loop of a band.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// One row for every statement below the band, in the statement's space. A statement that has no freedom left here has a row that does not involve its
    /// iterators' remaining directions (often a constant).
    pub rows: Rows,
    /// No dependence is carried here, given equal outer loops: iterations may run in any order or at once.
    pub parallel: bool,
    /// Tile size, if this loop is tiled. Only in a permutable band.
    pub tile: Option<i64>,
    /// So many iterations run at once, as lanes of vectors, each statement inside for all of them before the next one. Only where `parallel`.
    pub lanes: Option<Lanes>,
    /// So many iterations run abreast: all of them at one iteration of the member before, then all at its next. Strips of so many are a loop outside of that
    /// member. Only where `parallel`, in a permutable band, behind another member.
    pub abreast: Option<u32>,
}

impl Member {
    /// A loop without tiles, lanes or strips.
    #[must_use]
    pub fn new(rows: Rows, parallel: bool) -> Self {
        Self { rows, parallel, tile: None, lanes: None, abreast: None }
    }
}

/// A node. The statements below the children of a sequence are disjoint.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Children run one after the other.
    Sequence(Vec<Node>),
    /// Loops, outermost first. `permutable`: every dependence that is not satisfied outside has a non-negative distance on every member, so that members may
    /// be interchanged and tiled.
    Band {
        /// The loops.
        members: Vec<Member>,
        /// May they be interchanged and tiled?
        permutable: bool,
        /// What runs inside.
        child: Box<Node>,
    },
    /// One instance of a statement.
    Leaf(StatementId),
}

impl Node {
    /// What runs one after the other, outside of all loops.
    #[must_use]
    pub fn outermost(&self) -> &[Self] {
        match self {
            Self::Sequence(children) => children,
            other => std::slice::from_ref(other),
        }
    }

    /// The statements below, in order of appearance.
    #[must_use]
    pub fn statements(&self) -> Vec<StatementId> {
        match self {
            Self::Leaf(s) => vec![*s],
            Self::Sequence(children) => children.iter().flat_map(Self::statements).collect(),
            Self::Band { child, .. } => child.statements(),
        }
    }

    /// The statements inside of a member with lanes, each with their number.
    #[must_use]
    pub fn in_lanes(&self) -> Vec<(StatementId, Lanes)> {
        self.marked(|m| m.lanes)
    }

    /// The iterator of a statement that a member with lanes walks. `None`: there is no such member, or it walks several at once.
    #[must_use]
    pub fn iterator_in_lanes(&self, s: StatementId) -> Option<usize> {
        match self {
            Self::Leaf(_) => None,
            Self::Sequence(children) => children.iter().find_map(|child| child.iterator_in_lanes(s)),
            Self::Band { members, child, .. } => {
                let row = members.iter().filter(|m| m.lanes.is_some()).find_map(|m| m.rows.get(&s));
                let Some(row) = row else { return child.iterator_in_lanes(s) };
                let mut moving = row.dim_coeffs().iter().enumerate().filter(|(_, c)| **c != 0);
                moving.next().map(|(d, _)| d).filter(|_| moving.next().is_none())
            }
        }
    }

    /// The statements inside of a member with lanes that has no band inside, each with how many members of its own band are.
    #[must_use]
    pub fn in_lanes_of_one_band(&self) -> Vec<(StatementId, usize)> {
        match self {
            Self::Leaf(_) => Vec::new(),
            Self::Sequence(children) => children.iter().flat_map(Self::in_lanes_of_one_band).collect(),
            Self::Band { members, child, .. } => {
                let leaves = child.outermost().iter().all(|node| matches!(node, Self::Leaf(_)));
                match members.iter().rposition(|m| m.lanes.is_some()) {
                    Some(k) if leaves => child.statements().into_iter().map(|s| (s, members.len() - 1 - k)).collect(),
                    _ => child.in_lanes_of_one_band(),
                }
            }
        }
    }

    /// The statements inside of a member that runs abreast, each with the number of its iterations.
    #[must_use]
    pub fn in_strips_abreast(&self) -> Vec<(StatementId, u32)> {
        self.marked(|m| m.abreast)
    }

    /// Those of them whose rows have lanes along them, each with the lanes: rows that share what they read.
    #[must_use]
    pub fn in_strips_of_lanes(&self) -> Vec<(StatementId, Lanes)> {
        match self {
            Self::Leaf(_) => Vec::new(),
            Self::Sequence(children) => children.iter().flat_map(Self::in_strips_of_lanes).collect(),
            Self::Band { members, child, .. } => {
                let along = members.windows(2).find_map(|m| m[0].lanes.filter(|_| m[1].abreast.is_some()));
                match along {
                    Some(lanes) => child.statements().into_iter().map(|s| (s, lanes)).collect(),
                    None => child.in_strips_of_lanes(),
                }
            }
        }
    }

    /// The statements inside of members that have tiles, each with the iterator that one of these walks.
    #[must_use]
    pub fn in_tiles(&self) -> Vec<(StatementId, usize)> {
        match self {
            Self::Leaf(_) => Vec::new(),
            Self::Sequence(children) => children.iter().flat_map(Self::in_tiles).collect(),
            Self::Band { members, child, .. } => {
                let rows = members.iter().filter(|m| m.tile.is_some()).flat_map(|m| &m.rows);
                let walked = |(s, row): (&StatementId, &Affine)| {
                    let mut moving = (0..row.dim_coeffs().len()).filter(|&d| row.dim_coeff(d) != 0);
                    moving.next().map(|d| (*s, d)).filter(|_| moving.next().is_none())
                };
                rows.filter_map(walked).chain(child.in_tiles()).collect()
            }
        }
    }

    fn marked<T: Copy>(&self, number: fn(&Member) -> Option<T>) -> Vec<(StatementId, T)> {
        match self {
            Self::Leaf(_) => Vec::new(),
            Self::Sequence(children) => children.iter().flat_map(|c| c.marked(number)).collect(),
            Self::Band { members, child, .. } => match members.iter().find_map(number) {
                Some(n) => child.statements().into_iter().map(|s| (s, n)).collect(),
                None => child.marked(number),
            },
        }
    }

    /// The tree as rows: for each statement its time vector `{ Stmt[i] -> Time[t] }`, tiles left out (they are justified by the band). Constant rows stand for
    /// places in sequences. All vectors are padded with zeros to one length.
    #[must_use]
    pub fn flatten(&self, spaces: &BTreeMap<StatementId, polyhedra::Space>) -> BTreeMap<StatementId, Vec<Affine>> {
        fn walk(
            node: &Node,
            spaces: &BTreeMap<StatementId, polyhedra::Space>,
            out: &mut BTreeMap<StatementId, Vec<Affine>>,
        ) {
            match node {
                Node::Leaf(_) => {}
                Node::Sequence(children) => {
                    for (k, child) in children.iter().enumerate() {
                        let place = i64::try_from(k).unwrap_or(i64::MAX);
                        for s in child.statements() {
                            out.entry(s).or_default().push(Affine::constant(spaces[&s], place));
                        }
                        walk(child, spaces, out);
                    }
                }
                Node::Band { members, child, .. } => {
                    for member in members {
                        for (s, row) in &member.rows {
                            out.entry(*s).or_default().push(row.clone());
                        }
                    }
                    walk(child, spaces, out);
                }
            }
        }
        let mut out: BTreeMap<StatementId, Vec<Affine>> =
            self.statements().into_iter().map(|s| (s, Vec::new())).collect();
        walk(self, spaces, &mut out);
        let longest = out.values().map(Vec::len).max().unwrap_or(0);
        for (s, rows) in &mut out {
            rows.resize(longest, Affine::zero(spaces[s]));
        }
        out
    }
}
