//! How long scheduling takes, from dependences to certificates: `cargo bench -p scheduler`.
//!
//! Whole: [`Dependences::of`] and [`plan::candidates`], all candidates with their proofs. Medians of repeated runs, and the goals beside them. No harness and
//! no statistics beyond that: what matters here are factors, and how time grows with the number of statements.

use polyhedra::Budget;
use scheduler::dependence::Dependences;
use scheduler::{plan, testing};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Name, goal in milliseconds, text.
const KERNELS: [(&str, f64, &str); 8] = [
    ("matmul", 1.0, "params N\nfor i = 0 .. N\n  for j = 0 .. N\n    for k = 0 .. N\n      C[i,j] += A[i,k] * B[k,j]"),
    (
        "trisolve",
        3.0,
        "params M, N\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] = B[m,n]\nfor m = 0 .. M\n  for n = 0 .. N\n    A[m,n] /= U[n,n]\n    for k = n+1 .. N\n      A[m,k] -= A[m,n] * U[n,k]",
    ),
    (
        "cholesky",
        4.0,
        "params N\nfor k = 0 .. N\n  A[k,k] = A[k,k]\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. i+1\n      A[i,j] -= A[i,k] * A[j,k]",
    ),
    (
        "mean and deviation",
        5.0,
        "params N, M\nfor j = 0 .. M\n  m[j] = 0\n  for i = 0 .. N\n    m[j] += X[i,j]\nfor j = 0 .. M\n  m[j] = m[j] * n[]\nfor j = 0 .. M\n  s[j] = 0\n  for i = 0 .. N\n    s[j] += X[i,j] * X[i,j] - m[j]\nfor j = 0 .. M\n  s[j] = s[j] * n[]\nfor i = 0 .. N\n  for j = 0 .. M\n    Y[i,j] = X[i,j] - m[j] / s[j]",
    ),
    (
        "jacobi 1d",
        8.0,
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    B[i] = A[i-1] + A[i] + A[i+1]\n  for i = 1 .. N-1\n    A[i] = B[i]",
    ),
    (
        "fdtd 2d",
        8.0,
        "params T, N, M\nfor t = 0 .. T\n  for j = 0 .. M\n    E[0,j] = f[t]\n  for i = 1 .. N\n    for j = 0 .. M\n      E[i,j] = E[i,j] + H[i,j] + H[i-1,j]\n  for i = 0 .. N\n    for j = 1 .. M\n      X[i,j] = X[i,j] + H[i,j] + H[i,j-1]\n  for i = 0 .. N-1\n    for j = 0 .. M-1\n      H[i,j] = H[i,j] + X[i,j+1] + X[i,j] + E[i+1,j] + E[i,j]",
    ),
    (
        "jacobi 2d",
        50.0,
        "params T, N\nfor t = 0 .. T\n  for i = 1 .. N-1\n    for j = 1 .. N-1\n      B[i,j] = A[i,j] + A[i,j-1] + A[i,1+j] + A[1+i,j] + A[i-1,j]\n  for i = 1 .. N-1\n    for j = 1 .. N-1\n      A[i,j] = B[i,j] + B[i,j-1] + B[i,1+j] + B[1+i,j] + B[i-1,j]",
    ),
    (
        "lu",
        4.0,
        "params N\nfor k = 0 .. N\n  for i = k+1 .. N\n    A[i,k] /= A[k,k]\n  for i = k+1 .. N\n    for j = k+1 .. N\n      A[i,j] -= A[i,k] * A[k,j]",
    ),
];

/// `statements` assignments in nests of up to four, each nest of two loops; each reads what the one before and the one three places before have stored.
fn chain(statements: usize, nests: usize) -> String {
    let mut text = "params N, M\n".to_string();
    let mut made = 0;
    for nest in 0..nests {
        text.push_str("for i = 0 .. N\n  for j = 0 .. M\n");
        while made < statements * (nest + 1) / nests {
            let back = |k: usize| if made >= k { format!("A{}[i,j]", made - k) } else { "I[i,j]".to_string() };
            let _ = writeln!(text, "    A{made}[i,j] = {} * {} + x[j]", back(1), back(3));
            made += 1;
        }
    }
    text
}

/// Stencils on `arrays` arrays in turn inside a time loop: no two of them share a loop without skewing, so that all work is the LP's.
fn stencils(arrays: usize) -> String {
    let mut text = "params T, N\nfor t = 0 .. T\n".to_string();
    for k in 0..arrays {
        let from = (k + arrays - 1) % arrays;
        let _ = writeln!(text, "  for i = 1 .. N-1\n    A{k}[i] = A{from}[i-1] + A{from}[i] + A{from}[i+1]");
    }
    text
}

