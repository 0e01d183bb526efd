//! Array shapes out of byte offsets (delinearisation).
//!
//! Problem: `8*n*i + 8*j + 8` is `A[i][j+1]` of an array with rows of `n` doubles, if `0 <= j+1 < n` for every instance. Types in address computations prove
//! nothing; the strides do.
//!
//! Method: the strides of all accesses to one base (coefficients of iterators, as monomials in the parameters) are put in a chain, each a multiple of the next; the
//! innermost is the element's width. Every term of an offset goes to the largest stride that divides it; constants may be carried to a neighbour. Each
//! inner subscript must lie in its dimension: proved over the access's own domain, or reduced to an assumption on parameters (symbolic strides), or the shape is
//! given up for a flatter one (constant strides, where the flat form is exact by itself). Of `8*b*n*n + 8*n*i + 8*j`, where `b` does not change, `b*n` rows come before
//! the first: a product of parameters that is more than one stride becomes a parameter of its own, where nothing else fits. After Grosser et al., "Optimistic delinearization" (ICS 2015).

use super::bounds;
use super::facts::{Domain, Facts, Row};
use super::poly::{LoopIndex, Monomial, ParamIndex, Poly, Symbol};
use super::reject::{Raise, Reject, RejectKind};
use polyhedra::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// Most choices among strides with the same leading terms.
const MOST_OF_A_KIND: usize = 4;

/// A usual size.
const USUAL: i64 = 1000;

/// One access, before and after.
#[derive(Clone, Debug)]
pub struct RawAccess {
    /// Bytes from the base.
    pub offset: Poly,
    /// Bytes touched.
    pub bytes: u64,
    /// Where it runs.
    pub domain: Domain,
}

/// How the rows of an array lie one behind the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Rows {
    /// All as far from the one before: by the stride.
    #[default]
    Alike,
    /// The lower triangle of a matrix packed by rows: `[i][j]`, `0 <= j <= i`, is number `i*(i + 1)/2 + j`.
    Growing,
    /// The upper triangle of a square matrix of so many rows (a polynomial `n` in the parameters): `[i][j]`, `0 <= i <= j < n`, is number `n*i - i*(i + 1)/2 + j`.
    Shrinking(Poly),
}

impl Rows {
    /// Is it a triangle?
    #[must_use]
    pub fn are_packed(&self) -> bool {
        *self != Rows::Alike
    }

    /// Twice the number of column 0 in a row of a triangle, be there such a cell or not. `None`: overflow.
    #[must_use]
    pub fn twice_before(&self, row: &Poly) -> Option<Poly> {
        match self {
            Rows::Alike => None,
            Rows::Growing => row.mul(row)?.add(row),
            Rows::Shrinking(n) => row.mul(&n.scale(2)?.sub(&Poly::constant(1))?)?.sub(&row.mul(row)?),
        }
    }

    /// How many cells of its row are in front of one of a triangle, and behind it. `None`: overflow.
    fn around(&self, row: &Poly, column: &Poly) -> Option<[Poly; 2]> {
        match self {
            Rows::Alike => None,
            Rows::Growing => Some([column.clone(), row.sub(column)?]),
            Rows::Shrinking(n) => Some([column.sub(row)?, n.sub(&Poly::constant(1))?.sub(column)?]),
        }
    }
}

/// An array's shape and the subscripts of its accesses.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Bytes between neighbours in every dimension, outermost first; the last is the element's width.
    pub strides: Vec<Poly>,
    /// Sizes of the inner dimensions, where they are constant: `strides[k] = inner_sizes[k] * strides[k + 1]`.
    pub inner_sizes: Vec<Option<i64>>,
    /// How its rows lie one behind the other.
    pub rows: Rows,
    /// For each access its subscripts.
    pub subscripts: Vec<Vec<Poly>>,
}

/// The term that leads in the order (degree, monomial): division goes by it.
fn leading(p: &Poly) -> Option<(&Monomial, i64)> {
    p.terms().max_by_key(|(m, _)| (m.len(), (*m).clone()))
}

/// `m / d` of monomials.
fn quotient(m: &Monomial, d: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for s in d {
        let k = rest.iter().position(|x| x == s)?;
        rest.remove(k);
    }
    Some(rest)
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(i64::MAX)
}

/// Greatest number that divides all coefficients, and what is left, with a positive leading coefficient.
fn primitive(p: &Poly) -> Option<(i64, Poly)> {
    let content = p.terms().fold(0, |g, (_, c)| gcd(g, c));
    let sign = if leading(p)?.1 < 0 { -1 } else { 1 };
    let mut out = Poly::default();
    for (m, c) in p.terms() {
        out = out.add(&Poly::term(m.clone(), c / content * sign))?;
    }
    Some((content, out))
}

/// `a / b` when `b` divides `a` as polynomials.
fn exact_quotient(a: &Poly, b: &Poly) -> Option<Poly> {
    let (by, c) = leading(b)?;
    let (mut rest, mut out) = (a.clone(), Poly::default());
    while let Some((m, k)) = leading(&rest) {
        let share = Poly::term(quotient(m, by)?, (k % c == 0).then_some(k / c)?);
        rest = rest.sub(&share.mul(b)?)?;
        out = out.add(&share)?;
    }
    Some(out)
}

