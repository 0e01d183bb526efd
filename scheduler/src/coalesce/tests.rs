use super::*;
use crate::testing;
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Texts name no iterators here: equal ones with as many accesses compute the same.
fn by_text(scop: &Scop) -> impl Fn(StatementId, StatementId) -> Option<Likeness> + '_ {
    |a, b| {
        let (a, b) = (&scop.statements[a.0], &scop.statements[b.0]);
        let reads = (1..a.accesses.len()).map(|k| (AccessId(k), AccessId(k))).collect();
        (a.text == b.text && a.accesses.len() == b.accesses.len()).then_some(Likeness { reads, numbers: Vec::new() })
    }
}

/// All memory after the part has run in its source order, a value being what it was made of.
fn run(scop: &Scop, params: &[i64]) -> BTreeMap<(usize, Vec<i64>), u64> {
    let mut memory: BTreeMap<(usize, Vec<i64>), u64> = BTreeMap::new();
    for (point, s) in testing::in_source_order(scop, params, 12).expect("points") {
        let cell = |a: &Access| {
            let at = a.subscripts.iter().map(|e| e.eval(params, &point).expect("a number")).collect();
            (a.array.0, at)
        };
        let mut value = DefaultHasher::new();
        s.text.hash(&mut value);
        for read in s.reads() {
            let cell = cell(read);
            memory.get(&cell).copied().unwrap_or_default().hash(&mut value);
            cell.hash(&mut value);
        }
        memory.insert(cell(s.write()), value.finish());
    }
    memory
}

fn check(text: &str, expected: Expect) {
    let scop = testing::scop(text).expect("text");
    let budget = Budget::new(50_000_000);
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let found = coalesce(&scop, &dependences, &by_text(&scop), &budget).expect("no error");
    let Some(found) = found else {
        expected.assert_eq("nothing");
        return;
    };
    for n in 0..6 {
        let params = vec![n; scop.params.len()];
        assert_eq!(run(&scop, &params), run(&found.scop, &params), "n = {n}");
    }
    let names: Vec<&str> = found.origin.iter().map(|s| scop.statements[s.0].name.as_str()).collect();
    expected.assert_eq(&format!("{}\n{}", names.join(" "), crate::text::print_scop(&found.scop)));
}

