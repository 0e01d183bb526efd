use super::*;
use crate::testing;
use expect_test::{Expect, expect};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The memory of the first few arrays after the part has run in its source order; a value is what it was made of, and a copy is what was copied.
fn run(scop: &Scop, arrays: usize, params: &[i64]) -> BTreeMap<(usize, Vec<i64>), u64> {
    let mut memory: BTreeMap<(usize, Vec<i64>), u64> = BTreeMap::new();
    for (point, s) in testing::in_source_order(scop, params, 12).expect("points") {
        let cell = |a: &Access| {
            let at: Vec<i64> = a.subscripts.iter().map(|e| e.eval(params, &point).expect("a number")).collect();
            (a.array.0, at)
        };
        let mut unwritten = DefaultHasher::new();
        let mut values = s.reads().iter().map(|read| {
            let cell = cell(read);
            memory.get(&cell).copied().unwrap_or_else(|| {
                cell.hash(&mut unwritten);
                unwritten.finish()
            })
        });
        let value = if s.text == COPY {
            values.next().expect("one read")
        } else {
            let mut value = DefaultHasher::new();
            (s.text.as_str(), values.collect::<Vec<_>>()).hash(&mut value);
            value.finish()
        };
        memory.insert(cell(s.write()), value);
    }
    memory.retain(|(array, _), _| *array < arrays);
    memory
}

fn check(text: &str, expected: Expect) {
    let scop = testing::scop(text).expect("text");
    let Some(found) = privatise(&scop, &|_| true, &Budget::new(50_000_000)).expect("no error") else {
        expected.assert_eq("nothing");
        return;
    };
    let known = scop.arrays.len();
    for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (2, 3), (4, 2), (3, 5)] {
        let params: Vec<i64> = [n, m, 3].into_iter().take(scop.params.len()).collect();
        assert_eq!(run(&scop, known, &params), run(&found.scop, known, &params), "{params:?}");
    }
    expected.assert_eq(&crate::text::print_scop(&found.scop));
}

#[test]
fn rows_by_a_buffer() {
    check(
        "params n, m
for r = 0 .. n
  for q = 0 .. n
    for p = 0 .. m
      s[p] = 0
      for t = 0 .. m
        s[p] += A[r,q,t] * C[t,p]
    for p = 0 .. m
      A[r,q,p] = s[p]",
        expect![[r#"
            params n, m
            array s[?] : f64
            array A[?][?][?] : f64
            array C[?][?] : f64
            array s_of_its_own[?][?] : f64
            for i0 = 0 .. n
              for i1 = 0 .. n
                for i2 = 0 .. m
                  s_of_its_own[i1][i2] = 0
                  for i3 = 0 .. m
                    s_of_its_own[i1][i2] += A[i0][i1][i3] * C[i3][i2]
                for i2 = 0 .. m
                  A[i0][i1][i2] = s_of_its_own[i1][i2]
            if n >= 1
              for i0 = 0 .. m
                s[i0] = s_of_its_own[n - 1][i0] @operations 0 0
        "#]],
    );
}

/// The last row is the longest: it writes what any row writes.
#[test]
fn a_growing_buffer() {
    check(
        "params n, m
for i = 0 .. n
  for j = 0 .. i+1
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]
  for j = 0 .. i+1
    for k = 0 .. m
      O[i,k] += s[j] * V[j,k]",
        expect![[r#"
            params n, m
            array s[?] : f64
            array Q[?][?] : f64
            array K[?][?] : f64
            array O[?][?] : f64
            array V[?][?] : f64
            array s_of_its_own[?][?] : f64
            for i0 = 0 .. n
              for i1 = 0 .. i0 + 1
                s_of_its_own[i0][i1] = 0
                for i2 = 0 .. m
                  s_of_its_own[i0][i1] += Q[i0][i2] * K[i1][i2]
              for i1 = 0 .. i0 + 1
                for i2 = 0 .. m
                  O[i0][i2] += s_of_its_own[i0][i1] * V[i1][i2]
            for i0 = 0 .. n
              s[i0] = s_of_its_own[n - 1][i0] @operations 0 0
        "#]],
    );
}

/// The last row is the shortest: what earlier ones leave would be lost.
#[test]
fn a_shrinking_buffer() {
    check(
        "params n, m
for i = 0 .. n
  for j = i .. n
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]",
        expect![["nothing"]],
    );
}

/// One iteration reads what another one, or nobody, has written.
#[test]
fn no_buffers() {
    for text in [
        // Sums go on from iteration to iteration.
        "params n, m
for i = 0 .. n
  for j = 0 .. m
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]",
        // Read before it is written.
        "params n, m
for i = 0 .. n
  for j = 0 .. m
    O[i,j] = s[j]
  for j = 0 .. m
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]",
        // One cell more than is written.
        "params n, m
for i = 0 .. n
  for j = 0 .. m
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]
  for j = 0 .. m+1
    O[i,j] = s[j]",
        // Not written where the other loop is empty.
        "params n, m, l
for i = 0 .. n
  for j = 0 .. l
    s[j] = 0
  for j = 0 .. m
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k]",
        // The next cell is written one iteration later.
        "params n, m
