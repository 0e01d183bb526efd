//! The problem that a sweep of nests poses, as regions and tasks: what joins the two searches.
//!
//! **Regions.** Cells fall into regions by array, by which of their swept subscripts are behind the boundary (`TL`, `BL`, ..), and by the footprint of the
//! class that writes them: which orders of the subscripts occur (`_L` row > column, `_D` equal, `_U` row < column). The footprint matters: where L and U share
//! an array, whoever writes only L must not wait for U.
//!
//! **Tasks.** The classes of each nest; classes of one region that need each other are one task. Among the tasks of a region, the longest chain of needs
//! before a task is its stage, the last one is `out`. A task reads a region in the latest stage that a source of its nest has left, else as the nest found it;
//! overwriting counts as reading. A need that all this does not express - what has run stays so, for one - becomes an input of its own.
//!
//! Regions are coarser than cells, so the search on the derived problem can miss traversals; what it finds is legal.

use super::classes::{Arrow, Cause, Class, directed};
use super::engine::{Planner, Survey};
use super::ideals::Ideal;
use super::problem::{Loop, Problem, RegionId, Stage, State, Task, TaskKind};
use super::search::Split;
use super::sweep::Direction;
use super::{Solution, answer};
use crate::Result;
use crate::dependence::DependenceKind;
use crate::scop::Scop;
use polyhedra::{Affine, Budget, Constraint, Polyhedron};
use std::collections::{BTreeMap, BTreeSet};

/// A problem, and the classes that its tasks stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// The problem: a loop a nest.
    pub problem: Problem,
    /// By loop and task.
    pub classes: Vec<Vec<Vec<Class>>>,
}

impl Derived {
    /// The traversal of an ideal in the words of the problem, with its strips.
    ///
    /// # Errors
    /// Malformed problem, budget.
    pub fn solution(&self, ideal: &Ideal, budget: &Budget) -> Result<Solution> {
        let past = |classes: &Vec<Class>| classes.first().is_some_and(|c| ideal.contains(c));
        let split: Split = self.classes.iter().map(|tasks| tasks.iter().map(past).collect()).collect();
        answer::solution(&self.problem, &answer::entailment(&self.problem)?, &split, budget)
    }
}

/// Derives the problem of a sweep.
///
/// # Errors
/// Overflow, budget.
pub fn derive(scop: &Scop, planner: &Planner<'_>, survey: &Survey, budget: &Budget) -> Result<Derived> {
    let arrows: Vec<Arrow> =
        planner.all_arrows(survey)?.iter().map(|a| directed(a, &survey.classes.frames, survey.direction)).collect();
    let mut maker = Maker { scop, survey, budget, problem: Problem::default(), region: BTreeMap::new() };
    let nests = planner.nests().get(survey.nests.clone()).unwrap_or_default();
    let mut all: Vec<Vec<Class>> = Vec::new();
    for nest in nests {
        let mut classes = Vec::new();
        for &s in nest {
            let full = survey.classes.frames[&s].full();
            let turned = |m: &u32| if survey.direction == Direction::Forward { *m } else { full & !m };
            classes.extend(survey.classes.frames[&s].masks.iter().map(|m| Class { statement: s, mask: turned(m) }));
        }
        for &c in &classes {
            maker.place(c)?;
        }
        all.push(classes);
    }
    let nest_of: BTreeMap<Class, usize> =
        all.iter().enumerate().flat_map(|(n, list)| list.iter().map(move |&c| (c, n))).collect();
    let mut states: BTreeMap<Class, State> = BTreeMap::new();
    let mut tasks = Vec::new();
    for (n, list) in all.iter().enumerate() {
        let own: Vec<&Arrow> =
            arrows.iter().filter(|a| nest_of.get(&a.from) == Some(&n) && nest_of.get(&a.to) == Some(&n)).collect();
        tasks.push(stages(list, &own, &maker.region, &mut states));
    }
    for (n, list) in tasks.iter().enumerate() {
        let mut made = Vec::new();
        for classes in list {
            made.push(task(planner, survey, &arrows, (n, &nest_of), classes, &states));
        }
        maker.problem.loops.push(Loop { name: format!("nest{}", survey.nests.start + n), tasks: made });
    }
    let mut out = Derived { problem: maker.problem, classes: tasks };
    let is_full = |c: Class| c.mask == survey.classes.frames[&c.statement].full();
    let moves = survey.classes.arrows.iter().filter(|a| a.cause == Cause::Move);
    let moves = moves.map(|a| directed(a, &survey.classes.frames, survey.direction));
    express(&mut out, &arrows.iter().copied().chain(moves).collect::<Vec<_>>(), &nest_of, &states, &is_full);
    out.problem.check()?;
    Ok(out)
}

