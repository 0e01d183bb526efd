use super::*;
use crate::testing;
use expect_test::{Expect, expect};

/// Values of arrays' cells: numbers from their places for those of the program, 0 for sums.
fn start(array: usize, at: &[i64]) -> i64 {
    let first = i64::try_from(array).expect("few arrays") + 1;
    at.iter().fold(first, |value, x| (value * 31 + x * 7 + 3) % 101) - 50
}

/// What is added to the terms of an operand.
const MORE: i64 = 37;

/// The memory of the first few arrays after the part has run in its source order, on numbers; groups are numbers of digits from -500 to 499. Terms go to one array, if any, with a constant added.
fn run(scop: &Scop, arrays: usize, params: &[i64], more: Option<ArrayId>) -> BTreeMap<(usize, Vec<i64>), i64> {
    let mut memory: BTreeMap<(usize, Vec<i64>), i64> = BTreeMap::new();
    for (point, s) in testing::in_source_order(scop, params, 16).expect("points") {
        let cell = |a: &Access| {
            let at: Vec<i64> = a.subscripts.iter().map(|e| e.eval(params, &point).expect("a number")).collect();
            (a.array.0, at)
        };
        let read = |k: usize| {
            let cell = cell(&s.accesses[k]);
            match memory.get(&cell) {
                Some(known) => *known,
                None => {
                    assert!(cell.0 < arrays, "a group that was not packed: {cell:?} in {}", s.name);
                    start(cell.0, &cell.1)
                }
            }
        };
        let digits = |x: i64| {
            let next = |x: i64| (x + 500).div_euclid(1000);
            std::iter::successors(Some(x), move |x| Some(next(*x))).map(|x| (x + 500).rem_euclid(1000) - 500).take(4)
        };
        let dot = |a: i64, b: i64| -> i64 { digits(a).zip(digits(b)).map(|(a, b)| a * b).sum() };
        let value = match s.text.as_str() {
            "{0} = (dot({1}, {2}) + {3})" => dot(read(1), read(2)) + read(3),
            "{0} = ({2} - dot({1}))" => read(2) - digits(read(1)).map(|a| a * MORE).sum::<i64>(),
            "{0} = ({1} + {2})" => read(1) + read(2),
            text if text.starts_with("{0} = group(") => {
                let more = if more == Some(s.write().array) { MORE } else { 0 };
                (1..s.accesses.len()).rev().fold(0, |sum, k| sum * 1000 + read(k) + more)
            }
            _ if s.accesses.len() == 4 => read(1) + read(2) * read(3),
            _ => 0,
        };
        memory.insert(cell(s.write()), value);
    }
    memory.retain(|(array, _), _| *array < arrays);
    memory
}

fn check(text: &str, statement: usize, expected: &Expect) {
    check_groups(text, (statement, 2, None), expected);
}

fn check_groups(text: &str, (statement, group, less): (usize, u8, Option<usize>), expected: &Expect) {
    let scop = testing::scop(text).expect("text");
    let operands = [AccessId(2), AccessId(3)];
    let products = Products { statement: StatementId(statement), operands, group, operations: 1, less };
    let Some(found) = grouped(&scop, &products, &Budget::new(50_000_000)).expect("no error") else {
        expected.assert_eq("nothing");
        return;
    };
    let known = scop.arrays.len();
    for sizes in [[1, 1, 1], [2, 3, 1], [3, 2, 2], [2, 2, 3], [4, 3, 4], [3, 4, 5], [2, 2, 7], [2, 3, 8]] {
        let mut params: Vec<i64> = sizes.into_iter().take(scop.params.len()).collect();
        let before = run(&scop, known, &params, None);
        if let Some(terms) = &found.terms {
            params.push(0);
            let terms = terms.eval(&params, &[]).expect("a number");
            if terms < 1 {
                continue;
            }
            params.pop();
            params.push((terms + i64::from(group) - 1) / i64::from(group));
        }
        let more = less.map(|of| found.arrays[1 - of].array);
        assert_eq!(before, run(&found.scop, known, &params, more), "{params:?}");
    }
    expected.assert_eq(&crate::text::print_scop(&found.scop));
}

const PRODUCT: &str = "
params n, m, l
for i = 0 .. n
  for j = 0 .. m {
    c[i][j] = 0
    for k = 0 .. l
      c[i][j] = c[i][j] + a[i][k] * b[k][j] @commutes sum
  }
";