for i = 0 .. n
  for j = 0 .. m
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[j,k] * s[j+1]",
        // Nothing is used again.
        "params n, m
for i = 0 .. n
  for j = 0 .. m
    s[j] = 0
    for k = 0 .. m
      s[j] += Q[i,k] * K[i,j,k]",
    ] {
        check(text, expect![["nothing"]]);
    }
}

/// What reads the buffer behind the loop, in a loop around both.
#[test]
fn what_is_left_is_copied() {
    check(
        "params n, m
for b = 0 .. n
  for i = 0 .. n
    for j = 0 .. m
      T[j+1] = B[j]
    for k = 0 .. m
      for j = 0 .. m
        T[j+1] += A[b,i,k] * C[k,j]
  for j = 0 .. m
    D[b,j] = T[j+1]",
        expect![[r#"
            params n, m
            array T[?] : f64
            array B[?] : f64
            array A[?][?][?] : f64
            array C[?][?] : f64
            array D[?][?] : f64
            array T_of_its_own[?][?] : f64
            for i0 = 0 .. n
              for i1 = 0 .. n
                for i2 = 0 .. m
                  T_of_its_own[i1][i2 + 1] = B[i2]
                for i2 = 0 .. m
                  for i3 = 0 .. m
                    T_of_its_own[i1][i3 + 1] += A[i0][i1][i2] * C[i2][i3]
              for i1 = 0 .. m
                S3: T[i1 + 1] = T_of_its_own[n - 1][i1 + 1] @operations 0 0
              for i1 = 0 .. m
                S2: D[i0][i1] = T[i1 + 1]
        "#]],
    );
}

/// A tridiagonal solve for each row: what is read comes from the first cell's statement, or from the iteration before. What the last row leaves is copied for both.
#[test]
fn a_solve_for_each_row() {
    check(
        "params n, m
for i = 0 .. n
  c[0] = f(A[i,0])
  for j = 1 .. m
    c[j] = f(A[i,j], c[j-1])
    D[i,j] = g(D[i,j], D[i,j-1], c[j-1])
  for j = 0 .. m-1
    D[i,m-2-j] = h(D[i,m-2-j], c[m-2-j], D[i,m-1-j])",
        expect![[r#"
            params n, m
            array c[?] : f64
            array A[?][?] : f64
            array D[?][?] : f64
            array c_of_its_own[?][?] : f64
            for i0 = 0 .. n
              c_of_its_own[0][i0] = f(A[i0][0])
              for i1 = 0 .. m - 1
                c_of_its_own[i1 + 1][i0] = f(A[i0][i1 + 1], c_of_its_own[i1][i0])
                D[i0][i1 + 1] = g(D[i0][i1 + 1], D[i0][i1], c_of_its_own[i1][i0])
              for i1 = 0 .. m - 1
                D[i0][-i1 + m - 2] = h(D[i0][-i1 + m - 2], c_of_its_own[-i1 + m - 2][i0], D[i0][-i1 + m - 1])
            if n >= 1
              c[0] = c_of_its_own[0][n - 1] @operations 0 0
            if n >= 1
              for i0 = 0 .. m - 1
                c[i0 + 1] = c_of_its_own[i0 + 1][n - 1] @operations 0 0
        "#]],
    );
}

/// The same for each column of a plane, for many planes: the innermost of the loops around goes from neighbour to neighbour, and the other one may stay.
#[test]
fn a_solve_for_each_column() {
    check(
        "params n, m
for k = 0 .. n
  for i = 0 .. n
    c[0] = f(A[0])
    for j = 1 .. m
      c[j] = f(A[j], c[j-1])
      D[k,j,i] = g(D[k,j,i], D[k,j-1,i], c[j-1])",
        expect![[r#"
            params n, m
            array c[?] : f64
            array A[?] : f64
            array D[?][?][?] : f64
            array c_of_its_own[?][?] : f64
            for i0 = 0 .. n
              for i1 = 0 .. n
                c_of_its_own[0][i1] = f(A[0])
                for i2 = 0 .. m - 1
                  c_of_its_own[i2 + 1][i1] = f(A[i2 + 1], c_of_its_own[i2][i1])
                  D[i0][i2 + 1][i1] = g(D[i0][i2 + 1][i1], D[i0][i2][i1], c_of_its_own[i2][i1])
            if n >= 1
              c[0] = c_of_its_own[0][n - 1] @operations 0 0
            if n >= 1
              for i0 = 0 .. m - 1
                c[i0 + 1] = c_of_its_own[i0 + 1][n - 1] @operations 0 0
        "#]],
    );
    check(
        "params n, m
for i = 0 .. n
  for k = 0 .. n
    c[0] = f(A[0])
    for j = 1 .. m
      c[j] = f(A[j], c[j-1])
      D[k,j,i] = g(D[k,j,i], D[k,j-1,i], c[j-1])",
        expect![[r#"
            params n, m
            array c[?] : f64
            array A[?] : f64
            array D[?][?][?] : f64
            array c_of_its_own[?][?] : f64
            for i0 = 0 .. n
              for i1 = 0 .. n
                c_of_its_own[0][i0] = f(A[0])
                for i2 = 0 .. m - 1
                  c_of_its_own[i2 + 1][i0] = f(A[i2 + 1], c_of_its_own[i2][i0])
                  D[i1][i2 + 1][i0] = g(D[i1][i2 + 1][i0], D[i1][i2][i0], c_of_its_own[i2][i0])
            if n >= 1
              c[0] = c_of_its_own[0][n - 1] @operations 0 0
            if n >= 1
              for i0 = 0 .. m - 1
                c[i0 + 1] = c_of_its_own[i0 + 1][n - 1] @operations 0 0
        "#]],
    );
}

/// Columns that go through a buffer, although nothing waits.
#[test]
fn columns_through_a_buffer() {
    check(
        "params n, m
for j = 0 .. n
  for i = 0 .. m
    t[i] = A[i,j]
  for i = 1 .. m-1
    A[i,j] = f(t[i-1], t[i], t[i+1])",
        expect![[r#"
            params n, m
            array t[?] : f64
            array A[?][?] : f64
            array t_of_its_own[?][?] : f64
            for i0 = 0 .. n
              for i1 = 0 .. m
                t_of_its_own[i1][i0] = A[i1][i0]
              for i1 = 0 .. m - 2
                A[i1 + 1][i0] = f(t_of_its_own[i1][i0], t_of_its_own[i1 + 1][i0], t_of_its_own[i1 + 2][i0])
            if n >= 1
              for i0 = 0 .. m
                t[i0] = t_of_its_own[i0][n - 1] @operations 0 0
        "#]],
    );
}

/// Rows go through one that LLVM has vectors for; a cell comes from the row before; a cell is written only where a parameter says so; the first cell is written behind what reads it; writers end in
/// different rows; nothing else is as large.
#[test]
fn no_buffers_of_rows() {
    for text in [
        "params n, m
for i = 0 .. n
  for j = 0 .. m
    t[j] = A[i,j]
  for j = 1 .. m-1
    A[i,j] = f(t[j-1], t[j], t[j+1])",
        "params n, m
for i = 0 .. n
  for j = 1 .. m
    c[j] = f(A[i,j], c[j-1])",
        "params n, m
for i = 0 .. n
  if m >= 3
    c[0] = f(A[i,0])
  for j = 1 .. m
    c[j] = f(A[i,j], c[j-1])",
        "params n, m
for i = 0 .. n
  for j = 1 .. m
    c[j] = f(A[i,j], c[j-1])
  c[0] = f(A[i,0])",
        "params n, m
for i = 0 .. n
  c[0] = f(A[i,0])
  for j = 1 .. m
    c[j] = f(A[i,j], c[j-1])
  if i < n - 2
    for j = 0 .. m+1
      c[j] = B[i,j]",
        "params n, m
for i = 0 .. n
  c[0] = f(A[i])
  for j = 1 .. m
    c[j] = f(A[i+j], c[j-1])
  for j = 0 .. m
    B[i] += c[j]",
    ] {
        check(text, expect![["nothing"]]);
    }
}