/// Splits an offset: for each iterator its coefficient, a polynomial in the parameters. `None` when iterators multiply.
fn coefficients(offset: &Poly) -> Option<BTreeMap<Symbol, Poly>> {
    let mut out: BTreeMap<Symbol, Poly> = BTreeMap::new();
    for (m, c) in offset.terms() {
        let (params, iterators): (Monomial, Monomial) = m.iter().partition(|s| matches!(s, Symbol::Param(_)));
        match iterators.as_slice() {
            [] => {}
            [i] => {
                let sum = out.entry(*i).or_default().add(&Poly::term(params, c))?;
                out.insert(*i, sum);
            }
            _ => return None,
        }
    }
    Some(out)
}

/// Recovers the shape of one array from all its accesses. May add assumptions to the facts. Where nothing is written (`read_only`) it does not matter whether cells with different subscripts
/// are different cells: so nothing is assumed where assumptions would be many, or cannot hold.
///
/// # Errors
/// `MixedWidths`, `Shape`.
pub fn recover(facts: &mut Facts, accesses: &[RawAccess], read_only: bool) -> Raise<Shape> {
    let Some(first) = accesses.first() else { return Ok(Shape::default()) };
    if accesses.iter().any(|a| a.bytes != first.bytes) {
        return Err(RejectKind::MixedWidths.into());
    }
    let overflow = || Reject::new(RejectKind::Overflow);
    let width = i64::try_from(first.bytes).map_err(|_| overflow())?;
    let describe = |facts: &Facts| {
        let worst = accesses.iter().max_by_key(|a| a.offset.degree()).unwrap_or(first);
        RejectKind::Shape(worst.offset.text(|s| facts.symbol_name(s)))
    };
    if accesses.iter().any(|a| a.offset.has_triangle()) {
        let shape = packed(facts, width, accesses)?;
        return shape.ok_or_else(|| match describe(facts) {
            RejectKind::Shape(text) => RejectKind::NonAffineAccess(text).into(),
            other => other.into(),
        });
    }
    let mut whole: Vec<Poly> = Vec::new();
    for a in accesses {
        let Some(parts) = coefficients(&a.offset) else {
            return Err(RejectKind::NonAffineAccess(a.offset.text(|s| facts.symbol_name(s))).into());
        };
        whole.extend(parts.into_values());
    }
    // `8*n + 8` is a step along a diagonal of rows of n, or a row of n + 1: first the one, then the other.
    let terms: Vec<Poly> =
        whole.iter().flat_map(|c| c.terms().map(|(m, k)| Poly::term(m.clone(), k)).collect::<Vec<_>>()).collect();
    let mut attempts = Vec::new();
    for coefficients in [&terms, &whole] {
        let (symbolic, constant) = strides_of(coefficients).ok_or_else(overflow)?;
        if let Some(planes) = planes_of(&symbolic, accesses) {
            let deeper: Vec<_> = std::iter::once(planes).chain(symbolic.iter().cloned()).collect();
            for chain in symbolic_chains(&deeper, width, accesses) {
                let before = facts.checkpoint();
                match fit(facts, &chain, accesses, Doubt::Refuses)? {
                    Some(shape) if shape.subscripts.iter().any(|s| s.first() != shape.subscripts[0].first()) => {
                        return Ok(shape);
                    }
                    _ => facts.restore(&before),
                }
            }
        }
        if symbolic.is_empty() {
            if let Some(chain) = with_sections_of_rows(&constant, width, accesses) {
                let before = facts.checkpoint();
                if let Some(shape) = fit(facts, &chain, accesses, Doubt::Refuses)? {
                    return Ok(shape);
                }
                facts.restore(&before);
            }
            attempts.extend(constant_chains(&constant, width).into_iter().map(|c| (c, false)));
        } else {
            if let Some(rows) = rows_of(&symbolic, accesses) {
                for chain in symbolic_chains(&rows, width, accesses) {
                    let before = facts.checkpoint();
                    if let Some(shape) = fit(facts, &chain, accesses, Doubt::Refuses)? {
                        return Ok(shape);
                    }
                    facts.restore(&before);
                }
            }
            for strides in one_of_a_kind(&symbolic) {
                for chain in symbolic_chains(&strides, width, accesses) {
                    for deeper in with_long_rows(&chain, &constant, width) {
                        let before = facts.checkpoint();
                        if let Some(shape) = fit(facts, &deeper, accesses, Doubt::Refuses)? {
                            return Ok(shape);
                        }
                        facts.restore(&before);
                    }
                }
                attempts.extend(symbolic_chains(&strides, width, accesses).into_iter().map(|c| (c, false)));
            }
        }
    }
    attempts.dedup();
    // Rows of constant length, as long as they look like rows: better assumed to be than taken for a flat array.
    if let Some(flat) = attempts.iter().find(|(c, _)| c.len() == 1).cloned() {
        attempts.retain(|(c, _)| c.len() > 1);
        if let Some((deepest, _)) = attempts.first().filter(|(c, _)| long_rows(c)) {
            attempts.push((deepest.clone(), true));
        }
        attempts.push(flat);
    }
    if let Some((_, may_assume)) = attempts.last_mut() {
        *may_assume = true;
    }
    if let [(first, false), .., (last, true)] = attempts.as_slice()
        && first.len() == last.len()
        && let Some(shape) = weaker(facts, [first, last], accesses)?
    {
        return Ok(shape);
    }
    for (strides, may_assume) in &attempts {
        let before = facts.checkpoint();
        let doubt = if *may_assume { Doubt::IsChecked } else { Doubt::Refuses };
        if let Some(shape) = fit(facts, strides, accesses, doubt)? {
            return Ok(shape);
        }
        facts.restore(&before);
    }
    // The last never fits.
    let (before, known) = (facts.checkpoint(), facts.assumptions.len());
    if let [(first, false), .., (last, true)] = attempts.as_slice()
        && first.len() == last.len()
    {
        let shape = fit(facts, first, accesses, Doubt::IsChecked)?;
        if let Some(shape) = shape.filter(|_| are_usual(&facts.assumptions[known..])) {
            return Ok(shape);
        }
        facts.restore(&before);
    }
    let sections = attempts.iter().filter_map(|(c, _)| with_sections(c, accesses));
    for strides in sections.chain(attempts.iter().map(|(c, _)| c.clone())) {
        if let Some(shape) = apart(facts, &strides, accesses, read_only)? {
            return Ok(shape);
        }
        facts.restore(&before);
    }
    for (strides, _) in &attempts {
        if let Some(moved) = with_places(facts, strides, accesses)?
            && let Some(shape) = fit(facts, strides, &moved, Doubt::IsChecked)?
        {
            return Ok(shape);
        }
        facts.restore(&before);
    }
    // The flattest one.
    if let Some((strides, _)) = attempts.last().filter(|_| read_only)
        && let Some(shape) = fit(facts, strides, accesses, Doubt::DoesNotMatter)?
    {
        return Ok(shape);
    }
    facts.restore(&before);
    if accesses.iter().any(|a| a.offset.terms().any(|(m, c)| m.is_empty() && c % width != 0)) {
        return Err(RejectKind::MixedWidths.into());
    }
    Err(describe(facts).into())
}