#[test]
fn a_product_of_matrices() {
    check(
        PRODUCT,
        1,
        &expect![[r#"
            params n, m, l, groups3
            known l >= 1 and 2*groups3 >= l and l + 1 >= 2*groups3
            array c[?][?] : f64
            array a[?][?] : f64
            array b[?][?] : f64
            array a_in_groups[?][?] : f32 virtual
            array b_in_groups[?][?] : f32 virtual
            for i0
              if m >= 1 and i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. groups3
                  if l >= 2*i1 + 2
                    S2: a_in_groups[i0][i1] = group(a[i0][2*i1], a[i0][2*i1 + 1]) @operations 4 0
              if l + 1 = 2*groups3 and m >= 1 and l >= 1 and i0 >= 0 and n >= i0 + 1
                S3: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 1]) @operations 2 0
            if n >= 1
              for i0 = 0 .. groups3
                if l >= 2*i0 + 2
                  for i1 = 0 .. m
                    S4: b_in_groups[i0][i1] = group(b[2*i0][i1], b[2*i0 + 1][i1]) @operations 4 0
            if l + 1 = 2*groups3 and n >= 1 and l >= 1
              for i0 = 0 .. m
                S5: b_in_groups[groups3 - 1][i0] = group(b[l - 1][i0]) @operations 2 0
            for i0 = 0 .. n
              for i1 = 0 .. m
                S0: c[i0][i1] = 0
                for i2 = 0 .. groups3
                  S1: c[i0][i1] = (dot(a_in_groups[i0][i2], b_in_groups[i2][i1]) + c[i0][i1]) @commutes sum
        "#]],
    );
}

