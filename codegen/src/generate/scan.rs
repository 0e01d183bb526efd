//! One loop for several statements.
//!
//! # Problem
//! At a place with variables `V` the next loop runs over `t`. Statement `s` has instances only where `(V, t)` is in its *shadow* `P_s`. Cover all shadows, in
//! order of `t`, each instance once, with few guards.
//!
//! # Method
//! * Statements that never have instances at the same `V` get loops of their own: what tells them apart stands outside of the loops.
//! * One statement: the rows of `P_s` that mention `t` are the bounds. Rows that do not are left to inner loops (which then have no trip) or to the leaf's
//!   guard. An equality `t = e` needs no loop: `e` is put in place of `t`.
//! * Several, first try (*hull*): one loop whose bounds are the rows that all shadows imply, where those are as tight as some statement's own; else the least
//!   lower and the largest upper bound of all. This is best when inner bounds make up for the difference: `for n in 0..N { S0; for k in n+1..N { S2 } }`
//!   needs no guard although `S2` has no instance at `n = N - 1`.
//! * If the hull leaves guards inside, two more ways are tried, and the one with the fewest guards is taken. *Peeling*: a statement that runs at one `t = e` alone
//!   cuts the line into the others before `e`, all at `e`, the others after. *Separation*: cut the line into disjoint pieces on each of which a fixed set
//!   of statements is active, put them in order, and make one loop a piece. The pieces of `P` and `Q` are `P ∩ Q`, `P \ Q`, `Q \ P`, where a difference negates
//!   one row after the other, keeping those before. It is given up when no order of the pieces holds for all values of `V` and `N`, or when there are too many.
//!
//! Where hulls remain one in another, every statement lends its bounds to places at which others run alone, or nothing does: two loops around `a x b` and `c x d` instances run
//! `max(a, c) x max(b, d)` times. That is right, but for `20000 x 20` and `20 x 20000` it is no more a transformation: so it becomes a condition that the lengths are about
//! the same ([`crate::ast::Ast::worthwhile`]). One such loop alone has no more iterations than the statements' own loops together, unless a condition on sizes keeps one of them
//! from running at all.
//!
//! The rows that cut are added to the relation of the statements, so that the leaf turns them into guards where no bound says them.

use super::clean::{guard_cost, hoist};
use super::{Active, Maker};
use crate::ast::{AstNode, Expr, For, LoopKind, LoopVar};
use crate::sets::{
    bounds_of_last, drop_last, halves, implied, max_of, min_of, negated, obviously_true, reduce, widen, widen_expr,
};
use polyhedra::{Affine, Constraint, Kind, Polyhedron, Space};
use scheduler::Result;
use scheduler::cost::MOST_SEPARATED;

/// Beyond this many ranges or pieces, separation is not tried.
const MOST_PIECES: usize = 12;

/// Loops of which one is so many times as long as another one, and so many iterations longer, do not run as one.
const LONGER: i64 = 2;
const LONGER_BY: i64 = 64;
/// The same for loops over tiles, which are much fewer than what is in them.
const LONGER_TILES: i64 = 32;

/// A statement in the next loop: its relation over `[1 | N | V t | i]` and its shadow on `[1 | N | V t]`.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) active: Active,
    pub(super) shadow: Polyhedron,
}

/// The loop to make.
#[derive(Clone, Copy)]
pub(super) struct Spec {
    pub(super) kind: LoopKind,
    pub(super) parallel: bool,
    /// May the line be cut into pieces?
    pub(super) separate: bool,
}

/// Makes what runs inside: the active statements, the context and the value of `t`, all at the inner place.
pub(super) type Body<'b> = dyn Fn(&[Active], &Polyhedron, &Affine) -> Result<Vec<AstNode>> + 'b;