/// The accesses with a parameter for every product of parameters that is more than one stride: how many steps of that stride lie in front. `None`: there is none.
fn with_places(facts: &mut Facts, strides: &[Poly], accesses: &[RawAccess]) -> Raise<Option<Vec<RawAccess>>> {
    let overflow = || Reject::new(RejectKind::Overflow);
    let mut moved = accesses.to_vec();
    let mut any = false;
    for a in &mut moved {
        let mut offset = Poly::default();
        for (m, c) in a.offset.terms() {
            let divides = |stride: &Poly| {
                let (by, k) = leading(stride).filter(|(by, _)| *by != m)?;
                (stride.terms().count() == 1 && c % k == 0).then_some((by.clone(), quotient(m, by)?))
            };
            let mut term = Poly::term(m.clone(), c);
            if let Some((by, rest)) = strides.iter().find_map(divides)
                && let Some(factors) = params_of(&rest).filter(|f| f.len() > 1)
                && let Some(place) = facts.product(&factors)?
            {
                term = Poly::term(by, c).mul(&Poly::symbol(Symbol::Param(place))).ok_or_else(overflow)?;
                any = true;
            }
            offset = offset.add(&term).ok_or_else(overflow)?;
        }
        a.offset = offset;
    }
    Ok(any.then_some(moved))
}

/// The parameters of a monomial; `None` when an iterator is among them.
fn params_of(m: &Monomial) -> Option<Vec<ParamIndex>> {
    m.iter().map(|s| if let Symbol::Param(p) = s { Some(*p) } else { None }).collect()
}

/// Symbolic strides (primitive part, gcd of the contents) and constant ones.
type Strides = (Vec<(Poly, i64)>, Vec<i64>);

/// Strides among coefficients of iterators. Those that depend on parameters: primitive part and the gcd of the contents, longest first; constant ones, ascending.
fn strides_of(coefficients: &[Poly]) -> Option<Strides> {
    let mut symbolic: Vec<(Poly, i64)> = Vec::new();
    let mut constant: Vec<i64> = Vec::new();
    for c in coefficients {
        if let Some(k) = c.as_constant() {
            constant.push(k.saturating_abs());
            continue;
        }
        let (content, part) = primitive(c)?;
        match symbolic.iter_mut().find(|(p, _)| *p == part) {
            Some((_, g)) => *g = gcd(*g, content),
            None => symbolic.push((part, content)),
        }
    }
    symbolic.sort_by(|(a, _), (b, _)| (b.degree(), b).cmp(&(a.degree(), a)));
    constant.sort_unstable();
    constant.dedup();
    Some((symbolic, constant))
}

/// Of strides with the same leading term at most one is that of rows, the others step along diagonals: `8*n + 16` and `8*n + 24` among rows of `n + 2`. Those first from which the others go on to the right.
fn one_of_a_kind(symbolic: &[(Poly, i64)]) -> Vec<Vec<(Poly, i64)>> {
    let mut out: Vec<Vec<(Poly, i64)>> = vec![Vec::new()];
    let mut rest = symbolic;
    while let Some((first, _)) = rest.first() {
        let lead = |p: &Poly| leading(p).map(|(m, _)| m.clone());
        let (kind, others) = rest.split_at(rest.iter().take_while(|(p, _)| lead(p) == lead(first)).count());
        let goes_on = |from: &Poly, to: &Poly| to.sub(from).is_some_and(|by| by.terms().all(|(_, c)| c >= 0));
        let mut kind = kind.to_vec();
        let all = kind.clone();
        kind.sort_by_key(|(p, _)| std::cmp::Reverse(all.iter().filter(|(q, _)| goes_on(p, q)).count()));
        out = out
            .iter()
            .flat_map(|begun| kind.iter().map(|one| [begun.as_slice(), std::slice::from_ref(one)].concat()))
            .collect();
        out.truncate(MOST_OF_A_KIND);
        rest = others;
    }
    out
}