/// The median, in milliseconds, of the whole and of the dependences alone, after a run to warm up.
fn measure(text: &str) -> Result<(f64, f64, usize, usize), scheduler::Error> {
    let scop = testing::scop(text)?;
    let (mut whole, mut first, mut edges, mut found) = (Vec::new(), Vec::new(), 0, 0);
    let start = Instant::now();
    while whole.len() < 3 || (whole.len() < 31 && start.elapsed() < Duration::from_millis(1500)) {
        let budget = Budget::generous();
        let t = Instant::now();
        let mut dependences = Dependences::of(&scop, &budget)?;
        if std::env::var_os("COVER").is_some() {
            dependences = dependences.without_covered(&scop, &budget)?;
        }
        first.push(t.elapsed().as_secs_f64() * 1e3);
        found = plan::candidates(&scop, &dependences, &budget)?.len();
        whole.push(t.elapsed().as_secs_f64() * 1e3);
        edges = dependences.ordering.len();
    }
    let median = |v: &mut Vec<f64>| {
        v.sort_by(f64::total_cmp);
        v[v.len() / 2]
    };
    Ok((median(&mut whole), median(&mut first), edges, found))
}

/// Milliseconds for all solutions of a fusion problem with their strips, or for all traversals of nests with their proofs: the median of some runs.
fn fusion(text: &str) -> Result<(f64, usize), scheduler::Error> {
    let (mut times, mut found) = (Vec::new(), 0);
    for _ in 0..11 {
        let budget = Budget::generous();
        let t = Instant::now();
        found = if scheduler::fusion::is_problem(text) {
            let problem = scheduler::fusion::parse(text)?;
            match scheduler::fusion::fuse(&problem, scheduler::fusion::SharedInputs::Free, &budget)? {
                scheduler::fusion::Answer::Fusable(list) => list.len(),
                scheduler::fusion::Answer::Refuted(_) => 0,
            }
        } else {
            let scop = testing::scop(text)?;
            let dependences = Dependences::of(&scop, &budget)?;
            let all = scheduler::fusion::traversals(&scop, &dependences, &budget)?;
            all.iter().map(|(_, list)| list.len()).sum()
        };
        times.push(t.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], found))
}

/// Name, goal in milliseconds, text.
const FUSION: [(&str, f64, &str); 5] = [
    ("fusion: two products", 10.0, include_str!("../src/fusion/problems/tze_meng.problem")),
    ("fusion: LU, inverses", 10.0, include_str!("../src/fusion/problems/lu_then_invert.problem")),
    ("fusion: SPD inverse", 10.0, include_str!("../src/fusion/problems/symm_inv.problem")),
    ("traversals: SPD inverse", 100.0, include_str!("../src/fusion/nests/spd_inverse.loops")),
    ("traversals: LU, inverses", 100.0, include_str!("../src/fusion/nests/lu_inverses.loops")),
];

fn main() -> Result<(), scheduler::Error> {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    println!("{:24} {:>9} {:>9} {:>9} {:>6} {:>10}", "", "ms", "goal", "of it dep", "edges", "candidates");
    let mut rows: Vec<(String, Option<f64>, String)> =
        KERNELS.iter().map(|(name, goal, text)| ((*name).to_string(), Some(*goal), (*text).to_string())).collect();
    rows.push(("30 statements, 8 nests".into(), Some(150.0), chain(30, 8)));
    for n in [5, 10, 20, 40, 80] {
        rows.push((format!("{n} statements, {} nests", n / 4 + 1), None, chain(n, n / 4 + 1)));
    }
    for n in [3, 6, 12, 24] {
        rows.push((format!("{n} stencils in time"), None, stencils(n)));
    }
    for (name, goal, text) in rows.into_iter().filter(|r| wanted.as_ref().is_none_or(|w| r.0.contains(w.as_str()))) {
        let (whole, first, edges, found) = measure(&text)?;
        let goal = goal.map_or(String::new(), |g| format!("{g:.0}{}", if whole > g { " missed" } else { "" }));
        println!("{name:24} {whole:9.3} {goal:>9} {first:9.3} {edges:6} {found:10}");
    }
    for (name, goal, text) in FUSION.into_iter().filter(|r| wanted.as_ref().is_none_or(|w| r.0.contains(w.as_str()))) {
        let (whole, found) = fusion(text)?;
        let goal = format!("{goal:.0}{}", if whole > goal { " missed" } else { "" });
        println!("{name:24} {whole:9.3} {goal:>9} {:9} {:6} {found:10}", "", "");
    }
    Ok(())
}