/// Loops over `t`.
pub(super) fn scan(
    maker: &Maker<'_>,
    spec: Spec,
    ranges: &[Range],
    context: &Polyhedron,
    body: &Body<'_>,
) -> Result<Vec<AstNode>> {
    let wide = widen(context, 1);
    let mut own = Vec::new();
    for range in ranges {
        let shadow = range.shadow.simplify(maker.budget)?;
        if !shadow.intersect(&wide).is_empty(maker.budget)? {
            let rows = bounding_rows(maker, &shadow, &wide)?;
            own.push(Own { range: Range { active: range.active.clone(), shadow }, rows });
        }
    }
    let may_separate = spec.separate && own.len() <= MOST_SEPARATED && ranges_among(&own) <= MOST_PIECES;
    if may_separate && own.len() > 1 {
        let groups = exclusive(maker, &own, context)?;
        if groups.len() > 1 {
            let mut out = Vec::new();
            for group in &groups {
                let ranges: Vec<Range> = group.iter().map(|&k| own[k].range.clone()).collect();
                out.extend(scan(maker, spec, &ranges, context, body)?);
            }
            return Ok(out);
        }
    }
    let scan = Scan { maker, spec, context, wide, body };
    let [first, rest @ ..] = own.as_slice() else { return Ok(Vec::new()) };
    if rest.iter().all(|o| o.rows == first.rows) {
        let actives: Vec<Active> = own.iter().map(|o| o.range.active.clone()).collect();
        return scan.one_loop(&first.rows, Extra::default(), &actives);
    }
    // What a way asks of the sizes counts only if it is taken.
    let outside = Asked::taken(maker);
    let mut best = hoist(scan.hull(&own)?);
    let mut cost = guard_cost(&best, 1);
    let mut asked = Asked::taken(maker);
    if cost > 0 || !spec.separate {
        asked = scan.balanced(&own, asked)?;
    }
    if cost > 0 && may_separate {
        for way in [Scan::peeled, Scan::separated].into_iter().skip(usize::from(own.len() > MOST_PIECES)) {
            if let Some(other) = way(&scan, &own)? {
                let other = hoist(other);
                let (its, wants) = (guard_cost(&other, 1), Asked::taken(maker));
                if its < cost {
                    (best, cost, asked) = (other, its, wants);
                }
                if cost == 0 {
                    break;
                }
            }
        }
    }
    outside.put_back(maker);
    asked.put_back(maker);
    Ok(best)
}

/// What is asked of the sizes so far.
struct Asked {
    worthwhile: Vec<Affine>,
    uneven: Vec<Affine>,
}

impl Asked {
    /// Takes it from the maker.
    fn taken(maker: &Maker<'_>) -> Self {
        Self { worthwhile: maker.worthwhile.take(), uneven: maker.uneven.take() }
    }

    fn put_back(self, maker: &Maker<'_>) {
        maker.worthwhile.borrow_mut().extend(self.worthwhile);
        maker.uneven.borrow_mut().extend(self.uneven);
    }
}

/// The statement kept to the points where the rows (over `[1 | N | V t]`) hold: the leaf sees to it if no bound does.
pub(super) fn restricted(active: &Active, rows: &[Constraint]) -> Active {
    let mut out = active.clone();
    for row in rows {
        let extra = out.relation.space().dims - row.expr.space().dims;
        out.relation.add(Constraint { kind: row.kind, expr: widen_expr(&row.expr, extra) });
    }
    out
}

