//! Which instances touch one cell, and in which direction.

use super::check_dependences;
use expect_test::expect;

/// `x[i] = x[n-1-i]`: anti dependence in one half, flow in the other.
#[test]
fn switching_direction() {
    check_dependences(
        "
params N
for i = 0 .. N
  x[i] = x[N-1-i]
",
        expect![[r#"
            flow S0 -> S0 on x level 0: [N] -> { [t0, s0] : N = t0 + s0 + 1 and 2t0 >= N and t0 <= N - 1 }
            anti S0 -> S0 on x level 0: [N] -> { [t0, s0] : N = t0 + s0 + 1 and 2t0 >= N and t0 <= N - 1 }
        "#]],
    );
}

/// Split by the sign of `i - j`.
#[test]
fn transpose_in_place() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. N
    A[i,j] = A[j,i]
",
        expect![[r#"
            flow S0 -> S0 on A level 0: [N] -> { [t0, t1, s0, s1] : t1 = s0 and t0 = s1 and t0 <= N - 1 and t1 >= 0 and t0 >= t1 + 1 }
            anti S0 -> S0 on A level 0: [N] -> { [t0, t1, s0, s1] : t1 = s0 and t0 = s1 and t0 <= N - 1 and t1 >= 0 and t0 >= t1 + 1 }
        "#]],
    );
}

/// The lower triangle is never read: no dependence.
#[test]
fn symmetric_copy() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. i
    A[j,i] = A[i,j]
",
        expect![[""]],
    );
}

/// One direction only: the diagonal is stored last in its row.
#[test]
fn diagonal_read() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. i+1
    A[i,j] = A[i,i]
",
        expect![[r#"
            anti S0 -> S0 on A level 1: [N] -> { [t0, t1, s0, s1] : t0 = t1 and t0 = s0 and t0 <= N - 1 and s1 >= 0 and t0 >= s1 + 1 }
        "#]],
    );
}

/// Three subscripts of three iterators, of rank two: steps along the null direction, forwards only.
#[test]
fn rank_deficient() {
    check_dependences(
        "
params N
for i = 0 .. N
  for j = 0 .. N
    for k = 0 .. N
      A[i+j,j+k,i-k] = B[i,j,k]
",
        expect![[r#"
            output S0 -> S0 on A level 0: [N] -> { [t0, t1, t2, s0, s1, s2] : t0 + t1 = s0 + s1 and t0 + s2 = t2 + s0 and t0 <= N - 1 and t1 >= 0 and t2 <= N - 1 and t2 + s0 >= t0 and s0 >= 0 and s0 + N >= t0 + t1 + 1 and t0 >= s0 + 1 }
        "#]],
    );
}

/// Two statements store one cell.
#[test]
fn stored_twice() {
    check_dependences(
        "
params N
for i = 0 .. N
  x[i] = a[i]
  x[i] = x[i] * b[i]
",
        expect![[r#"
            output S0 -> S1 on x level 1: [N] -> { [t0, s0] : t0 = s0 and t0 >= 0 and t0 <= N - 1 }
            flow S0 -> S1 on x level 1: [N] -> { [t0, s0] : t0 = s0 and t0 >= 0 and t0 <= N - 1 }
        "#]],
    );
}

/// Accesses of one, two and four cells on one array, against all pairs of instances; a store that may not happen orders like any other.
#[test]
fn widths_and_doubtful_stores() {
    let text =
        "params N\nfor i = 0 .. N\n  x[4i] = y[i]\nfor i = 0 .. N\n  z[i] = x[i+1]\nfor i = 0 .. N\n  x[2i+1] = y[i]";
    for extents in [[1, 1, 1], [4, 1, 2], [4, 3, 2], [1, 4, 1], [2, 2, 5]] {
        let mut scop = crate::testing::scop(text).expect("text");
        scop.statements[0].accesses[0].extent = extents[0];
        scop.statements[1].accesses[1].extent = extents[1];
        scop.statements[2].accesses[0].extent = extents[2];
        scop.statements[2].accesses[0].kind = crate::scop::AccessKind::MayWrite;
        let budget = polyhedra::Budget::generous();
        let found = crate::dependence::Dependences::of(&scop, &budget).expect("dependences");
        let x = [(0, 0, 4, 0), (1, 1, 1, 1), (2, 0, 2, 1)];
        for (k, &(s, a, by, from)) in x.iter().enumerate() {
            for (l, &(t, b, other_by, other_from)) in x.iter().enumerate() {
                for i in 0..5 {
                    for j in 0..5 {
                        let (p, q) = (by * i + from, other_by * j + other_from);
                        let touch = p < q + i64::from(extents[l]) && q < p + i64::from(extents[k]);
                        let first = s < t || (s == t && i < j);
                        let ordered = found
                            .ordering
                            .iter()
                            .filter(|d| (d.source.0, d.source_access.0, d.target.0, d.target_access.0) == (s, a, t, b))
                            .filter(|d| d.relation.contains(&[5], &[j, i]).expect("small"))
                            .count();
                        let writes = k != 1 || l != 1;
                        assert_eq!(ordered, usize::from(touch && first && writes), "{extents:?} S{s}[{i}] S{t}[{j}]");
                    }
                }
            }
        }
        for c in crate::plan::candidates(&scop, &found, &budget).expect("candidates") {
            let bad = crate::testing::violation(&scop, c.schedule.tree(), &[5], 0, 5).expect("small");
            assert_eq!(bad, None, "{}", crate::plan::print(&scop, c.schedule.tree()));
        }
    }
}