#[test]
fn lu_by_rows_has_one_update() {
    check(
        "params n
for i = 0 .. n
  for j = 0 .. i
    for k = 0 .. j
      A[i,j] -= A[i,k] * A[k,j]
    A[i,j] /= A[j,j]
  for j = i .. n
    for k = 0 .. i
      A[i,j] -= A[i,k] * A[k,j]
",
        expect![[r#"
            S0 S1
            params n
            for i0 = 0 .. n
              for i1
                if i1 >= 0
                  for i2 = 0 .. i1
                    if n >= i1 + 1 and i0 >= i2 + 1
                      A[i0][i1] -= A[i0][i2] * A[i2][i1]
                if i1 >= 0 and i0 >= i1 + 1
                  A[i0][i1] /= A[i1][i1]
        "#]],
    );
}

#[test]
fn the_diagonal_of_cholesky_is_a_case_of_its_update() {
    check(
        "params n
for i = 0 .. n
  for j = 0 .. i
    for k = 0 .. j
      A[i,j] -= A[i,k] * A[j,k]
    A[i,j] /= A[j,j]
  for k = 0 .. i
    A[i,i] -= A[i,k] * A[i,k]
  A[i,i] = sqrt(A[i,i])
",
        expect![[r#"
            S0 S1 S3
            params n
            for i0 = 0 .. n
              for i1
                if i1 >= 0
                  for i2 = 0 .. i1
                    if i0 >= i1 and i0 >= i2 + 1
                      A[i0][i1] -= A[i0][i2] * A[i1][i2]
                if i1 >= 0 and i0 >= i1 + 1
                  A[i0][i1] /= A[i1][i1]
              S3: A[i0][i0] = sqrt(A[i0][i0])
        "#]],
    );
}

/// The root stands between the sum for the diagonal and those for the rows below it.
#[test]
fn cholesky_by_columns_has_one_sum() {
    check(
        "params n
for j = 0 .. n
  s[j,j] = 0
  for k = 0 .. j
    s[j,j] += L[j,k] * L[j,k]
  L[j,j] = sqrt(A[j,j] - s[j,j])
  for i = 0 .. n - j - 1
    s[i+j+1,j] = 0
    for k = 0 .. j
      s[i+j+1,j] += L[i+j+1,k] * L[j,k]
    L[i+j+1,j] = (A[i+j+1,j] - s[i+j+1,j]) / L[j,j]
",
        expect![[r#"
            S2 S3 S4 S5
            params n
            for i0 = 0 .. n
              for i1
                if n >= i0 + i1 + 1 and i1 >= 0
                  S3: s[i0 + i1][i0] = 0
              for i1
                if n >= i0 + i1 + 1
                  for i2 = 0 .. i0
                    if i1 >= 0
                      S4: s[i0 + i1][i0] += L[i0 + i1][i2] * L[i0][i2]
              L[i0][i0] = sqrt(A[i0][i0] - s[i0][i0])
              for i1 = 0 .. -i0 + n - 1
                S5: L[i0 + i1 + 1][i0] = (A[i0 + i1 + 1][i0] - s[i0 + i1 + 1][i0]) / L[i0][i0]
        "#]],
    );
}

/// What is summed next needs the root of what was summed before, in the same column.
#[test]
fn sums_that_wait_for_each_other_stay_two() {
    check(
        "params n
for j = 0 .. n
  for k = 0 .. j
    L[j,j] += L[j,k] * L[j,k]
  w[] = w[] + L[j,j]
  for i = 0 .. n - j - 1
    L[i+j+1,j] = w[] + A[i,j]
    for k = 0 .. j
      L[i+j+1,j] += L[i+j+1,k] * L[j,k]
    w[] = w[] / L[i+j+1,j]
",
        expect!["nothing"],
    );
}

/// What would begin an iteration before the others in its loop, and stay behind them if it were counted from 0.
#[test]
fn what_shares_its_loop_is_not_counted_anew() {
    check(
        "m[] = g[9]
for i = 0 .. 9
  x[i] = m[]
  m[] = g[8-i]
",
        expect!["nothing"],
    );
}

/// The same alone in its loop.
#[test]
fn what_begins_below_zero_is_counted_anew() {
    check(
        "for i = 0 .. 9
  x[i+1] = y[i+1] + z[i]
x[0] = y[0] + z[-1]
",
        expect![[r#"
            S0
            for i0
              if 9 >= i0 and i0 >= 0
                x[i0] = y[i0] + z[i0 - 1]
        "#]],
    );
}

/// Three pieces, the second of them backwards.
#[test]
fn pieces_of_a_loop() {
    check(
        "params n
for i = 0 .. 3
  x[i] = y[i] + z[i]
for i = 6 downto 3
  x[i] = y[i] + z[i]
for i = 7 .. 9
  x[i] = y[i] + z[i]
",
        expect![[r#"
            S0
            params n
            for i0 = 0 .. 9
              x[i0] = y[i0] + z[i0]
        "#]],
    );
}

/// A gap, an overlap, another order that matters, another operand, and a union that is no polyhedron.
#[test]
fn what_is_not_one_stays_two() {
    for text in [
        "for i = 0 .. 3\n  x[i] = y[i]\nfor i = 4 .. 9\n  x[i] = y[i]\n",
        "for i = 0 .. 5\n  x[i] = y[i]\nfor i = 4 .. 9\n  x[i] = y[i]\n",
        "for i = 5 .. 9\n  x[i+1] = x[i]\nfor i = 0 .. 5\n  x[i+1] = x[i]\n",
        "for i = 0 .. 5\n  x[i] = y[i]\nfor i = 5 .. 9\n  x[i] = y[i+1]\n",
        "for i = 0 .. 5\n  x[i] = y[i]\nfor i = 5 .. 9\n  z[i] = y[i]\n",
        "for i = 0 .. 5\n  for j = 0 .. 5\n    x[i,j] = y[i,j]\nfor i = 5 .. 9\n  for j = 0 .. 6\n    x[i,j] = y[i,j]\n",
        "for t = 0 .. 5\n  for i = 0 .. 5\n    x[i] = y[i]\nfor t = 0 .. 5\n  for i = 5 .. 9\n    x[i] = y[i]\n",
    ] {
        check(text, expect!["nothing"]);
    }
}