struct Maker<'a> {
    scop: &'a Scop,
    survey: &'a Survey,
    budget: &'a Budget,
    problem: Problem,
    region: BTreeMap<Class, RegionId>,
}

impl Maker<'_> {
    /// Finds the region of what a class writes.
    fn place(&mut self, class: Class) -> Result<()> {
        let statement = &self.scop.statements[class.statement.0];
        let (frame, write) = (&self.survey.classes.frames[&class.statement], statement.write());
        let mut swept: Vec<(&Affine, bool)> = Vec::new();
        let mut columns = false;
        for (d, subscript) in write.subscripts.iter().enumerate() {
            if self.survey.sweep.0.contains(&(write.array, d))
                && let Some(k) = frame.number(subscript)
            {
                swept.push((subscript, class.mask >> k & 1 == 1));
                columns = d > 0;
            }
        }
        // Behind is top and left when the boundary moves towards larger subscripts.
        let first = |behind: bool| behind == (self.survey.direction == Direction::Forward);
        let mut name = self.scop.arrays[write.array.0].name.replace(|c: char| !c.is_alphanumeric() && c != '_', "_");
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        name.push('_');
        match swept.as_slice() {
            [(_, a)] if columns => name.push(if first(*a) { 'L' } else { 'R' }),
            [(_, a)] => name.push(if first(*a) { 'T' } else { 'B' }),
            [(_, a), (_, b)] => {
                name.push(if first(*a) { 'T' } else { 'B' });
                name.push(if first(*b) { 'L' } else { 'R' });
            }
            list => name.extend(list.iter().map(|(_, b)| if first(*b) { '0' } else { '1' })),
        }
        let set = frame.instances(&statement.domain, class.mask, self.survey.direction)?;
        for (k, (a, side)) in swept.iter().enumerate() {
            for (b, other) in &swept[k + 1..] {
                if side == other {
                    name.push_str(self.footprint(&set, a, b)?);
                }
            }
        }
        let known = self.problem.regions.iter().position(|r| *r == name);
        let id = known.unwrap_or_else(|| {
            self.problem.regions.push(name);
            self.problem.regions.len() - 1
        });
        self.region.insert(class, RegionId(id));
        Ok(())
    }

    /// Which orders of two subscripts occur.
    fn footprint(&self, set: &Polyhedron, a: &Affine, b: &Affine) -> Result<&'static str> {
        let some = |row: Constraint| Ok::<_, crate::Error>(!set.clone().with(row).is_empty(self.budget)?);
        let above = some(Constraint::ge(b.sub(a)?.offset(-1)?))?;
        let equal = some(Constraint::eq(b.sub(a)?))?;
        let below = some(Constraint::ge(a.sub(b)?.offset(-1)?))?;
        Ok(match (below, equal, above) {
            (true, true, true) | (false, false, false) => "",
            (true, true, false) => "_LD",
            (true, false, true) => "_LU",
            (true, false, false) => "_L",
            (false, true, true) => "_DU",
            (false, true, false) => "_D",
            (false, false, true) => "_U",
        })
    }
}