/// Statements in groups of which no two ever have instances at the same place: their loops stand side by side, each under its own condition.
fn exclusive(maker: &Maker<'_>, own: &[Own], context: &Polyhedron) -> Result<Vec<Vec<usize>>> {
    let mut places = Vec::with_capacity(own.len());
    for o in own {
        let mut place = context.clone();
        for row in o.range.shadow.constraints().iter().filter(|row| !mentions_last(row)) {
            place.add(Constraint { kind: row.kind, expr: drop_last(&row.expr) });
        }
        places.push(place);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in 0..own.len() {
        let mut joined = vec![k];
        let mut apart = Vec::new();
        for group in groups {
            let mut meets = false;
            for &other in &group {
                meets = meets || !places[k].intersect(&places[other]).is_empty(maker.budget)?;
            }
            if meets { joined.extend(group) } else { apart.push(group) }
        }
        joined.sort_unstable();
        apart.push(joined);
        groups = apart;
    }
    groups.sort_unstable();
    Ok(groups)
}

/// The rows of a shadow that bound `t`, without those that follow from the rest.
fn bounding_rows(maker: &Maker<'_>, shadow: &Polyhedron, wide: &Polyhedron) -> Result<Vec<Constraint>> {
    let rows = reduce(shadow.constraints(), wide, maker.budget)?;
    Ok(rows.into_iter().filter(mentions_last).collect())
}

fn mentions_last(row: &Constraint) -> bool {
    row.expr.dim_coeffs().last().is_some_and(|c| *c != 0)
}

fn last_coeff(form: &Affine) -> i64 {
    form.dim_coeffs().last().copied().unwrap_or(0)
}

/// The value of `t` that an equality among the rows gives.
fn solved(rows: &[Constraint]) -> Result<Option<Affine>> {
    for row in rows.iter().filter(|r| r.kind == Kind::Eq) {
        let coeff = last_coeff(&row.expr);
        if coeff == 1 || coeff == -1 {
            let space = row.expr.space();
            let t = Affine::dim(space, space.dims - 1);
            // coeff t + rest = 0, so t = t - coeff * row, coeff being its own inverse.
            return Ok(Some(drop_last(&t.combine(1, &row.expr, -coeff)?)));
        }
    }
    Ok(None)
}

/// How many different ranges of `t` statements have.
fn ranges_among(own: &[Own]) -> usize {
    (0..own.len()).filter(|&k| own[..k].iter().all(|other| other.rows != own[k].rows)).count()
}

/// A statement with the rows that bound `t` for it.
struct Own {
    range: Range,
    rows: Vec<Constraint>,
}

/// Bounds that are no rows.
#[derive(Default)]
struct Extra {
    lower: Option<Expr>,
    upper: Option<Expr>,
}

/// A stretch of the line and the statements that are active on it.
struct Piece {
    rows: Vec<Constraint>,
    members: Vec<usize>,
}

/// From the least to the largest value of `step * t`, forms in the parameters.
struct FixedRange {
    step: i64,
    low: Affine,
    high: Affine,
}

impl FixedRange {
    /// How far it is from the first to the last.
    fn length(&self) -> polyhedra::Result<Affine> {
        self.high.sub(&self.low)
    }
}

/// Is this no number of iterations of such a step to speak of, for all sizes?
fn is_about_zero(form: &Affine, step: i64) -> bool {
    form.is_constant() && form.constant_term().abs() <= LONGER_BY.saturating_mul(step)
}

/// The ranges of `t` that two rows make which mention nothing but parameters.
fn fixed_ranges(rows: &[Constraint]) -> Result<Vec<FixedRange>> {
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    for form in rows.iter().map(halves).collect::<Result<Vec<_>>>()?.into_iter().flatten() {
        let space = form.space();
        let (step, outer) = (last_coeff(&form), &form.dim_coeffs()[..space.dims.saturating_sub(1)]);
        if outer.iter().all(|c| *c == 0) {
            let params = Space::new(space.params, 0);
            let rest = Affine::from_coeffs(params, form.coeffs()[..params.columns()].to_vec());
            if step > 0 { lows.push((step, rest.scale(-1)?)) } else { highs.push((-step, rest)) }
        }
    }
    let mut out = Vec::new();
    for (step, low) in &lows {
        let same = highs.iter().filter(|(other, _)| other == step);
        out.extend(same.map(|(_, high)| FixedRange { step: *step, low: low.clone(), high: high.clone() }));
        // `0 <= t` is `0 <= step * t`.
        if *step == 1 {
            for (step, high) in highs.iter().filter(|(step, _)| *step > 1) {
                out.push(FixedRange { step: *step, low: low.scale(*step)?, high: high.clone() });
            }
        }
    }
    Ok(out)
}

/// Forms over `[1 | N]` that are `>= 0` ...
#[derive(Default)]
struct Balance {
    /// ... if the second of two ranges is not much longer than the first;
    longer: Vec<Affine>,
    /// ... if neither is, nor far away.
    both: Vec<Affine>,
}

struct Scan<'a, 'b> {
    maker: &'a Maker<'a>,
    spec: Spec,
    context: &'a Polyhedron,
    /// The context in the space with `t`.
    wide: Polyhedron,
    body: &'a Body<'b>,
}

impl Scan<'_, '_> {
    fn with_rows(&self, rows: &[Constraint]) -> Polyhedron {
        let mut set = self.wide.clone();
        for row in rows {
            set.add(row.clone());
        }
        set
    }

    /// A loop with these bounds, or the body alone when they leave one value that is an affine form.
    fn one_loop(&self, rows: &[Constraint], extra: Extra, actives: &[Active]) -> Result<Vec<AstNode>> {
        if let Some(value) = self.only_value(rows)? {
            let mut inside = Vec::new();
            for active in actives {
                inside.push(substitute(active, &value)?);
            }
            return (self.body)(&inside, self.context, &value);
        }
        let rows = reduce(rows, &self.wide, self.maker.budget)?;
        let (mut lower, mut upper) = bounds_of_last(&rows)?;
        lower.extend(extra.lower);
        upper.extend(extra.upper);
        if lower.is_empty() || upper.is_empty() {
            return Err(scheduler::Error::Malformed("a loop without bounds".into()));
        }
        let inside = self.with_rows(&rows);
        let space = inside.space();
        let body = (self.body)(actives, &inside, &Affine::dim(space, space.dims - 1))?;
        if body.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![AstNode::For(For {
            var: LoopVar(self.context.space().dims),
            lower: max_of(lower),
            upper: min_of(upper),
            step: 1,
            parallel: self.spec.parallel,
            kind: self.spec.kind,
            body,
        })])
    }

    /// The value of `t`, over `[1 | N | V]`, when the rows leave no choice.
    fn only_value(&self, rows: &[Constraint]) -> Result<Option<Affine>> {
        let stated = solved(rows)?;
        if stated.is_some() || self.leave_a_choice(rows)? {
            return Ok(stated);
        }
        solved(self.with_rows(rows).simplify(self.maker.budget)?.constraints())
    }

    /// Do both `t` and `t + 1` satisfy the rows somewhere?
    fn leave_a_choice(&self, rows: &[Constraint]) -> Result<bool> {
        let mut set = self.with_rows(rows);
        for row in rows {
            set.add(Constraint { kind: row.kind, expr: row.expr.offset(last_coeff(&row.expr))? });
        }
        Ok(!set.is_empty(self.maker.budget)?)
    }

    /// One loop over everything.
    fn hull(&self, own: &[Own]) -> Result<Vec<AstNode>> {
        let mut extra = Extra::default();
        let mut rows: Vec<Constraint> = Vec::new();
        for lower in [true, false] {
            let (shared, exact) = self.shared_rows(own, lower)?;
            if !exact {
                let mut sides = Vec::new();
                for o in own {
                    let (low, high) = bounds_of_last(&o.rows)?;
                    if low.is_empty() || high.is_empty() {
                        return Err(scheduler::Error::Malformed("a loop without bounds".into()));
                    }
                    let side = if lower { max_of(low) } else { min_of(high) };
                    if !sides.contains(&side) {
                        sides.push(side);
                    }
                }
                if lower {
                    extra.lower = Some(min_of(sides));
                } else {
                    extra.upper = Some(max_of(sides));
                }
            }
            rows.extend(shared);
        }
        let actives: Vec<Active> = own.iter().map(|o| o.range.active.clone()).collect();
        self.one_loop(&rows, extra, &actives)
    }

    /// What is asked of the sizes if this is one loop, with what is asked inside of it.
    fn balanced(&self, own: &[Own], mut inside: Asked) -> Result<Asked> {
        let mut ranges = Vec::new();
        for o in own {
            let rows = reduce(o.range.shadow.constraints(), &self.wide, self.maker.budget)?;
            let depends = rows.iter().any(|row| row.expr.is_dim_free());
            ranges.push((depends, fixed_ranges(&o.rows)?));
        }
        // Where none is certain to run, the same nest with some that are has asked already ([`super::guards`]).
        let certain = ranges.iter().position(|(depends, _)| !depends).unwrap_or(0);
        let (Some((_, one)), Some(first)) = (ranges.get(certain), own.get(certain)) else { return Ok(inside) };
        let context = first.range.shadow.intersect(&self.wide);
        let mut forms = Vec::new();
        for (k, (depends, other)) in ranges.iter().enumerate() {
            if k != certain {
                let asks = self.about_the_same((one, other), &context)?;
                // If its condition does not hold, the loop has its end all the same.
                if *depends {
                    inside.worthwhile.extend(asks.longer);
                }
                forms.extend(asks.both);
            }
        }
        if !forms.is_empty() && !inside.uneven.is_empty() {
            inside.worthwhile.append(&mut inside.uneven);
            inside.worthwhile.append(&mut forms);
        } else if !forms.is_empty() {
            inside.uneven = forms;
        }
        Ok(inside)
    }

    /// When two loops are about the same, each of which runs where all of its ranges do; nothing is asked of such as are so for all sizes.
    fn about_the_same(&self, (one, other): (&[FixedRange], &[FixedRange]), context: &Polyhedron) -> Result<Balance> {
        let one_of = |forms| self.one_of(forms, context);
        let mut out = Balance::default();
        let mut is_short = false;
        for b in other {
            is_short |= is_about_zero(&b.length()?, b.step);
        }
        for a in one {
            let (mut longer, mut apart) = (Vec::new(), Vec::new());
            for b in other.iter().filter(|b| b.step == a.step) {
                longer.push(self.not_longer(b, a)?);
                apart.push(self.not_before(a, b, a)?);
            }
            let longer = one_of(longer)?;
            // A short range is none that anything waits for.
            if !is_short {
                out.longer.extend(longer.iter().cloned());
            }
            out.both.extend(longer.into_iter().chain(one_of(apart)?));
        }
        for b in other {
            let (mut longer, mut apart) = (Vec::new(), Vec::new());
            for a in one.iter().filter(|a| a.step == b.step) {
                longer.push(self.not_longer(a, b)?);
                apart.push(self.not_before(b, a, a)?);
            }
            out.both.extend(one_of(longer)?.into_iter().chain(one_of(apart)?));
        }
        Ok(out)
    }

    /// What is asked, where one of these would do; nothing if one of them is so for all sizes (`None`) or in the context. One of several cannot be asked for: then it is all.
    fn one_of(&self, forms: Vec<Option<Affine>>, context: &Polyhedron) -> Result<Vec<Affine>> {
        let Some(all) = forms.into_iter().collect::<Option<Vec<_>>>() else { return Ok(Vec::new()) };
        if let [_, _, ..] = all[..] {
            for form in &all {
                let holds = Constraint::ge(widen_expr(form, context.space().dims));
                if implied(&holds, context, self.maker.budget)? {
                    return Ok(Vec::new());
                }
            }
        }
        Ok(all)
    }

    /// When a range is not much longer than another one. `None`: for all sizes.
    fn not_longer(&self, range: &FixedRange, than: &FixedRange) -> Result<Option<Affine>> {
        let length = range.length()?;
        if is_about_zero(&length.sub(&than.length()?)?, than.step) {
            return Ok(None);
        }
        Ok(Some(self.room(than)?.sub(&length)?))
    }

    /// When a range begins not much later than another one, in comparison with the length of one of them. `None`: for all sizes.
    fn not_before(&self, range: &FixedRange, other: &FixedRange, one: &FixedRange) -> Result<Option<Affine>> {
        let apart = range.low.sub(&other.low)?;
        if is_about_zero(&apart, one.step) {
            return Ok(None);
        }
        Ok(Some(self.room(one)?.sub(&apart)?))
    }

    /// How long others may be beside a range.
    fn room(&self, range: &FixedRange) -> Result<Affine> {
        let longer = if self.spec.kind == LoopKind::Tile { LONGER_TILES } else { LONGER };
        Ok(range.length()?.scale(longer)?.offset(LONGER_BY.saturating_mul(range.step))?)
    }

    /// Rows of one side that hold on all shadows, and whether they are as tight as the rows of one statement.
    fn shared_rows(&self, own: &[Own], lower: bool) -> Result<(Vec<Constraint>, bool)> {
        let mut sides: Vec<Vec<Constraint>> = Vec::new();
        for o in own {
            let mut side = Vec::new();
            for row in &o.rows {
                side.extend(halves(row)?.into_iter().filter(|f| (last_coeff(f) > 0) == lower).map(Constraint::ge));
            }
            sides.push(side);
        }
        let mut shared: Vec<Constraint> = Vec::new();
        for row in sides.iter().flatten() {
            if shared.contains(row) {
                continue;
            }
            let mut everywhere = true;
            for o in own {
                let set = o.range.shadow.intersect(&self.wide);
                everywhere = everywhere && implied(row, &set, self.maker.budget)?;
            }
            if everywhere {
                shared.push(row.clone());
            }
        }
        let inside = self.with_rows(&shared);
        let mut exact = false;
        for side in &sides {
            let mut all = !side.is_empty();
            for row in side {
                all = all && implied(row, &inside, self.maker.budget)?;
            }
            exact = exact || all;
        }
        Ok((shared, exact))
    }

    /// A statement that runs at one `t` alone cuts the line: the others before, all at it, the others after.
    fn peeled(&self, own: &[Own]) -> Result<Option<Vec<AstNode>>> {
        for (k, o) in own.iter().enumerate() {
            if self.only_value(&o.rows)?.is_none() {
                continue;
            }
            let Some(row) = o.rows.iter().find(|r| r.kind == Kind::Eq) else { continue };
            let sign = last_coeff(&row.expr);
            if sign != 1 && sign != -1 {
                continue;
            }
            // `t - e`
            let gap = row.expr.scale(sign)?;
            let (before, after) = (negated(&gap)?, negated(&gap.scale(-1)?)?);
            let mut out = self.others(own, k, before)?;
            let actives: Vec<Active> = own.iter().map(|o| o.range.active.clone()).collect();
            out.extend(self.one_loop(std::slice::from_ref(row), Extra::default(), &actives)?);
            out.extend(self.others(own, k, after)?);
            return Ok(Some(out));
        }
        Ok(None)
    }

    /// All statements but one, on one side of a cut.
    fn others(&self, own: &[Own], but: usize, side: Constraint) -> Result<Vec<AstNode>> {
        let mut ranges = Vec::new();
        for (_, o) in own.iter().enumerate().filter(|(k, _)| *k != but) {
            ranges.push(Range {
                active: restricted(&o.range.active, std::slice::from_ref(&side)),
                shadow: o.range.shadow.clone().with(side.clone()),
            });
        }
        scan(self.maker, self.spec, &ranges, self.context, self.body)
    }

    /// A loop for each piece.
    fn separated(&self, own: &[Own]) -> Result<Option<Vec<AstNode>>> {
        let Some(pieces) = self.pieces(own)? else { return Ok(None) };
        let mut out = Vec::new();
        for piece in &pieces {
            let members = piece.members.iter();
            let actives: Vec<Active> = members.map(|&k| restricted(&own[k].range.active, &piece.rows)).collect();
            out.extend(self.one_loop(&piece.rows, Extra::default(), &actives)?);
        }
        Ok(Some(out))
    }

    /// Disjoint pieces in order, or `None` when there are too many or no order fits all.
    fn pieces(&self, own: &[Own]) -> Result<Option<Vec<Piece>>> {
        let mut pieces: Vec<Piece> = Vec::new();
        for (k, o) in own.iter().enumerate() {
            let mut left = vec![o.rows.clone()];
            let mut next = Vec::new();
            for piece in pieces {
                for rows in self.difference(&piece.rows, &o.rows)? {
                    next.push(Piece { rows, members: piece.members.clone() });
                }
                let mut both = piece.rows.clone();
                both.extend(o.rows.iter().cloned());
                let mut members = piece.members;
                members.push(k);
                next.push(Piece { rows: both, members });
                let mut rest = Vec::new();
                for rows in left {
                    rest.extend(self.difference(&rows, &piece.rows)?);
                }
                left = rest;
            }
            next.extend(left.into_iter().map(|rows| Piece { rows, members: vec![k] }));
            pieces = Vec::new();
            for piece in next {
                pieces.extend(self.occupied(piece, own)?);
            }
            if pieces.len() > MOST_PIECES {
                return Ok(None);
            }
        }
        for piece in &mut pieces {
            piece.rows = reduce(&piece.rows, &self.wide, self.maker.budget)?;
        }
        self.in_order(pieces)
    }

    /// The piece with only the members that have instances on it.
    fn occupied(&self, mut piece: Piece, own: &[Own]) -> Result<Option<Piece>> {
        let set = self.with_rows(&piece.rows);
        let mut members = Vec::new();
        for k in piece.members {
            if !set.intersect(&own[k].range.shadow).is_empty(self.maker.budget)? {
                members.push(k);
            }
        }
        piece.members = members;
        Ok((!piece.members.is_empty()).then_some(piece))
    }

    /// `from \ what`, as disjoint pieces.
    fn difference(&self, from: &[Constraint], what: &[Constraint]) -> Result<Vec<Vec<Constraint>>> {
        let mut out = Vec::new();
        let mut kept = from.to_vec();
        for row in what {
            for form in halves(row)? {
                let mut outside = kept.clone();
                outside.push(negated(&form)?);
                if !self.with_rows(&outside).is_empty(self.maker.budget)? {
                    out.push(outside);
                }
                kept.push(Constraint::ge(form));
            }
        }
        Ok(out)
    }

    /// Sorts pieces so that each ends before the next begins, whatever `V` and `N`.
    fn in_order(&self, mut pieces: Vec<Piece>) -> Result<Option<Vec<Piece>>> {
        let mut out: Vec<Piece> = Vec::new();
        while !pieces.is_empty() {
            let mut first = None;
            for k in 0..pieces.len() {
                let mut before_all = true;
                for (j, other) in pieces.iter().enumerate() {
                    before_all = before_all && (j == k || self.never_after(&pieces[k].rows, &other.rows)?);
                }
                if before_all {
                    first = Some(k);
                    break;
                }
            }
            let Some(k) = first else { return Ok(None) };
            out.push(pieces.remove(k));
        }
        Ok(Some(out))
    }

    /// Is there no `t` of `a` behind some `t` of `b`?
    fn never_after(&self, a: &[Constraint], b: &[Constraint]) -> Result<bool> {
        let space = self.wide.space();
        let two = Space::new(space.params, space.dims + 1);
        let (t, other) = (space.dims - 1, space.dims);
        let mut set = widen(&self.with_rows(a), 1);
        let mut map: Vec<usize> = (0..space.dims).collect();
        map[t] = other;
        for row in b {
            set.add(Constraint { kind: row.kind, expr: row.expr.embed(two, &map) });
        }
        let gap = Affine::dim(two, t).sub(&Affine::dim(two, other))?;
        set.add(Constraint::ge(gap.offset(-1)?));
        Ok(set.is_empty(self.maker.budget)?)
    }
}

/// The relation with `value` (over `[1 | N | V]`) in place of `t`.
fn substitute(active: &Active, value: &Affine) -> Result<Active> {
    let place = value.space();
    let from = active.relation.space();
    let iterators = from.dims - place.dims - 1;
    let target = Space::new(place.params, place.dims + iterators);
    let mut map: Vec<Affine> = (0..place.dims).map(|d| Affine::dim(target, d)).collect();
    map.push(widen_expr(value, iterators));
    map.extend((place.dims..target.dims).map(|d| Affine::dim(target, d)));
    let mut relation = Polyhedron::universe(target);
    for row in active.relation.preimage(&map, target)?.constraints() {
        if !obviously_true(row) {
            relation.add(row.clone());
        }
    }
    Ok(Active { id: active.id, relation })
}
