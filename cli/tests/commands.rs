//! The tool itself, run on the sample nests: what it prints, and how it ends.

use expect_test::{Expect, expect};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn nest(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "nests", name].iter().collect();
    path.to_string_lossy().into_owned()
}

/// Exit status, output, errors without the folder of the samples.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loopwright"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool");
    // The tool may not read its input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let out = child.wait_with_output().expect("an end");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let folder = nest("");
    (out.status.code().expect("no signal"), text(out.stdout), text(out.stderr).replace(&folder, ""))
}

fn good(args: &[&str]) -> String {
    let (code, out, err) = run(args, "");
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}\n{out}");
    out
}

#[allow(clippy::needless_pass_by_value)]
fn bad(args: &[&str], input: &str, status: i32, expected: Expect) {
    let (code, _, err) = run(args, input);
    assert_eq!(code, status, "{args:?}\n{err}");
    expected.assert_eq(&err);
}

#[test]
fn scop() {
    expect![[r#"
        params M, N
        for i0 = 0 .. M
          for i1 = 0 .. N
            A[i0][i1] = B[i0][i1]
        for i0 = 0 .. M
          for i1 = 0 .. N
            A[i0][i1] /= U[i1][i1]
            for i2 = 0 .. -i1 + N - 1
              A[i0][i1 + i2 + 1] -= A[i0][i1] * U[i1][i1 + i2 + 1]
    "#]]
    .assert_eq(&good(&["scop", &nest("trisolve.loops")]));
}

#[test]
fn dependences() {
    expect![[r#"
        output S0 -> S0 on C level 0: [n] -> { [t0, t1, t2, s0, s1, s2] : t1 = s1 and t2 = s2 and t0 <= n - 1 and t1 >= 0 and t1 <= n - 1 and t2 >= 0 and t2 <= n - 1 and s0 >= 0 and t0 >= s0 + 1 }
        flow S0 -> S0 on C level 0: [n] -> { [t0, t1, t2, s0, s1, s2] : t1 = s1 and t2 = s2 and t0 <= n - 1 and t1 >= 0 and t1 <= n - 1 and t2 >= 0 and t2 <= n - 1 and s0 >= 0 and t0 >= s0 + 1 }
        anti S0 -> S0 on C level 0: [n] -> { [t0, t1, t2, s0, s1, s2] : t1 = s1 and t2 = s2 and t0 <= n - 1 and t1 >= 0 and t1 <= n - 1 and t2 >= 0 and t2 <= n - 1 and s0 >= 0 and t0 >= s0 + 1 }
    "#]].assert_eq(&good(&["dependences", &nest("matmul.loops")]));
}

#[test]
fn updates_in_another_order() {
    let nussinov = nest("nussinov.loops");
    assert_eq!(good(&["choose", &nussinov]), "left alone: the loops are already in the best form found\n");
    expect![[r#"
        interchanged loops, nests in strips of 256, predicted 1.83 times as fast
        band permutable
          member S0: i0 - N + 2; S1: i0 - N + 2; S2: i0 - N + 2; S3: i0 - N + 2; S4: i0 - N + 2
          band permutable
            member S0: -i0 + i1 + N; S1: -i0 + i1 + N; S2: -i0 + i1 + N; S3: -i0 + i1 + N; S4: -i0 + i2 + N
            sequence
              S0
              S1
              S2
              S3
              band permutable
                member parallel S4: -i0 + i1 + N
                S4
    "#]]
    .assert_eq(&good(&["choose", &nussinov, "--updates"]));
    expect![[r#"
        candidate 0: 98 instances in a legal order, same memory N=7
        candidate 1: 98 instances in a legal order, same memory N=7
        candidate 2: 98 instances in a legal order, same memory N=7
        choice: 98 instances in a legal order, same memory N=7
    "#]]
    .assert_eq(&good(&["verify", &nussinov, "--updates", "--size", "7"]));
    let (_, certificate, _) = run(&["certificate", &nussinov, "--updates"], "");
    let (code, proved, _) = run(&["check", &nussinov, "-", "--updates"], &certificate);
    assert_eq!((code, proved.as_str()), (0, "proved: 52 dependences\n"));
    // By the dependences of the source it proves nothing.
    assert_ne!(run(&["check", &nussinov, "-"], &certificate).0, 0);
    bad(
        &["choose", &nest("matmul.loops"), "--updates"],
        "",
        1,
        expect![[r#"
        there is no other order of updates
    "#]],
    );
}

#[test]
fn shifts() {
    expect![[r#"
        shift S2: [i0, i1, i2 + 1]
    "#]]
    .assert_eq(&good(&["shifts", &nest("trisolve.loops")]));
}

#[test]
fn schedules() {
    expect![[r#"
        candidate 0: origin IndexMatching, delta omega 0
        shift S2: [i0, i1, i2 + 1]
        band permutable
          member parallel S0: i0; S1: i0; S2: i0
          member S0: i1; S1: i1; S2: i1 + i2 + 1
          sequence
            S0
            band permutable
              member S2: i1
              S2
            S1
        candidate 1: origin Fission, delta omega 0
        shift S2: [i0, i1, i2 + 1]
        sequence
          band permutable
            member parallel S0: i0
            member parallel S0: i1
            S0
          band permutable
            member parallel S1: i0; S2: i0
            member S1: i1; S2: i1 + i2 + 1
            sequence
              band permutable
                member S2: i1
                S2
              S1
        candidate 2: origin NestByNest, delta omega 0
        shift S2: [i0, i1, i2 + 1]
        sequence
          band permutable
            member parallel S0: i0
            member parallel S0: i1
            S0
          band permutable
            member parallel S1: i0; S2: i0
            member S1: i1; S2: i1 + i2 + 1
            member S1: i1; S2: i1
            sequence
              S1
              S2
        candidate 3: origin Original, delta omega 0
        shift S2: [i0, i1, i2 + 1]
        sequence
          band permutable
            member parallel S0: i0
            member parallel S0: i1
            S0
          band permutable
            member parallel S1: i0; S2: i0
            member S1: i1; S2: i1
            sequence
              S1
              band permutable
                member parallel S2: i2
                S2
    "#]]
    .assert_eq(&good(&["schedules", &nest("trisolve.loops")]));
}

#[test]
fn choose() {
    expect![[r#"
        interchanged loops, register tile 8x24 with packed operands, predicted 60.32 times as fast
        # S0: tiles c 2040, a 512, b 128, c 24, b 8; 8 rows, 24 columns by 8; pack 2 [a b] inside 3; pack 3 [a c] inside 2; in place 8 rows, 16 columns
        band permutable
          member S0: i0
          member parallel S0: i2
          member parallel S0: i1
          S0
    "#]]
    .assert_eq(&good(&["choose", &nest("matmul.loops"), "--cpu", "znver5"]));
    expect![[r#"
        interchanged loops, tiled 32x64x16, predicted 2.63 times as fast
        band permutable
          member parallel tile 32 S0: i2
          member parallel tile 64 S0: i1
          member tile 16 S0: i0
          S0
    "#]]
    .assert_eq(&good(&["choose", &nest("matmul.loops"), "--policy=force", "--tile", "32x64x16"]));
}

#[test]
fn loops() {
    expect![[r#"
        // candidate 0
        if (1 <= N) {
          for (c0 = 0; c0 <= M - 1; c0 += 1) { // parallel
            for (c1 = 0; c1 <= N - 1; c1 += 1) {
              hold r0 = A[c0][c1] (store) {
                S0: r0 = B[c0][c1];
                for (c2 = 0; c2 <= c1 - 1; c2 += 1) {
                  S2: r0 -= A[c0][c2] * U[c2][c1];
                }
                S1: r0 /= U[c1][c1];
              }
            }
          }
        }
    "#]]
    .assert_eq(&good(&["loops", &nest("trisolve.loops"), "--candidate", "0"]));
    expect![[r#"
        // nests in strips of 512
        for (c0 = 0; c0 <= floord(2*T + N - 4, 512); c0 += 1) { // tile
          for (c1 = max(0, ceild(512*c0 - N + 2, 2)); c1 <= min(256*c0 + 255, T - 1); c1 += 1) {
            for (c2 = max(512*c0 - 2*c1 + 1, 1); c2 <= min(N - 2, 512*c0 - 2*c1 + 512); c2 += 1) { // parallel
              S0: B[c2] = (A[c2 - 1] + A[c2] + A[c2 + 1]) / 3;
            }
            for (c2 = max(512*c0 - 2*c1, 1); c2 <= min(N - 2, 512*c0 - 2*c1 + 511); c2 += 1) { // parallel
              S1: A[c2] = B[c2];
            }
          }
        }
    "#]]
    .assert_eq(&good(&["loops", &nest("jacobi.loops")]));
}

#[test]
fn instances() {
    expect![[r#"
        S0[0, 0, 0]
        S0[1, 0, 0]
        S0[0, 1, 0]
        S0[1, 1, 0]
        S0[0, 0, 1]
        S0[1, 0, 1]
        S0[0, 1, 1]
        S0[1, 1, 1]
    "#]]
    .assert_eq(&good(&["run", &nest("matmul.loops"), "--size", "2", "--candidate=0"]));
}

#[test]
fn verification() {
    for name in ["trisolve", "matmul", "cholesky", "jacobi"] {
        let file = nest(&format!("{name}.loops"));
        let out = good(&["verify", &file, "--size", "6"]);
        assert!(out.contains("choice: ") && out.contains("candidate 0: "), "{out}");
        for seed in 0..4 {
            good(&["verify", &file, "--size", "3,5", "--policy", &format!("random:{seed}")]);
        }
    }
    expect![[r#"
        candidate 0: 12 instances in a legal order, same memory T=3 N=4
    "#]]
    .assert_eq(&good(&["verify", &nest("jacobi.loops"), "--size", "N=4,T=3", "--candidate", "0"]));
}

#[test]
fn certificates_are_printed_and_checked() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("proof.txt").to_string_lossy().into_owned();
    for name in ["trisolve", "matmul", "cholesky", "jacobi"] {
        let nest = nest(&format!("{name}.loops"));
        let proof = good(&["certificate", &nest]);
        std::fs::write(&file, &proof).expect("a file");
        assert!(good(&["check", &nest, &file]).starts_with("proved: "), "{name}");
        // From standard input, with one proof less.
        let last = proof.rfind("proof ").expect("a proof");
        let (code, _, err) = run(&["check", &nest, "-"], &proof[..last]);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains("there is no proof"), "{err}");
    }
    // The proof of another nest.
    std::fs::write(&file, good(&["certificate", &nest("matmul.loops"), "--candidate", "0"])).expect("a file");
    let (code, _, err) = run(&["check", &nest("jacobi.loops"), &file], "");
    assert!(code == 1 || code == 2, "{err}");
    let proof = good(&["certificate", &nest("matmul.loops"), "--candidate", "0"]);
    expect![[r#"
        # candidate 0
        tree
          band permutable
            member parallel S0: i2
            member parallel S0: i1
            member S0: i0
            S0
        proof 0 # output S0 -> S0 on C level 0
          level 0: r0
          level 1: r1
          level 2: 1 + r14
          empty: r14 - d2
          parallel 0: -r0
          parallel 1: -r1
        proof 1 # flow S0 -> S0 on C level 0
          level 0: r0
          level 1: r1
          level 2: 1 + r14
          empty: r14 - d2
        proof 2 # anti S0 -> S0 on C level 0
          level 0: r0
          level 1: r1
          level 2: 1 + r14
          empty: r14 - d2
    "#]]
    .assert_eq(&proof);
    // Another order of the loops is as good a tree, but these sums do not prove it; a factor that was changed proves nothing.
    let turned = proof.replace("member parallel S0: i2", "member parallel S0: -i2");
    bad(
        &["check", &nest("matmul.loops"), "-"],
        &turned,
        1,
        expect![[r#"
        refused: dependence 0, level 0: the certificate does not prove that the distance is not negative
    "#]],
    );
    let factor = proof.replacen("empty: ", "empty: 2*r0 + ", 1);
    bad(
        &["check", &nest("matmul.loops"), "-"],
        &factor,
        1,
        expect![[r#"
        refused: dependence 0, after level 3: the certificate does not prove that nothing is left
    "#]],
    );
    let flag = proof.replace("member S0: i0", "member parallel S0: i0");
    bad(
        &["check", &nest("matmul.loops"), "-"],
        &flag,
        1,
        expect![[r#"
        refused: dependence 0, level 2: there is no proof that the loop is parallel
    "#]],
    );
    let syntax = proof.replacen("level 0: ", "level 0 ", 1);
    bad(
        &["check", &nest("matmul.loops"), "-"],
        &syntax,
        2,
        expect![[r#"
        -:9:11: expected ':', found 'r0'
    "#]],
    );
}

#[test]
fn everything() {
    let out = good(&["all", &nest("cholesky.loops")]);
    for title in ["scop", "dependences", "shifts", "schedules", "choose", "loops", "certificate", "verify"] {
        assert!(out.contains(&format!("== {title}\n")), "{title}");
    }
}

#[test]
fn bad_input() {
    bad(
        &["scop", &nest("indirect.loops")],
        "",
        2,
        expect![[r#"
        indirect.loops:4:13: an array in a subscript, bound or condition is not affine
    "#]],
    );
    bad(
        &["scop", "-"],
        "for i = 0 .. n\n  A[i] = 0",
        2,
        expect![[r#"
        -:1:14: 'n' is neither a parameter nor a loop around this place
    "#]],
    );
    bad(
        &["scop", "no such file"],
        "",
        2,
        expect![[r#"
        no such file: No such file or directory (os error 2)
    "#]],
    );
    bad(
        &["loops", &nest("matmul.loops"), "--candidate", "99"],
        "",
        2,
        expect![[r#"
        --candidate 99: candidates are numbered from 0 to 1
    "#]],
    );
    bad(
        &["run", &nest("matmul.loops"), "--size", "m=3"],
        "",
        2,
        expect![[r#"
        --size: there is no parameter 'm'
    "#]],
    );
    bad(
        &["verify", "-"],
        "for i\n  A[i] = 0",
        2,
        expect![[r#"
            S0 runs without end
        "#]],
    );
    bad(
        &["schedules", &nest("cholesky.loops"), "--budget", "10"],
        "",
        1,
        expect![[r#"
        step budget exhausted
    "#]],
    );
    bad(
        &["frobnicate"],
        "",
        2,
        expect![[r#"
        unknown command 'frobnicate'
        `loopwright help` lists commands and options
    "#]],
    );
    bad(
        &["scop"],
        "",
        2,
        expect![[r#"
        'scop' needs 1 file
        `loopwright help` lists commands and options
    "#]],
    );
    bad(
        &["scop", "-", "--size", "many"],
        "",
        2,
        expect![[r#"
        --size many: expected sizes like 5, or 4,7, or n=4,m=7, each at most 64
        `loopwright help` lists commands and options
    "#]],
    );
    bad(
        &["verify", "-"],
        "for i = 0 .. 10000\n  for j = 0 .. 10000\n    A[i,j] = 0",
        2,
        expect![[r#"
        100000000 instances are too many to enumerate; try a smaller --size
    "#]],
    );
    bad(
        &["verify", &nest("jacobi.loops"), "--size", "2"],
        "",
        2,
        expect![[r#"
        these values of the parameters contradict what is assumed; try another --size
    "#]],
    );
    assert!(good(&["help"]).starts_with("loopwright COMMAND"));
}

#[test]
fn fuse_lists_traversals() {
    expect![[r#"
        nests 0..1 over A.0 B.0 forward: 1 traversal
        #0 S0: i0; S1: i0; S2: i0
          A_B  ⊥⊥  C -1  U 0
          A_T  ⊤⊤  C 1  U 2
        band permutable
          member parallel S0: i0; S1: i0; S2: i0
          member S0: i1; S1: i1; S2: i1 + i2 + 1
          sequence
            S0
            band permutable
              member S2: i1
              S2
            S1
        if (1 <= N) {
          for (c0 = 0; c0 <= M - 1; c0 += 1) { // parallel
            for (c1 = 0; c1 <= N - 1; c1 += 1) {
              hold r0 = A[c0][c1] (store) {
                S0: r0 = B[c0][c1];
                for (c2 = 0; c2 <= c1 - 1; c2 += 1) {
                  S2: r0 -= A[c0][c2] * U[c2][c1];
                }
                S1: r0 /= U[c1][c1];
              }
            }
          }
        }
        nests 0..1 over A.0 B.0 backward: 1 traversal
        #0 S0: -i0; S1: -i0; S2: -i0
          A_B  ⊤⊤  C 1  U 2
          A_T  ⊥⊥  C -1  U 0
        band permutable
          member parallel S0: -i0; S1: -i0; S2: -i0
          member S0: i1; S1: i1; S2: i1 + i2 + 1
          sequence
            S0
            band permutable
              member S2: i1
              S2
            S1
        if (1 <= N) {
          for (c0 = -M + 1; c0 <= 0; c0 += 1) { // parallel
            for (c1 = 0; c1 <= N - 1; c1 += 1) {
              hold r0 = A[-c0][c1] (store) {
                S0: r0 = B[-c0][c1];
                for (c2 = 0; c2 <= c1 - 1; c2 += 1) {
                  S2: r0 -= A[-c0][c2] * U[c2][c1];
                }
                S1: r0 /= U[c1][c1];
              }
            }
          }
        }
        nests 0..1 over A.1 B.1 U.0 U.1 forward: 1 traversal
        #0 S0: i1; S1: i1; S2: i1 + i2 + 1
          A_R  ⊥⊥  C -1  U 0
          A_L  ⊤⊤  C 1  U 2
        band permutable
          member S0: i1; S1: i1; S2: i1 + i2 + 1
          member parallel S0: i0; S1: i0; S2: i0
          sequence
            S0
            band permutable
              member S2: i1
              S2
            S1
        if (1 <= M) {
          for (c0 = 0; c0 <= N - 1; c0 += 1) {
            hold r0 = U[c0][c0] (load) {
              for (c1 = 0; c1 <= M - 1; c1 += 1) { // parallel
                hold r1 = A[c1][c0] (store) {
                  S0: r1 = B[c1][c0];
                  for (c2 = 0; c2 <= c0 - 1; c2 += 1) {
                    S2: r1 -= A[c1][c2] * U[c2][c0];
                  }
                  S1: r1 /= r0;
                }
              }
            }
          }
        }
        nests 0..1 over A.1 B.1 U.0 U.1 backward: impossible
          S1{i1} must have run: all of it is ahead of the boundary
          then S2{i1 + i2 + 1}: output S2 -> S1 on A, as S2[0, 0, 0] before S1[0, 1] for M = 1, N = 2
          then S0{}: flow S0 -> S2 on A, as S0[0, 0] before S2[0, 0, 0] for M = 1, N = 2
          but S0{} cannot have run: none of it is
    "#]]
    .assert_eq(&good(&["fuse", &nest("trisolve.loops"), "--fuse", "eager"]));
}

#[test]
fn fuse_splits_where_a_row_is_a_minimum() {
    let out = good(&["fuse", &nest("lu.loops"), "--fuse=#3"]);
    expect![[r#"
        nest 0 over A.0 A.1 forward: 5 traversals
        #0 S0: i0 + i1 + 1; S1: i0 + i1 + 1 if i1 - i2 - 1 >= 0 | i0 + i2 + 1 if -i1 + i2 >= 0
          A_BR_L  ⊥  C -1  U 0
          A_BL    ⊥  C -1  U 0
          A_TL_L  ⊤  C 0  U 1
          A_BR    ⊥  C -1  U 0
          A_TR    ⊥  C -1  U 0
          A_TL    ⊤  C 0  U 1
        #1 S0: i0 + i1 + 1; S1: i0 + i1 + 1
          A_BR_L  ⊥  C -1  U 0
          A_BL    ⊥  C -1  U 0
          A_TL_L  ⊤  C 0  U 1
          A_BR    ⊥  C -1  U 0
          A_TR    ⊤  C 0  U 1
          A_TL    ⊤  C 0  U 1
        #2 S0: i0; S1: i0 + i2 + 1
          A_BR_L  ⊥  C -1  U 0
          A_BL    ⊤  C 0  U 1
          A_TL_L  ⊤  C 0  U 1
          A_BR    ⊥  C -1  U 0
          A_TR    ⊥  C -1  U 0
          A_TL    ⊤  C 0  U 1
        #3 S0: i0; S1: i0 + i1 + 1 if -i1 + i2 >= 0 | i0 + i2 + 1 if i1 - i2 - 1 >= 0
          A_BR_L  ⊥  C -1  U 0
          A_BL    ⊤  C 0  U 1
          A_TL_L  ⊤  C 0  U 1
          A_BR    ⊥  C -1  U 0
          A_TR    ⊤  C 0  U 1
          A_TL    ⊤  C 0  U 1
        band permutable
          member S0: i0; S1_0: i0 + i1 + 1; S1_1: i0 + i2 + 1
          sequence
            band permutable
              member S1_0: i0; S1_1: i0
              sequence
                band permutable
                  member parallel S1_0: i0 + i2 + 1
                  S1_0
                band permutable
                  member parallel S1_1: i0 + i1 + 1
                  S1_1
            band permutable
              member parallel S0: i0 + i1 + 1
              S0
        for (c0 = 0; c0 <= n - 1; c0 += 1) {
          for (c1 = 0; c1 <= c0 - 1; c1 += 1) {
            hold r0 = A[c0][c1] (load) {
              for (c2 = c0; c2 <= n - 1; c2 += 1) { // parallel
                S1_0: A[c0][c2] -= r0 * A[c1][c2];
              }
            }
            if (c0 + 1 <= n - 1) {
              hold r1 = A[c1][c0] (load) {
                for (c2 = c0 + 1; c2 <= n - 1; c2 += 1) { // parallel
                  S1_1: A[c2][c0] -= A[c2][c1] * r1;
                }
              }
            }
          }
          if (c0 + 1 <= n - 1) {
            hold r2 = A[c0][c0] (load) {
              for (c1 = c0 + 1; c1 <= n - 1; c1 += 1) { // parallel
                S0: A[c1][c0] /= r2;
              }
            }
          }
        }
        #4 S0: i0; S1: i0
          A_BR_L  ⊥  C -1  U 0
          A_BL    ⊤  C 0  U 1
          A_TL_L  ⊤  C 0  U 1
          A_BR    ⊢  C -1  U 1
          A_TR    ⊤  C 0  U 1
          A_TL    ⊤  C 0  U 1
        nest 0 over A.0 A.1 backward: impossible
          S0{i0, i0 + i1 + 1} must have run: all of it is ahead of the boundary
          then S1{i0 + i1 + 1, i0 + i2 + 1}: output S1 -> S0 on A, as S1[0, 1, 0] before S0[1, 0] for n = 3
          then S0{i0 + i1 + 1}: flow S0 -> S1 on A, as S0[0, 0] before S1[0, 0, 0] for n = 2
          then S1{}: flow S1 -> S0 on A, as S1[0, 0, 0] before S0[1, 0] for n = 3
          but S1{} cannot have run: none of it is
    "#]]
    .assert_eq(&out);
}

#[test]
fn fuse_says_why_not() {
    let (code, out, err) = run(&["fuse", &nest("../problems/cholesky_solves.problem")], "");
    assert_eq!((code, err.as_str()), (1, "the whole sequence cannot be fused\n"));
    expect![[r#"
        chol; lower; upper: cannot be fused
          if chol L_TL.out is past
            chol L_BR.out is future: not all operations (op) of chol can be on one side
            C(L_BR) <= -1: chol has computed L_BR iff all its tasks are past
            upper b_B.out is future: when upper b_B.out is past, the loops before have computed L_BR.in
            upper b_T.out is past: not all operations (op) of upper can be on one side
            upper b_T.0 is future: upper b_T.0 needs b_B.out when it is past
            contradiction: upper b_T.0 must still find b_T.in when it is future
          if chol L_TL.out is future
            chol L_BR.out is past: not all operations (op) of chol can be on one side
            chol L_BL.out is future: chol L_BL.out needs L_TL.out when it is past
            chol L_BR.0 is past: chol L_BR.0 must still find L_BR.in when it is future
            contradiction: chol L_BR.0 needs L_BL.out when it is past
        chol; lower: 5 ways
        upper: 2 ways
    "#]]
    .assert_eq(&out);
    let (code, out, err) = run(&["fuse", &nest("cholesky_solves.loops")], "");
    assert_eq!((code, err.as_str()), (1, "the nests cannot share one traversal\n"));
    expect![[r#"
        the 3 nests cannot share one traversal
          nests 0..2 over A.0 A.1 b.0 forward: impossible
            S5{-i0 + n - 1} must have run: all of it is behind the boundary
            then S6{i1}: output S6 -> S5 on b, as S6[0, 0] before S5[1] for n = 2
            then S3{}: flow S3 -> S6 on b, as S3[1] before S6[0, 0] for n = 2
            but S3{} cannot have run: none of it is
          nests 0..2 over A.0 A.1 b.0 backward: impossible
            S3{i0} must have run: all of it is ahead of the boundary
            then S4{i0 + i1 + 1}: output S4 -> S3 on b, as S4[0, 0] before S3[1] for n = 2
            then S3{}: flow S3 -> S4 on b, as S3[0] before S4[0, 0] for n = 2
            but S3{} cannot have run: none of it is
        nests 0..1 over A.0 A.1 b.0 forward: 5 traversals
        #0 S0: i0; S1: i0 + i1 + 1; S2: i0 + i1 + 1; S3: i0; S4: i0 + i1 + 1
          A_BR_D   ⊥.  C -1  U 0
          A_TL_D   ⊤.  C 0..1  U 1..2
          A_BR_L   ⊥.  C -1  U 0
          A_BL     ⊥.  C -1  U 0
          A_TL_L   ⊤.  C 0..1  U 1..2
          A_BR_LD  ⊥.  C -1  U 0
          A_TL_LD  ⊤.  C 0..1  U 1..2
          b_B      .⊥  C -1..0  U 0..1
          b_T      .⊤  C 1  U 2
        #1 S0: i0; S1: i0; S2: i0 + i2 + 1; S3: i0; S4: i0 + i1 + 1
          A_BR_D   ⊥.  C -1  U 0
          A_TL_D   ⊤.  C 0..1  U 1..2
          A_BR_L   ⊥.  C -1  U 0
          A_BL     ⊤.  C 0..1  U 1..2
          A_TL_L   ⊤.  C 0..1  U 1..2
          A_BR_LD  ⊥.  C -1  U 0
          A_TL_LD  ⊤.  C 0..1  U 1..2
          b_B      .⊥  C -1..0  U 0..1
          b_T      .⊤  C 1  U 2
        #2 S0: i0; S1: i0; S2: i0 + i2 + 1; S3: i0; S4: i0
          A_BR_D   ⊥.  C -1  U 0
          A_TL_D   ⊤.  C 0..1  U 1..2
          A_BR_L   ⊥.  C -1  U 0
          A_BL     ⊤.  C 0..1  U 1..2
          A_TL_L   ⊤.  C 0..1  U 1..2
          A_BR_LD  ⊥.  C -1  U 0
          A_TL_LD  ⊤.  C 0..1  U 1..2
          b_B      .⊢  C -1..0  U 2
          b_T      .⊤  C 1  U 2
        #3 S0: i0; S1: i0; S2: i0; S3: i0; S4: i0 + i1 + 1
          A_BR_D   ⊥.  C -1  U 0
          A_TL_D   ⊤.  C 0..1  U 1..2
          A_BR_L   ⊥.  C -1  U 0
          A_BL     ⊤.  C 0..1  U 1..2
          A_TL_L   ⊤.  C 0..1  U 1..2
          A_BR_LD  ⊢.  C -1  U 1..2
          A_TL_LD  ⊤.  C 0..1  U 1..2
          b_B      .⊥  C -1..0  U 0..1
          b_T      .⊤  C 1  U 2
        #4 S0: i0; S1: i0; S2: i0; S3: i0; S4: i0
          A_BR_D   ⊥.  C -1  U 0
          A_TL_D   ⊤.  C 0..1  U 1..2
          A_BR_L   ⊥.  C -1  U 0
          A_BL     ⊤.  C 0..1  U 1..2
          A_TL_L   ⊤.  C 0..1  U 1..2
          A_BR_LD  ⊢.  C -1  U 1..2
          A_TL_LD  ⊤.  C 0..1  U 1..2
          b_B      .⊢  C -1..0  U 2
          b_T      .⊤  C 1  U 2
        nests 0..1 over A.0 A.1 b.0 backward: impossible
          S3{i0} must have run: all of it is ahead of the boundary
          then S4{i0 + i1 + 1}: output S4 -> S3 on b, as S4[0, 0] before S3[1] for n = 2
          then S3{}: flow S3 -> S4 on b, as S3[0] before S4[0, 0] for n = 2
          but S3{} cannot have run: none of it is
        nest 2 over A.0 A.1 b.0 forward: impossible
          S5{-i0 + n - 1} must have run: all of it is behind the boundary
          then S6{i1}: output S6 -> S5 on b, as S6[0, 0] before S5[1] for n = 2
          then S5{}: flow S5 -> S6 on b, as S5[0] before S6[0, 0] for n = 2
          but S5{} cannot have run: none of it is
        nest 2 over A.0 A.1 b.0 backward: 2 traversals
        #0 S5: i0 - n + 1; S6: -i1
          b_B  ⊤  C 0  U 1
          b_T  ⊥  C -1  U 0
        #1 S5: i0 - n + 1; S6: i0 - n + 1
          b_B  ⊤  C 0  U 1
          b_T  ⊢  C -1  U 1
    "#]]
    .assert_eq(&out);
}

#[test]
fn fuse_reads_problems() {
    let gemm = "loop scale\nop C_T.out = beta * C_T.in\nop C_B.out = beta * C_B.in\nloop add\nop C_T.out = C_T.in + A_T.in * B\nop C_B.out = C_B.in + A_B.in * B\n";
    let (code, out, _) = run(&["fuse", "-", "--shared-inputs"], gemm);
    assert_eq!(code, 0);
    expect![[r#"
        scale; add: 2 ways
        #0 scale {C_B.out}; add {C_B.out}
          C_T  ⊥⊥  C -1  U 0
          C_B  ⊤⊤  C 1  U 2
          A_T  .⊥  C -1..0  U 0..1
          A_B  .⊤  C 1  U 2
        #1 scale {C_T.out}; add {C_T.out}
          C_T  ⊤⊤  C 1  U 2
          C_B  ⊥⊥  C -1  U 0
          A_T  .⊤  C 1  U 2
          A_B  .⊥  C -1..0  U 0..1
    "#]]
    .assert_eq(&out);
    bad(
        &["fuse", "-"],
        "loop a\nop x.out = f(y.tilde)",
        2,
        expect![[r#"
        -:2:14: 'tilde' is no stage: expected in, out, or a number like 0 or 0a
    "#]],
    );
}