/// The tasks of a nest, and the state that each class writes.
fn stages(
    classes: &[Class],
    arrows: &[&Arrow],
    region: &BTreeMap<Class, RegionId>,
    states: &mut BTreeMap<Class, State>,
) -> Vec<Vec<Class>> {
    // needs[c]: all that c leads to.
    let mut needs: BTreeMap<Class, BTreeSet<Class>> = classes.iter().map(|&c| (c, BTreeSet::from([c]))).collect();
    for a in arrows {
        needs.entry(a.from).or_default().insert(a.to);
    }
    for k in classes {
        let through = needs[k].clone();
        for set in needs.values_mut().filter(|set| set.contains(k)) {
            set.extend(&through);
        }
    }
    let leads = |a: &Class, b: &Class| needs[a].contains(b);
    let mut tasks: Vec<Vec<Class>> = Vec::new();
    for &c in classes {
        let joins = |t: &&mut Vec<Class>| region[&t[0]] == region[&c] && leads(&c, &t[0]) && leads(&t[0], &c);
        match tasks.iter_mut().find(joins) {
            Some(task) => task.push(c),
            None => tasks.push(vec![c]),
        }
    }
    // A chain of needs within the region, below each task; tasks are few.
    let depth = |own: &Vec<Class>| {
        let peers: Vec<&Vec<Class>> = tasks.iter().filter(|t| region[&t[0]] == region[&own[0]]).collect();
        let mut levels: Vec<u32> = vec![0; peers.len()];
        for _ in 0..peers.len() {
            for a in 0..peers.len() {
                for b in 0..peers.len() {
                    if a != b && leads(&peers[a][0], &peers[b][0]) {
                        levels[a] = levels[a].max(levels[b].saturating_add(1));
                    }
                }
            }
        }
        let place = peers.iter().position(|t| *t == own).unwrap_or(0);
        let most = levels.iter().copied().max().unwrap_or(0);
        let alike = || (0..peers.len()).filter(|&k| levels[k] == levels[place]);
        match alike().count() {
            1 if levels[place] == most => Stage::Final,
            1 => Stage::step(levels[place], None),
            _ => {
                let number = alike().position(|k| k == place).unwrap_or(0);
                Stage::Middle { step: levels[place], mark: Some(letters(number)) }
            }
        }
    };
    for task in &tasks {
        let state = State { region: region[&task[0]], stage: depth(task) };
        states.extend(task.iter().map(|&c| (c, state.clone())));
    }
    tasks
}

/// `a`, `b`, .., `z`, `ba`, ..
fn letters(mut number: usize) -> String {
    let mut out = Vec::new();
    loop {
        out.push(char::from(b'a' + u8::try_from(number % 26).unwrap_or(0)));
        number /= 26;
        if number == 0 {
            return out.into_iter().rev().collect();
        }
    }
}

/// A task with what it reads.
fn task(
    planner: &Planner<'_>,
    survey: &Survey,
    arrows: &[Arrow],
    (n, nest_of): (usize, &BTreeMap<Class, usize>),
    classes: &[Class],
    states: &BTreeMap<Class, State>,
) -> Task {
    let mut read: BTreeMap<RegionId, BTreeSet<Stage>> = BTreeMap::new();
    for a in arrows {
        let Cause::Dependence(d) = a.cause else { continue };
        let anti = planner.dependences.ordering[d].kind == DependenceKind::Anti;
        // The one that reads: the target, of an anti dependence the source.
        let (reader, other) = if anti { (a.to, a.from) } else { (a.from, a.to) };
        if !classes.contains(&reader) || classes.contains(&other) {
            continue;
        }
        let own = read.entry(states[&other].region).or_default();
        if nest_of[&other] == n && !anti {
            own.insert(states[&other].stage.clone());
        }
    }
    let mut inputs = Vec::new();
    for (region, found) in read {
        let latest: Vec<Stage> = found.iter().filter(|s| !found.iter().any(|t| s.precedes(t))).cloned().collect();
        let stages = if latest.is_empty() { vec![Stage::Initial] } else { latest };
        inputs.extend(stages.into_iter().map(|stage| vec![State { region, stage }]));
    }
    let frame = &survey.classes.frames;
    let edge = |c: &Class| c.mask == 0 || c.mask == frame[&c.statement].full();
    let kind = if classes.iter().any(edge) { TaskKind::Operation } else { TaskKind::Plain };
    Task { kind, out: states[&classes[0]].clone(), inputs }
}

/// Needs within a nest that (a) and (b) do not show become inputs.
fn express(
    derived: &mut Derived,
    arrows: &[Arrow],
    nest_of: &BTreeMap<Class, usize>,
    states: &BTreeMap<Class, State>,
    is_full: &dyn Fn(Class) -> bool,
) {
    // What must be past, and what must not, needs no rule.
    let open = |a: &&Arrow| nest_of[&a.from] == nest_of[&a.to] && a.from.mask != 0 && !is_full(a.to);
    for a in arrows.iter().filter(open) {
        let n = nest_of[&a.from];
        let (from, to) = (&states[&a.from], &states[&a.to]);
        let place = |c: Class| derived.classes[n].iter().position(|t| t.contains(&c));
        let (Some(y), Some(x)) = (place(a.from), place(a.to)) else { continue };
        let tasks = &mut derived.problem.loops[n].tasks;
        let inputs = |k: usize| tasks[k].inputs.iter().flatten();
        let needed = inputs(y).any(|i| i == to || to.precedes(i));
        let kept = inputs(x).any(|i| i.precedes(from));
        if x != y && !needed && !kept {
            let input = vec![to.clone()];
            tasks[y].inputs.push(input);
        }
    }
}