#[test]
fn an_even_number_of_terms_leaves_no_half() {
    let text = "params n
for i = 0 .. n
  for k = 0 .. 6
    c[i] = c[i] + a[i][k] * b[5-k] @commutes sum";
    check(
        text,
        0,
        &expect![[r#"
            params n
            array c[?] : f64
            array a[?][?] : f64
            array b[?] : f64
            array a_in_groups[?][3] : f32 virtual
            array b_in_groups[?] : f32 virtual
            for i0 = 0 .. n
              for i1 = 0 .. 3
                S1: a_in_groups[i0][i1] = group(a[i0][2*i1], a[i0][2*i1 + 1]) @operations 4 0
            if n >= 1
              for i0 = 0 .. 3
                S2: b_in_groups[i0] = group(b[-2*i0 + 5], b[-2*i0 + 4]) @operations 4 0
            for i0 = 0 .. n
              for i1 = 0 .. 3
                S0: c[i0] = (dot(a_in_groups[i0][i1], b_in_groups[i1]) + c[i0]) @commutes sum
        "#]],
    );
}

#[test]
fn channels_of_a_convolution() {
    let text = "params n, w, q
for y = 0 .. n
  for x = 0 .. w
    for k = 0 .. q
      for u = 0 .. 3
        o[y][x] = o[y][x] + s[k][y][x+u] * f[k][u] @commutes sum";
    check(
        text,
        0,
        &expect![[r#"
            params n, w, q, groups3
            known q >= 1 and 2*groups3 >= q and q + 1 >= 2*groups3
            array o[?][?] : f64
            array s[?][?][?] : f64
            array f[?][?] : f64
            array s_in_groups[?][?][?] : f32 virtual
            array f_in_groups[?][3] : f32 virtual
            if w >= 1
              for i0 = 0 .. groups3
                if q >= 2*i0 + 2
                  for i1 = 0 .. n
                    for i2 = 0 .. w + 2
                      S1: s_in_groups[i0][i1][i2] = group(s[2*i0][i1][i2], s[2*i0 + 1][i1][i2]) @operations 4 0
            if q + 1 = 2*groups3 and w >= 1 and q >= 1
              for i0 = 0 .. n
                for i1 = 0 .. w + 2
                  S2: s_in_groups[groups3 - 1][i0][i1] = group(s[q - 1][i0][i1]) @operations 2 0
            if n >= 1 and w >= 1
              for i0 = 0 .. groups3
                if q >= 2*i0 + 2
                  for i1 = 0 .. 3
                    S3: f_in_groups[i0][i1] = group(f[2*i0][i1], f[2*i0 + 1][i1]) @operations 4 0
            if q + 1 = 2*groups3 and n >= 1 and w >= 1 and q >= 1
              for i0 = 0 .. 3
                S4: f_in_groups[groups3 - 1][i0] = group(f[q - 1][i0]) @operations 2 0
            for i0 = 0 .. n
              for i1 = 0 .. w
                for i2 = 0 .. groups3
                  for i3 = 0 .. 3
                    S0: o[i0][i1] = (dot(s_in_groups[i2][i0][i1 + i3], f_in_groups[i2][i3]) + o[i0][i1]) @commutes sum
        "#]],
    );
}

#[test]
fn rows_that_lie_in_blocks() {
    let text = "params w, q, k
for x = 0 .. w
  for c = 0 .. q
    for u = 0 .. 2
      for v = 0 .. 2
        for p = 0 .. k
          o[x][c] = o[x][c] + s[u][x+v][p] * f[4*c+2*u+v][p] @commutes sum";
    check(
        text,
        0,
        &expect![[r#"
            params w, q, k, groups3
            known k >= 1 and 2*groups3 >= k and k + 1 >= 2*groups3
            array o[?][?] : f64
            array s[?][?][?] : f64
            array f[?][?] : f64
            array s_in_groups[?][?][?] : f32 virtual
            array f_in_groups[?][?] : f32 virtual
            for i0
              for i1
                if w >= 1 and q >= 1 and i0 >= 0 and 1 >= i0 and i1 >= 0 and w >= i1
                  for i2 = 0 .. groups3
                    if k >= 2*i2 + 2
                      S1: s_in_groups[i0][i1][i2] = group(s[i0][i1][2*i2], s[i0][i1][2*i2 + 1]) @operations 4 0
                if k + 1 = 2*groups3 and w >= 1 and q >= 1 and k >= 1 and i0 >= 0 and 1 >= i0 and i1 >= 0 and w >= i1
                  S2: s_in_groups[i0][i1][groups3 - 1] = group(s[i0][i1][k - 1]) @operations 2 0
            for i0
              if w >= 1 and i0 >= 0 and 4*q >= i0 + 1
                for i1 = 0 .. groups3
                  if k >= 2*i1 + 2
                    S3: f_in_groups[i0][i1] = group(f[i0][2*i1], f[i0][2*i1 + 1]) @operations 4 0
              if k + 1 = 2*groups3 and w >= 1 and k >= 1 and i0 >= 0 and 4*q >= i0 + 1
                S4: f_in_groups[i0][groups3 - 1] = group(f[i0][k - 1]) @operations 2 0
            for i0 = 0 .. w
              for i1 = 0 .. q
                for i2 = 0 .. 2
                  for i3 = 0 .. 2
                    for i4 = 0 .. groups3
                      S0: o[i0][i1] = (dot(s_in_groups[i2][i0 + i3][i4], f_in_groups[4*i1 + 2*i2 + i3][i4]) + o[i0][i1]) @commutes sum
        "#]],
    );
}

#[test]
fn what_the_nest_writes_is_not_packed_before_it() {
    let text = "params n, m, l
for t = 0 .. n {
  for k = 0 .. l
    a[0][k] = 1
  for j = 0 .. m
    for k = 0 .. l
      c[t][j] = c[t][j] + a[0][k] * b[k][j] @commutes sum
}";
    check(text, 1, &expect!["nothing"]);
}

#[test]
fn sums_that_others_see_on_their_way_stay() {
    let seen = "
params n, m, l
for i = 0 .. n
  for k = 0 .. l
    for j = 0 .. m {
      c[i][j] = c[i][j] + a[i][k] * b[k][j] @commutes sum
      d[i][j] = c[i][j]
    }
";
    check(seen, 0, &expect!["nothing"]);
    let cleared = "
params n, m, l
for i = 0 .. n
  for k = 0 .. l {
    for j = 0 .. m
      c[i][j] = c[i][j] + a[i][k] * b[k][j] @commutes sum
    c[i][3] = 0
  }
";
    check(cleared, 0, &expect!["nothing"]);
}

#[test]
fn terms_that_other_loops_bound_stay() {
    let triangle = "params n
for i = 0 .. n
  for j = 0 .. n
    for k = 0 .. i
      c[i][j] = c[i][j] + a[i][k] * b[k][j] @commutes sum";
    check(triangle, 0, &expect![["nothing"]]);
    let filter = "params n, l
for i = 0 .. n
  for k = 0 .. l
    c[i] = c[i] + a[i+k] * b[k] @commutes sum";
    check(filter, 0, &expect![["nothing"]]);
    let floats = "params n, l
for i = 0 .. n
  for k = 0 .. l
    c[i] = c[i] + a[i][k] * b[k]";
    check(floats, 0, &expect![["nothing"]]);
    let packed = "params n, m
for i = 0 .. n
  for j = 0 .. m
    for k = 0 .. 9
      c[i][j] = c[i][j] + a[2*i][k] * b[k][j] @commutes sum";
    check(packed, 0, &expect![["nothing"]]);
}

#[test]
fn four_terms_at_once() {
    check_groups(
        PRODUCT,
        (1, 4, None),
        &expect![[r#"
            params n, m, l, groups3
            known l >= 1 and 4*groups3 >= l and l + 3 >= 4*groups3
            array c[?][?] : f64
            array a[?][?] : f64
            array b[?][?] : f64
            array a_in_groups[?][?] : f32 virtual
            array b_in_groups[?][?] : f32 virtual
            for i0
              if m >= 1 and i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. groups3
                  if l >= 4*i1 + 4
                    S2: a_in_groups[i0][i1] = group(a[i0][4*i1], a[i0][4*i1 + 1], a[i0][4*i1 + 2], a[i0][4*i1 + 3]) @operations 8 0
              if l + 3 = 4*groups3 and m >= 1 and l >= 1 and i0 >= 0 and n >= i0 + 1
                S3: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 1]) @operations 2 0
              if l + 2 = 4*groups3 and m >= 1 and l >= 2 and i0 >= 0 and n >= i0 + 1
                S4: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 2], a[i0][l - 1]) @operations 4 0
              if l + 1 = 4*groups3 and m >= 1 and l >= 3 and i0 >= 0 and n >= i0 + 1
                S5: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 3], a[i0][l - 2], a[i0][l - 1]) @operations 6 0
            if n >= 1
              for i0 = 0 .. groups3
                if l >= 4*i0 + 4
                  for i1 = 0 .. m
                    S6: b_in_groups[i0][i1] = group(b[4*i0][i1], b[4*i0 + 1][i1], b[4*i0 + 2][i1], b[4*i0 + 3][i1]) @operations 8 0
            if l + 3 = 4*groups3 and n >= 1 and l >= 1
              for i0 = 0 .. m
                S7: b_in_groups[groups3 - 1][i0] = group(b[l - 1][i0]) @operations 2 0
            if l + 2 = 4*groups3 and n >= 1 and l >= 2
              for i0 = 0 .. m
                S8: b_in_groups[groups3 - 1][i0] = group(b[l - 2][i0], b[l - 1][i0]) @operations 4 0
            if l + 1 = 4*groups3 and n >= 1 and l >= 3
              for i0 = 0 .. m
                S9: b_in_groups[groups3 - 1][i0] = group(b[l - 3][i0], b[l - 2][i0], b[l - 1][i0]) @operations 6 0
            for i0 = 0 .. n
              for i1 = 0 .. m
                S0: c[i0][i1] = 0
                for i2 = 0 .. groups3
                  S1: c[i0][i1] = (dot(a_in_groups[i0][i2], b_in_groups[i2][i1]) + c[i0][i1]) @commutes sum
        "#]],
    );
}

#[test]
fn what_is_too_much_is_taken_off_behind_the_loop() {
    check_groups(
        PRODUCT,
        (1, 4, Some(1)),
        &expect![[r#"
            params n, m, l, groups3
            known l >= 1 and 4*groups3 >= l and l + 3 >= 4*groups3
            array c[?][?] : f64
            array a[?][?] : f64
            array b[?][?] : f64
            array a_in_groups[?][?] : f32 virtual
            array b_in_groups[?][?] : f32 virtual
            array b_less[?] : f32 virtual
            for i0
              if m >= 1 and i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. groups3
                  if l >= 4*i1 + 4
                    S2: a_in_groups[i0][i1] = group(a[i0][4*i1], a[i0][4*i1 + 1], a[i0][4*i1 + 2], a[i0][4*i1 + 3]) @operations 8 0
              if l + 3 = 4*groups3 and m >= 1 and l >= 1 and i0 >= 0 and n >= i0 + 1
                S3: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 1]) @operations 2 0
              if l + 2 = 4*groups3 and m >= 1 and l >= 2 and i0 >= 0 and n >= i0 + 1
                S4: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 2], a[i0][l - 1]) @operations 4 0
              if l + 1 = 4*groups3 and m >= 1 and l >= 3 and i0 >= 0 and n >= i0 + 1
                S5: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 3], a[i0][l - 2], a[i0][l - 1]) @operations 6 0
            if n >= 1
              for i0 = 0 .. groups3
                if l >= 4*i0 + 4
                  for i1 = 0 .. m
                    S6: b_in_groups[i0][i1] = group(b[4*i0][i1], b[4*i0 + 1][i1], b[4*i0 + 2][i1], b[4*i0 + 3][i1]) @operations 8 0
            if l + 3 = 4*groups3 and n >= 1 and l >= 1
              for i0 = 0 .. m
                S7: b_in_groups[groups3 - 1][i0] = group(b[l - 1][i0]) @operations 2 0
            if l + 2 = 4*groups3 and n >= 1 and l >= 2
              for i0 = 0 .. m
                S8: b_in_groups[groups3 - 1][i0] = group(b[l - 2][i0], b[l - 1][i0]) @operations 4 0
            if l + 1 = 4*groups3 and n >= 1 and l >= 3
              for i0 = 0 .. m
                S9: b_in_groups[groups3 - 1][i0] = group(b[l - 3][i0], b[l - 2][i0], b[l - 1][i0]) @operations 6 0
            if n >= 1 and l >= 1 and groups3 >= 1
              for i0 = 0 .. m
                S10: b_less[i0] = 0 @operations 0 0
            if n >= 1 and l >= 1
              for i0 = 0 .. groups3
                for i1 = 0 .. m
                  S11: b_less[i1] = f(b_in_groups[i0][i1], b_less[i1]) @operations 2 0 @commutes sum @text "{0} = ({2} - dot({1}))"
            for i0
              for i1
                if i0 >= 0 and n >= i0 + 1 and i1 >= 0 and m >= i1 + 1
                  S0: c[i0][i1] = 0
                if i0 >= 0 and n >= i0 + 1 and i1 >= 0 and m >= i1 + 1
                  for i2 = 0 .. groups3
                    S1: c[i0][i1] = (dot(a_in_groups[i0][i2], b_in_groups[i2][i1]) + c[i0][i1]) @commutes sum
                if l >= 1 and i0 >= 0 and n >= i0 + 1 and i1 >= 0 and m >= i1 + 1
                  c[i0][i1] = (c[i0][i1] + b_less[i1]) @commutes sum
        "#]],
    );
    let rows = "