/// Chains of constant strides to try, the deepest first; the last is flat.
fn constant_chains(constant: &[i64], width: i64) -> Vec<Vec<Poly>> {
    let mut chain = vec![width];
    for &c in constant {
        let last = chain[chain.len() - 1];
        if c > last && c % last == 0 {
            chain.push(c);
        }
    }
    chain.reverse();
    let mut attempts = vec![chain.clone()];
    if chain.len() > 2 {
        attempts.extend(chain.iter().filter(|&&s| s != width).map(|&s| vec![s, width]));
    }
    attempts.push(vec![width]);
    attempts.dedup();
    attempts.into_iter().map(|c| c.into_iter().map(Poly::constant).collect()).collect()
}

/// Chains of strides that depend on parameters to try: with the coefficients of iterators alone, and with everything that is a multiple.
fn symbolic_chains(symbolic: &[(Poly, i64)], width: i64, accesses: &[RawAccess]) -> Vec<Vec<Poly>> {
    let chain = |content: &dyn Fn(&Poly, i64) -> i64| -> Option<Vec<Poly>> {
        let mut out = Vec::new();
        for (part, g) in symbolic {
            out.push(part.scale(content(part, *g))?);
        }
        out.push(Poly::constant(width));
        Some(out)
    };
    // `A[n - 1 - 3*i][..]`: rows are counted by the constant part too.
    let with_constants = |part: &Poly, g: i64| {
        let Some((lead, _)) = leading(part) else { return g };
        accesses
            .iter()
            .flat_map(|a| a.offset.terms())
            .filter(|(m, _)| m.len() > lead.len() && quotient(m, lead).is_some())
            .fold(g, |g, (_, c)| gcd(g, c))
    };
    let mut attempts: Vec<Vec<Poly>> = [chain(&|_, g| g), chain(&with_constants)].into_iter().flatten().collect();
    attempts.dedup();
    attempts
}

/// A longer stride that no iterator has, but accesses differ by: `F[p][q][i][o]`, `c` rows of `k` in each plane, where the loops over `p` and `q` have been unrolled, has the
/// offsets `8*c*k*m + 8*k*i + 8*o`; `B[k][j]`, where the loop over `k` has, `8*n*m + 8*j`. As for [`strides_of`].
fn planes_of(symbolic: &[(Poly, i64)], accesses: &[RawAccess]) -> Option<(Poly, i64)> {
    let cell = Monomial::new();
    let row = symbolic.first().map_or(Some(&cell), |(part, _)| leading(part).map(|(m, _)| m))?;
    let mut found: BTreeMap<&Monomial, Vec<i64>> = BTreeMap::new();
    for a in accesses {
        for (m, c) in a.offset.terms() {
            if m.len() > row.len() && quotient(m, row).is_some() && params_of(m).is_some() {
                found.entry(m).or_default().push(c);
            }
        }
    }
    let differ = |c: &[i64]| c.len() < accesses.len() || c.iter().any(|x| *x != c[0]);
    let mut planes = found.into_iter().filter(|(_, c)| differ(c));
    match (planes.next(), planes.next()) {
        (Some((m, c)), None) => Some((Poly::term(m.clone(), 1), c.into_iter().fold(0, gcd))),
        _ => None,
    }
}

/// Shorter strides than iterators have, by which accesses differ: `F[o][p][q][i]`, `k` numbers in each row, where the loops over `p` and `q` have been unrolled, has the offsets `72*k*o + 8*k*m + 8*i`. `None`: there
/// are none.
fn rows_of(symbolic: &[(Poly, i64)], accesses: &[RawAccess]) -> Option<Vec<(Poly, i64)>> {
    let shorter = |(part, g): &(Poly, i64)| -> Option<i64> {
        let [(row, 1)] = part.terms().collect::<Vec<_>>()[..] else { return None };
        let all = accesses.iter().map(|a| a.offset.terms().find(|(m, _)| *m == row).map_or(0, |(_, c)| c));
        let all: Vec<i64> = all.collect();
        let h = all.iter().fold(*g, |g, c| gcd(g, *c));
        (all.iter().any(|c| *c != all[0]) && h < *g).then_some(h)
    };
    let found: Vec<(Poly, i64)> = symbolic.iter().map(|s| (s.0.clone(), shorter(s).unwrap_or(s.1))).collect();
    (found != symbolic).then_some(found)
}

/// What to do about a subscript that may leave its dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// Another shape may do.
    Refuses,
    /// Assumptions on parameters are allowed.
    IsChecked,
    /// Nothing.
    DoesNotMatter,
}

/// Tries one chain of strides.
fn fit(facts: &mut Facts, strides: &[Poly], accesses: &[RawAccess], doubt: Doubt) -> Raise<Option<Shape>> {
    let mut sizes = Vec::new();
    for pair in strides.windows(2) {
        let Some(size) = exact_quotient(&pair[0], &pair[1]) else { return Ok(None) };
        sizes.push(size);
    }
    let mut subscripts = vec![Vec::new(); accesses.len()];
    // What runs for special sizes may not assume anything, but it is often proved by what the others assume: they come first.
    let is_special = |domain: &Domain| domain.is_for_special_sizes() || is_unusual(domain);
    let (special, general): (Vec<usize>, Vec<usize>) =
        (0..accesses.len()).partition(|&k| is_special(&accesses[k].domain));
    for at in general.into_iter().chain(special) {
        let a = &accesses[at];
        let Some(mut subs) = decompose(&a.offset, strides) else { return Ok(None) };
        for k in (1..subs.len()).rev() {
            let size = &sizes[k - 1];
            let may_assume = doubt == Doubt::IsChecked && !is_unusual(&a.domain);
            if settle(facts, &mut subs, k, size, &a.domain, may_assume)? {
                continue;
            }
            let goes = match doubt {
                Doubt::Refuses => false,
                Doubt::IsChecked => is_other_arm(facts, &a.domain, accesses)?,
                Doubt::DoesNotMatter => true,
            };
            if !goes {
                return Ok(None);
            }
        }
        subscripts[at] = subs;
    }
    let inner_sizes = sizes.iter().map(Poly::as_constant).collect();
    Ok(Some(Shape { strides: strides.to_vec(), inner_sizes, rows: Rows::Alike, subscripts }))
}

