//! Products, convolutions, vectors: the indices of the result outside, the sum inside.

use super::check;
use crate::properties::one_result;
use expect_test::expect;

/// The zero is stored inside of the two shared loops.
#[test]
fn zero_initialised_product() {
    check(
        "
params N, M, K
for i = 0 .. N
  for j = 0 .. M
    C[i,j] = 0
    for k = 0 .. K
      C[i,j] += A[i,k] * B[k,j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0; S1: i0
              member parallel S0: i1; S1: i1
              sequence
                S0
                band permutable
                  member S1: i2
                  S1
        "#]],
    );
}

/// Both operands transposed: the store decides.
#[test]
fn transposed_product() {
    check(
        "
params N, M, K
for k = 0 .. K
  for j = 0 .. M
    for i = 0 .. N
      C[i,j] += A[k,i] * B[j,k]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i2
              member parallel S0: i1
              member S0: i0
              S0
        "#]],
    );
}

/// The index pairs of this "bad" product are those of a plain one after a change of axes.
#[test]
fn orthogonalised_product() {
    check(
        "
params N
for i = 0 .. N
  for l = 0 .. i+1
    for j = 0 .. l+1
      W[j,i-l] += B[j,l-j] * C[l-j,i-l]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i2
              member parallel S0: i0 - i1
              member S0: i1 - i2
              S0
        "#]],
    );
}

/// The indices of C outside. The order of the sums is kept, so the two reduction loops cannot be interchanged.
#[test]
fn convolution() {
    check(
        "
params N, M, K, L
for i = 0 .. N
  for j = 0 .. M
    for k = 0 .. K
      for l = 0 .. L
        C[i,j] += A[i+k,j+l] * W[k,l]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0
              member parallel S0: i1
              member S0: i2
              band permutable
                member S0: i3
                S0
        "#]],
    );
}

/// The same from the other side.
#[test]
fn reverse_convolution() {
    check(
        "
params N, M, K, L
for n = 0 .. N
  for m = 0 .. M
    for i = 0 .. K
      for j = 0 .. L
        C[n+j,m+i] += A[n,m] * B[j,i]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i0 + i3
              member parallel S0: i1 + i2
              member S0: i0
              band permutable
                member S0: i1
                S0
        "#]],
    );
}

/// The reduction inside, whatever the source says.
#[test]
fn matrix_vector() {
    check(
        "
params N, M
for j = 0 .. M
  for i = 0 .. N
    y[i] += A[i,j] * x[j]
",
        expect![[r#"
            origin IndexMatching, delta omega 0
            band permutable
              member parallel S0: i1
              member S0: i0
              S0
        "#]],
    );
}

/// Six orders of the loops; plain, with the zeros stored before, with a factor applied before; operands as they are or transposed: each has one
/// result, with the sum inside.
#[test]
fn product_in_any_order() {
    let operands = [("A[i,k]", "B[k,j]"), ("A[k,i]", "B[k,j]"), ("A[i,k]", "B[j,k]"), ("A[k,i]", "B[j,k]")];
    for (a, b) in operands {
        for first in ["", "C[i,j] = 0", "C[i,j] = C[i,j] * beta[]"] {
            let head = match first {
                "" => String::new(),
                text => format!("for j = 0 .. M\n  for i = 0 .. N\n    {text}\n"),
            };
            let mut forms = Vec::new();
            for order in ["ijk", "ikj", "jik", "jki", "kij", "kji"] {
                let mut text = format!("params N, M, K\n{head}");
                for (depth, c) in order.chars().enumerate() {
                    let most = match c {
                        'i' => "N",
                        'j' => "M",
                        _ => "K",
                    };
                    text.push_str(&format!("{}for {c} = 0 .. {most}\n", "  ".repeat(depth)));
                }
                text.push_str(&format!("      C[i,j] += {a} * {b}\n"));
                forms.push(text);
            }
            let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
            let trees = one_result(&forms);
            // The last row of the update takes part in no index of C.
            assert!(trees[0].ends_with(if first.is_empty() { "pps(S)" } else { "pp([S; s(S)])" }), "{}", trees[0]);
        }
    }
}

/// The vector that is stored outside, the sum inside, whatever the source says.
#[test]
fn vectors() {
    for (forms, shape) in [
        (
            [
                "for i = 0 .. N\n  for j = 0 .. M\n    y[i] += A[i,j] * x[j]",
                "for j = 0 .. M\n  for i = 0 .. N\n    y[i] += A[i,j] * x[j]",
            ],
            "ps(S)",
        ),
        (
            [
                "for i = 0 .. N\n  for j = 0 .. M\n    y[j] += A[i,j] * x[i]",
                "for j = 0 .. M\n  for i = 0 .. N\n    y[j] += A[i,j] * x[i]",
            ],
            "ps(S)",
        ),
        (["for i = 0 .. N\n  s[] += x[i] * y[i]", "for i in 3 .. N+3\n  s[] += x[i-3] * y[i-3]"], "s(S)"),
        (["for i = 0 .. N\n  y[i] += a[] * x[i]", "for i = N-1 downto 0\n  y[i] += a[] * x[i]"], "p(S)"),
        (
            [
                "for i = 0 .. N\n  for j = 0 .. M\n    A[i,j] += x[i] * y[j]",
                "for j = 0 .. M\n  for i = 0 .. N\n    A[i,j] += x[i] * y[j]",
            ],
            "pp(S)",
        ),
    ] {
        let texts = forms.map(|f| format!("params N, M\n{f}"));
        assert_eq!(one_result(&[&texts[0], &texts[1]])[0], shape, "{}", texts[0]);
    }
}