params n, m, l
for i = 0 .. n {
  for k = 0 .. l
    for j = 0 .. m
      c[i][j] = c[i][j] + a[i][k] * b[k][j] @commutes sum
  for j = 0 .. m
    d[i][j] = c[i][j]
}
";
    check_groups(
        rows,
        (0, 2, Some(0)),
        &expect![[r#"
            params n, m, l, groups3
            known l >= 1 and 2*groups3 >= l and l + 1 >= 2*groups3
            array c[?][?] : f64
            array a[?][?] : f64
            array b[?][?] : f64
            array d[?][?] : f64
            array a_in_groups[?][?] : f32 virtual
            array b_in_groups[?][?] : f32 virtual
            array a_less[?] : f32 virtual
            for i0
              if m >= 1 and i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. groups3
                  if l >= 2*i1 + 2
                    S2: a_in_groups[i0][i1] = group(a[i0][2*i1], a[i0][2*i1 + 1]) @operations 4 0
              if l + 1 = 2*groups3 and m >= 1 and l >= 1 and i0 >= 0 and n >= i0 + 1
                S3: a_in_groups[i0][groups3 - 1] = group(a[i0][l - 1]) @operations 2 0
            if n >= 1
              for i0 = 0 .. groups3
                if l >= 2*i0 + 2
                  for i1 = 0 .. m
                    S4: b_in_groups[i0][i1] = group(b[2*i0][i1], b[2*i0 + 1][i1]) @operations 4 0
            if l + 1 = 2*groups3 and n >= 1 and l >= 1
              for i0 = 0 .. m
                S5: b_in_groups[groups3 - 1][i0] = group(b[l - 1][i0]) @operations 2 0
            if m >= 1 and l >= 1 and groups3 >= 1
              for i0 = 0 .. n
                S6: a_less[i0] = 0 @operations 0 0
            if m >= 1 and l >= 1
              for i0 = 0 .. n
                for i1 = 0 .. groups3
                  S7: a_less[i0] = f(a_in_groups[i0][i1], a_less[i0]) @operations 2 0 @commutes sum @text "{0} = ({2} - dot({1}))"
            for i0
              if i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. groups3
                  for i2 = 0 .. m
                    S0: c[i0][i2] = (dot(a_in_groups[i0][i1], b_in_groups[i1][i2]) + c[i0][i2]) @commutes sum
              if l >= 1 and i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. m
                  S8: c[i0][i1] = (c[i0][i1] + a_less[i0]) @commutes sum
              if i0 >= 0 and n >= i0 + 1
                for i1 = 0 .. m
                  S1: d[i0][i1] = c[i0][i1]
        "#]],
    );
}