/// Do these hold where all sizes are equal?
fn are_usual(rows: &[Row]) -> bool {
    rows.iter().all(|row| row.poly.at_equal(USUAL).is_some_and(|v| v >= 0))
}

/// The shape by the first of two chains of strides, if nothing that needs no assumptions fits, and what it needs holds for square matrices, or is less than what the other one needs: the columns of a band,
/// `a[j*r + w + i - j]`, have `r` cells, and would be rows of `r - 1` only if those were longer than the matrix.
fn weaker(facts: &mut Facts, [first, second]: [&[Poly]; 2], accesses: &[RawAccess]) -> Raise<Option<Shape>> {
    let before = facts.checkpoint();
    let known = (facts.assumptions.len(), facts.products.len(), facts.either.len());
    for chain in [first, second] {
        if fit(facts, chain, accesses, Doubt::Refuses)?.is_some() {
            facts.restore(&before);
            return Ok(None);
        }
        facts.restore(&before);
    }
    let mut assumed = Vec::new();
    for chain in [first, second] {
        let fits = fit(facts, chain, accesses, Doubt::IsChecked)?.is_some();
        let affine = (known.1, known.2) == (facts.products.len(), facts.either.len());
        let own: Vec<Row> = facts.assumptions.split_off(known.0);
        facts.restore(&before);
        if !fits || !affine {
            return Ok(None);
        }
        assumed.push(own);
    }
    let [of_first, of_second] = assumed.as_slice() else { return Ok(None) };
    if are_usual(of_first) {
        return fit(facts, first, accesses, Doubt::IsChecked);
    }
    let mut implied = true;
    facts.assumptions.extend(of_second.iter().cloned());
    for row in of_first {
        let holds = |a: &RawAccess| facts.is_nonnegative(&row.poly, &a.domain);
        implied = implied && row.kind == Kind::Ge && accesses.first().map_or(Ok(false), holds)?;
    }
    let possible =
        accesses.first().map_or(Ok(false), |a| Ok::<_, Reject>(!facts.set(&a.domain)?.is_empty(facts.budget)?))?;
    facts.restore(&before);
    if !(implied && possible) {
        return Ok(None);
    }
    fit(facts, first, accesses, Doubt::IsChecked)
}

/// Does it run only for a number that is negative, or a very small size? LLVM makes nests of their own of loops that do not run for these.
fn is_unusual(domain: &Domain) -> bool {
    let alone = |row: &Row| {
        let mut symbols = row.poly.symbols();
        row.poly.is_invariant() && symbols.next().is_some() && symbols.next().is_none()
    };
    domain.rows.iter().any(|row| alone(row) && row.poly.at_equal(USUAL).is_some_and(|v| v < 0))
}

/// Assumes that a branch on parameters does not go where the domain lies, if another access lies where it goes else: LLVM makes two nests of one for counts that are never negative in practice
/// (`for (k = -r; k <= r; k++)` is none for `r < 0`, where nothing is known of `i + r`).
fn is_other_arm(facts: &mut Facts, domain: &Domain, accesses: &[RawAccess]) -> Raise<bool> {
    for row in domain.rows.iter().filter(|r| r.kind == Kind::Ge && r.poly.is_invariant()) {
        let Some(otherwise) = row.poly.scale(-1).and_then(|p| p.sub(&Poly::constant(1))) else { continue };
        let mut taken = false;
        for other in accesses.iter().filter(|a| !a.domain.rows.contains(row)) {
            if facts.is_nonnegative(&otherwise, &other.domain)? && !facts.set(&other.domain)?.is_empty(facts.budget)? {
                taken = true;
                break;
            }
        }
        if taken {
            facts.assumptions.push(Row::ge(otherwise));
            return Ok(true);
        }
    }
    Ok(false)
}

/// The strides with one more for rows that consist of sections, each as long as a parameter says: of queries, keys and values, `x[t*3*c + s*c + h*d + i]` with `s` written as a number.
fn with_sections(strides: &[Poly], accesses: &[RawAccess]) -> Option<Vec<Poly>> {
    let of_params = |m: &Monomial| !m.is_empty() && params_of(m).is_some();
    let mut section: Option<(Monomial, i64)> = None;
    for a in accesses {
        let subs = decompose(&a.offset, strides)?;
        for (m, c) in subs.last()?.terms().filter(|(m, _)| of_params(m)) {
            let length = match &section {
                Some((other, length)) if other == m => gcd(*length, c),
                None => gcd(c, 0),
                Some(_) => return None,
            };
            section = Some((m.clone(), length));
        }
    }
    let (m, length) = section?;
    let section = Poly::term(m, length).mul(strides.last()?)?;
    let whole = strides.iter().rposition(|s| exact_quotient(s, &section).is_some())?;
    let mut out = strides.to_vec();
    out.insert(whole + 1, section);
    Some(out)
}

/// Strides of which none is a multiple of the next: `A[i*r + j*c]`. Cells with different subscripts are different cells if the subscripts are not negative, and a
/// step in one dimension leads over all that the inner ones may hold: `r >= c * (largest j + 1)`. With two strides that nobody knows it may be either way round.
fn apart(facts: &mut Facts, strides: &[Poly], accesses: &[RawAccess], read_only: bool) -> Raise<Option<Shape>> {
    let symbolic = strides.len() - 1;
    // Rows of two lengths in one array would never be found apart.
    let uses = |a: &RawAccess, stride: &Poly| {
        decompose(&a.offset, strides)
            .is_some_and(|subs| strides.iter().position(|s| s == stride).is_some_and(|k| subs[k] != Poly::default()))
    };
    let one_view = |a: &RawAccess| strides[..symbolic].iter().all(|s| uses(a, s));
    if symbolic < 2 || !accesses.iter().any(one_view) {
        return Ok(None);
    }
    let complaint = || RejectKind::Shape("a subscript may be negative".into());
    let given_up = |r: Reject| if matches!(r.kind, RejectKind::Shape(_)) { Ok(None) } else { Err(r) };
    let mut subscripts = Vec::new();
    let mut uppers: Vec<Vec<Poly>> = Vec::new();
    for a in accesses {
        let Some(subs) = decompose(&a.offset, strides) else { return Ok(None) };
        let mut largest = Vec::new();
        for sub in &subs {
            if let Err(r) = bounds::require(facts, sub, &a.domain, &complaint) {
                return given_up(r);
            }
            let Some(most) = bounds::extreme(facts, sub, &a.domain, true)? else { return Ok(None) };
            largest.push(most);
        }
        subscripts.push(subs);
        uppers.push(largest);
    }
    let mut orders = vec![(0..strides.len()).collect::<Vec<usize>>()];
    if symbolic == 2 {
        orders.push(vec![1, 0, 2]);
    }
    if read_only {
        orders.clear();
    }
    let mut alternatives: Vec<Vec<Poly>> = Vec::new();
    for order in orders {
        let mut conditions: Vec<Poly> = Vec::new();
        for pair in order.windows(2) {
            for most in &uppers {
                let room = most[pair[1]]
                    .add(&Poly::constant(1))
                    .and_then(|count| count.mul(&strides[pair[1]]))
                    .and_then(|inner| strides[pair[0]].sub(&inner));
                let room = room.ok_or_else(|| Reject::new(RejectKind::Overflow))?;
                // Only where a size is zero.
                if !read_only && room.terms().all(|(_, c)| c < 0) && room != Poly::default() {
                    return Ok(None);
                }
                if room.as_constant().is_none_or(|c| c < 0) && !conditions.contains(&room) {
                    conditions.push(room);
                }
            }
        }
        alternatives.push(conditions);
    }
    if !read_only {
        facts.either.push(alternatives);
    }
    Ok(Some(Shape { strides: strides.to_vec(), inner_sizes: vec![None; symbolic], rows: Rows::Alike, subscripts }))
}

/// A triangle packed by rows. Every access must be to one ([`Rows`]), perhaps counted from a neighbouring row.
fn packed(facts: &mut Facts, width: i64, accesses: &[RawAccess]) -> Raise<Option<Shape>> {
    // Half a square of an odd width is no integer.
    let numbers = accesses.iter().map(|a| number(&a.offset, width)).collect::<Option<Vec<_>>>();
    let Some(numbers) = numbers.filter(|_| width % 2 == 0) else { return Ok(None) };
    let Some((l, first)) = numbers.first() else { return Ok(None) };
    let overflow = || Reject::new(RejectKind::Overflow);
    let row = Symbol::Iterator(*l);
    let kinds = match first.coefficient(&[Symbol::Triangle(*l)]) {
        1 => vec![Rows::Growing],
        -1 => {
            // Of `n*i - i*(i + 1)/2 + j` this has `n` and what `j` has of the iterator, which most often is counted from the diagonal or in the matrix.
            let linear = first.add(&Poly::symbol(Symbol::Triangle(*l))).ok_or_else(overflow)?;
            let Some(cells) = linear.derivative(row).filter(Poly::is_invariant) else { return Ok(None) };
            let from = |k: i64| cells.add(&Poly::constant(k)).map(Rows::Shrinking);
            [-1, 0, 1].into_iter().map(from).collect::<Option<Vec<_>>>().ok_or_else(overflow)?
        }
        _ => return Ok(None),
    };
    for (rows, doubt) in kinds.iter().map(|k| (k, Doubt::Refuses)).chain(kinds.first().map(|k| (k, Doubt::IsChecked))) {
        if let Some(subscripts) = in_triangle(facts, rows, &numbers, accesses, doubt)? {
            let strides = vec![Poly::constant(width); 2];
            return Ok(Some(Shape { strides, inner_sizes: vec![None], rows: rows.clone(), subscripts }));
        }
    }
    Ok(None)
}

/// The number of the cell at an offset of a triangle, and the loop whose square is in it. `None`: it is no such.
fn number(offset: &Poly, width: i64) -> Option<(LoopIndex, Poly)> {
    let mut out = Poly::default();
    for (m, c) in offset.terms() {
        out = out.add(&Poly::term(m.clone(), (c % width == 0).then_some(c / width)?))?;
    }
    let of_loop = |s| if let Symbol::Triangle(l) = s { Some(l) } else { None };
    let triangles: Vec<LoopIndex> = out.symbols().filter_map(of_loop).collect();
    if let [l] = triangles[..] { Some((l, out)) } else { None }
}

/// Subscripts of all accesses to a triangle.
fn in_triangle(
    facts: &mut Facts,
    rows: &Rows,
    numbers: &[(LoopIndex, Poly)],
    accesses: &[RawAccess],
    doubt: Doubt,
) -> Raise<Option<Vec<Vec<Poly>>>> {
    let complaint = || RejectKind::Shape("a subscript may leave its row of a triangle".into());
    let mut subscripts = Vec::new();
    for ((l, number), access) in numbers.iter().zip(accesses) {
        let mut choices = Vec::new();
        for neighbour in [0, 1, -1] {
            let cell =
                cell_of_triangle(rows, *l, number, neighbour).ok_or_else(|| Reject::new(RejectKind::Overflow))?;
            choices.extend(cell.filter(|cell| cell.iter().all(Poly::is_affine)));
        }
        let mut fitting = None;
        for [row, column, before, behind] in &choices {
            if facts.is_nonnegative(before, &access.domain)? && facts.is_nonnegative(behind, &access.domain)? {
                fitting = Some([row, column]);
                break;
            }
        }
        if let (None, Doubt::IsChecked, Some([row, column, before, behind])) = (&fitting, &doubt, choices.first()) {
            for part in [before, behind] {
                facts.require_nonnegative(part, &access.domain, &complaint)?;
            }
            fitting = Some([row, column]);
        }
        let Some(cell) = fitting else { return Ok(None) };
        subscripts.push(cell.map(Clone::clone).to_vec());
    }
    Ok(Some(subscripts))
}

/// Row, column, and how many cells of its row are in front of it and behind it, if the row is so many behind the loop's iteration. `None`: overflow; `Some(None)`: there is no such cell.
fn cell_of_triangle(rows: &Rows, l: LoopIndex, number: &Poly, neighbour: i64) -> Option<Option<[Poly; 4]>> {
    let i = Poly::symbol(Symbol::Iterator(l));
    let row = i.add(&Poly::constant(neighbour))?;
    // The square of the iterator is twice its triangle without itself.
    let square = Poly::symbol(Symbol::Triangle(l)).scale(2)?.sub(&i)?;
    let mut before = Poly::default();
    for (m, c) in rows.twice_before(&row)?.terms() {
        let is_square = m.iter().filter(|s| **s == Symbol::Iterator(l)).count() == 2;
        let term = if is_square { square.scale(c)? } else { Poly::term(m.clone(), c) };
        before = before.add(&term)?;
    }
    if before.terms().any(|(_, c)| c % 2 != 0) {
        return Some(None);
    }
    let mut column = number.clone();
    for (m, c) in before.terms() {
        column = column.sub(&Poly::term(m.clone(), c / 2))?;
    }
    let [before, behind] = rows.around(&row, &column)?;
    Some(Some([row, column, before, behind]))
}

/// Chains of strides that depend on parameters with long rows of constant length inside: `out[y][x][64]`.
fn with_long_rows(symbolic: &[Poly], constant: &[i64], width: i64) -> Vec<Vec<Poly>> {
    let Some((cell, outer)) = symbolic.split_last() else { return Vec::new() };
    let rows = constant_chains(constant, width).into_iter().filter(|chain| chain.len() > 1 && long_rows(chain));
    let fits = |row: &Poly| outer.iter().all(|s| exact_quotient(s, row).is_some());
    rows.filter(|chain| chain.last() == Some(cell) && chain.first().is_some_and(fits))
        .map(|chain| [outer, chain.as_slice()].concat())
        .collect()
}

/// Chains of constant strides with one more that no iterator has, but accesses differ by: `F[o][p][q][64]`, where the loops over `p` and `q` have been unrolled, has the offsets `576*o + 64*m + i`.
fn with_sections_of_rows(constant: &[i64], width: i64, accesses: &[RawAccess]) -> Option<Vec<Poly>> {
    let number = |a: &RawAccess| a.offset.coefficient(&[]);
    let first = accesses.first().map(number)?;
    let step = accesses.iter().filter_map(|a| number(a).checked_sub(first)).fold(0, gcd);
    // They are sections of something longer.
    if step == 0 || constant.contains(&step) || !constant.iter().any(|longer| *longer > step && longer % step == 0) {
        return None;
    }
    let mut strides = [constant, &[step]].concat();
    strides.sort_unstable();
    // Nothing is given up for them.
    let known = constant_chains(constant, width).into_iter().next().unwrap_or_default();
    let all = |chain: &Vec<Poly>| chain.len() == known.len() + 1 && known.iter().all(|s| chain.contains(s));
    let deepest = constant_chains(&strides, width).into_iter().next();
    deepest.filter(|chain| all(chain) && long_rows(&chain[chain.len() - 2..]))
}

/// Rows of fewer cells are more likely a window or a few interleaved streams.
const LONG_ROW: i64 = 16;

fn long_rows(chain: &[Poly]) -> bool {
    let size = |pair: &[Poly]| exact_quotient(&pair[0], &pair[1]).and_then(|q| q.as_constant());
    chain.windows(2).all(|pair| size(pair).is_some_and(|s| s >= LONG_ROW))
}

/// Makes `0 <= subs[k] < size` hold, by carrying one row to or from the next outer subscript where that helps.
fn settle(
    facts: &mut Facts,
    subs: &mut [Poly],
    k: usize,
    size: &Poly,
    domain: &Domain,
    may_assume: bool,
) -> Raise<bool> {
    let inside = |facts: &Facts, sub: &Poly| -> Raise<bool> {
        let Some(room) = size.sub(sub).and_then(|p| p.sub(&Poly::constant(1))) else { return Ok(false) };
        Ok(bounds::is_nonnegative(facts, sub, domain)? && bounds::is_nonnegative(facts, &room, domain)?)
    };
    let mut ways = Vec::new();
    for carry in [0i64, 1, -1] {
        let moved = size.scale(carry).and_then(|s| subs[k].add(&s));
        ways.extend(moved.zip(subs[k - 1].sub(&Poly::constant(carry))));
    }
    for (moved, outer) in &ways {
        if inside(facts, moved)? {
            (subs[k], subs[k - 1]) = (moved.clone(), outer.clone());
            return Ok(true);
        }
    }
    let complaint = || RejectKind::Shape("a subscript may leave its dimension".into());
    for (moved, outer) in ways.into_iter().filter(|_| may_assume) {
        let Some(room) = size.sub(&moved).and_then(|p| p.sub(&Poly::constant(1))) else { continue };
        let before = facts.checkpoint();
        let mut all = true;
        for part in [&moved, &room] {
            match bounds::require(facts, part, domain, &complaint) {
                Ok(()) => {}
                Err(r) if matches!(r.kind, RejectKind::Shape(_)) => all = false,
                Err(r) => return Err(r),
            }
        }
        if all {
            (subs[k], subs[k - 1]) = (moved, outer);
            return Ok(true);
        }
        facts.restore(&before);
    }
    Ok(false)
}

/// Divides an offset by the strides, largest first; `None` when something is left or a subscript is not affine.
fn decompose(offset: &Poly, strides: &[Poly]) -> Option<Vec<Poly>> {
    let mut subs = vec![Poly::default(); strides.len()];
    let mut rest = offset.clone();
    for (k, stride) in strides.iter().enumerate() {
        let is_last = k + 1 == strides.len();
        let (by, c) = leading(stride)?;
        // Terms that this stride takes: those its leading monomial divides with an affine quotient.
        let mut done: BTreeSet<Monomial> = BTreeSet::new();
        loop {
            let next = rest
                .terms()
                .filter(|(m, _)| !done.contains(*m))
                .filter_map(|(m, v)| Some((m.clone(), quotient(m, by).filter(|q| q.len() <= 1)?, v)))
                .max_by_key(|(m, _, _)| (m.len(), m.clone()));
            let Some((m, q, v)) = next else { break };
            done.insert(m);
            let share = match (v % c == 0, by.is_empty() && !is_last) {
                // Mixed radix among constant strides: the nearest multiple.
                (_, true) => nearest(v, c),
                (true, false) => v / c,
                (false, false) => continue,
            };
            let share = Poly::term(q, share);
            rest = rest.sub(&share.mul(stride)?)?;
            subs[k] = subs[k].add(&share)?;
        }
    }
    (rest == Poly::default()).then_some(subs)
}

/// The integer nearest to `a / b`, `b > 0`; halves go down.
fn nearest(a: i64, b: i64) -> i64 {
    let q = a.div_euclid(b);
    let r = a.rem_euclid(b);
    if 2 * i128::from(r) > i128::from(b) { q + 1 } else { q }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::raise::poly::LoopIndex;

    fn iterator(k: usize) -> Poly {
        Poly::symbol(Symbol::Iterator(LoopIndex(k)))
    }

    fn param(k: usize) -> Poly {
        Poly::symbol(Symbol::Param(ParamIndex(k)))
    }

    fn sum(parts: &[Poly]) -> Poly {
        parts.iter().fold(Poly::default(), |a, b| a.add(b).unwrap())
    }

    fn bytes(p: &Poly) -> Poly {
        p.scale(8).unwrap()
    }

    #[test]
    fn rows_of_a_symbolic_matrix() {
        // 8*n*i + 8*n + 8*j - 8  ->  [i + 1][j - 1]
        let n = param(0);
        let offset = sum(&[bytes(&iterator(0).mul(&n).unwrap()), bytes(&n), bytes(&iterator(1)), Poly::constant(-8)]);
        let subs = decompose(&offset, &[bytes(&n), Poly::constant(8)]).unwrap();
        assert_eq!(subs, vec![sum(&[iterator(0), Poly::constant(1)]), sum(&[iterator(1), Poly::constant(-1)])]);
    }

    #[test]
    fn rows_as_long_as_a_sum_of_parameters() {
        // 8*(m + r)*(i + k) + 8*j  ->  [i + k][j]
        let row = sum(&[param(0), param(1)]);
        let offset = sum(&[bytes(&row.mul(&sum(&[iterator(0), iterator(2)])).unwrap()), bytes(&iterator(1))]);
        let subs = decompose(&offset, &[bytes(&row), Poly::constant(8)]).unwrap();
        assert_eq!(subs, vec![sum(&[iterator(0), iterator(2)]), iterator(1)]);
    }

    #[test]
    fn diagonal_of_a_constant_matrix() {
        // 8008*i with rows of 1000 doubles is [i][i].
        let offset = iterator(0).scale(8008).unwrap();
        let subs = decompose(&offset, &[Poly::constant(8000), Poly::constant(8)]).unwrap();
        assert_eq!(subs, vec![iterator(0), iterator(0)]);
    }

    #[test]
    fn what_is_no_multiple_of_the_width_fits_nowhere() {
        let offset = sum(&[bytes(&iterator(0)), Poly::constant(4)]);
        assert_eq!(decompose(&offset, &[Poly::constant(8)]), None);
    }
}
