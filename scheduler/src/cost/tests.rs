//! The model against numbers that can be computed by hand.

use super::carried::Carried;
use super::*;
use crate::scop::AccessKind;
use crate::{legality, testing};
use polyhedra::Affine;

const N: f64 = 1000.0;

fn machine() -> Machine {
    Machine::for_cpu("znver5", 512, 32)
}

fn source(text: &str, look: impl FnOnce(&Model<'_>, &Estimate, &Nest)) {
    let scop = testing::scop(text).expect("text of a part");
    source_of(&scop, look);
}

fn source_of(scop: &Scop, look: impl FnOnce(&Model<'_>, &Estimate, &Nest)) {
    let budget = Budget::generous();
    let dependences = Dependences::of(scop, &budget).expect("dependences");
    let machine = machine();
    let model = Model::new(scop, &dependences, &machine, &budget).expect("model");
    let (estimate, nest) = model.estimate_with_loops(&legality::original(scop)).expect("no error").expect("legal");
    look(&model, &estimate, &nest);
}

/// The loops as the source has them.
fn of_source(model: &Model<'_>) -> Estimate {
    model.source(&legality::original(model.scop)).expect("no error").expect("legal")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 0.01 * b.abs()
}

fn carried(text: &str) -> Vec<Carried> {
    carried_in(text, |distances, tree| distances.annotate(tree))
}

fn carried_in(text: &str, annotate: fn(&Distances, &Node) -> crate::Result<Option<Annotated>>) -> Vec<Carried> {
    let scop = testing::scop(text).expect("text of a part");
    let budget = Budget::generous();
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let distances = Distances::new(&scop, &dependences, &budget).expect("distances");
    annotate(&distances, &legality::original(&scop)).expect("no error").expect("legal").carried
}

#[test]
fn instances_do_not_depend_on_the_order_of_loops() {
    let tetrahedra = [
        "params n\nfor i = 0 .. n\n  for j = 0 .. i\n    for k = 0 .. j\n      s[] += A[i,j,k]",
        "params n\nfor k in 0 .. n\n  for j in k+1 .. n\n    for i in j+1 .. n\n      s[] += A[i,j,k]",
        "params n\nfor j in 0 .. n\n  for i in j+1 .. n\n    for k in 0 .. j\n      s[] += A[i,j,k]",
    ];
    let size = 160.0;
    for text in tetrahedra {
        source(text, |_, _, nest| {
            let instances = nest.paths.values().map(nest::Path::instances).fold(0.0, |a, b| a + b);
            // The real number is n (n - 1) (n - 2) / 6.
            assert!((instances / (size * (size - 1.0) * (size - 2.0) / 6.0) - 1.0).abs() < 0.03, "{text}: {instances}");
        });
    }
}

/// Code for both runs through all that lies between them.
#[test]
fn what_lies_between_statements_far_apart_counts() {
    let text = |n: i64| {
        let (from, to) = (n, n + 1);
        format!(
            "params n\nfor i\n  if 0 <= i and i + 1 <= n\n    A[i] = 0\n  if {from}*n <= i and i + 1 <= {to}*n\n    B[i] = 0"
        )
    };
    let cycles = |n: i64| {
        let out = std::cell::Cell::new(0.0);
        source(&text(n), |_, estimate, _| out.set(estimate.cycles));
        out.get()
    };
    assert!(close(cycles(0), cycles(1)), "{} {}", cycles(0), cycles(1));
    assert!(cycles(100) - cycles(1) > 100.0 * N, "{} {}", cycles(100), cycles(1));
}

#[test]
fn what_is_rounded_has_as_many_values_as_in_truth() {
    // One block `t` for each `i`.
    let text = "params n\nfor i = 0 .. n\n  for t\n    if 8*t <= i <= 8*t + 7 and 0 <= t\n      A[i] = 0";
    source(text, |_, _, nest| {
        let path = nest.paths.values().next().expect("one statement");
        assert!(close(path.steps[1].extent, 1.0), "{:?}", path.steps);
    });
}

#[test]
fn parameters_respect_the_context() {
    source("params n\nassume n <= 50\nfor i = 0 .. n\n  A[i] = 0", |model, _, _| assert_eq!(model.shapes.params, [50]));
    source("params n\nassume n >= 5000\nfor i = 0 .. n\n  A[i] = 0", |model, _, _| {
        assert_eq!(model.shapes.params, [5000]);
    });
}

#[test]
fn loops_between_parameters_have_a_typical_length() {
    source("params n, m\nfor i = n .. m\n  A[i] = 0", |_, estimate, _| {
        assert!(close(estimate.inner[0].trips, N), "{estimate:?}");
    });
}

#[test]
fn what_loops_carry() {
    use Carried::{Forward, Nothing, Recurrence, Reduction, Short};
    assert_eq!(carried("params n\nfor i = 0 .. n\n  A[i] = B[i]"), [Nothing]);
    assert_eq!(carried("params n\nfor i = 0 .. n\n  s[] += B[i]"), [Reduction]);
    // Reads what later iterations overwrite: a vector loads before it stores.
    assert_eq!(carried("params n\nfor i = 0 .. n\n  A[i] = A[i+1]"), [Forward]);
    assert_eq!(carried("params n\nfor i = 3 .. n\n  A[i] = A[i-3]"), [Recurrence { distance: 3 }]);
    // The first statement's store is for the second one's next iterations, which load parts of two vectors; at other distances whole ones, or so late that it does not matter.
    let stored_and_loaded =
        |distance: i64| carried(&format!("params n\nfor i = {distance} .. n\n  A[i] = C[i]\n  B[i] = A[i-{distance}]"));
    assert_eq!(stored_and_loaded(1), [Short { most: 1 }]);
    assert_eq!(stored_and_loaded(12), [Short { most: 4 }]);
    assert_eq!(stored_and_loaded(999), [Forward]);
    // Nothing waits where no value comes back to the statement that it comes from, in whatever order they are.
    assert_eq!(carried("params n\nfor i = 1 .. n\n  B[i] = A[i-1]\n  A[i] = C[i]"), [Short { most: 1 }]);
    assert_eq!(carried("params n\nfor i = 1 .. n\n  B[i] = A[i-1]\n  A[i] = B[i]"), [Recurrence { distance: 1 }]);
    assert_eq!(carried("params n\nfor i = 0 .. n\n  A[i] = C[i]\n  A[i+1] = D[i]"), [Short { most: 1 }]);
    assert_eq!(
        carried("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    for k = 0 .. n\n      C[i,j] += A[i,k] * B[k,j]"),
        [Nothing, Nothing, Reduction]
    );
}

/// The source may have in a register what it stored.
#[test]
fn what_loops_of_the_source_carry() {
    let carried = |loaded: &str| {
        let text = format!("params n\nfor i = 1 .. n\n  A[i] = C[i]\n  B[i] = A[i-1]{loaded}");
        carried_in(&text, |distances, tree| distances.annotate_source(tree))
    };
    assert_eq!(carried(""), [Carried::Forward]);
    assert_eq!(carried(" @loaded 1"), [Carried::Short { most: 1 }]);
}

/// Memory of our own, and what is loaded once and kept, are in registers in the source; in new loops they are not.
#[test]
fn the_source_has_values_in_registers() {
    let cycles = |array: &str, loaded: &str| {
        let text = format!(
            "params n\narray T[?] : f64{array}\nfor i = 2 .. n\n  T[i] = B[i]{loaded}\n  C[i] = f(T[i], B[i-2], B[i-1]){loaded}"
        );
        let scop = testing::scop(&text).expect("text of a part");
        let budget = Budget::generous();
        let dependences = Dependences::of(&scop, &budget).expect("dependences");
        let machine = machine();
        let model = Model::new(&scop, &dependences, &machine, &budget).expect("model");
        let tree = legality::original(&scop);
        let of = |e: crate::Result<Option<Estimate>>| e.expect("no error").expect("legal").cycles;
        (of(model.source(&tree)), of(model.estimate(&tree)))
    };
    let (source, loops) = cycles("", "");
    assert!(close(source, loops), "{source} {loops}");
    let (of_virtual, loops_of_virtual) = cycles(" virtual", "");
    assert!(of_virtual < 0.8 * source && close(loops_of_virtual, loops), "{of_virtual} {source} {loops_of_virtual}");
    // All of the first statement's reads, one of the second's.
    let (of_loads, loops_of_loads) = cycles(" virtual", " @loaded 1");
    assert!(of_loads <= of_virtual && close(loops_of_loads, loops), "{of_loads} {of_virtual} {loops_of_loads}");
}

#[test]
fn a_strict_sum_takes_a_latency_an_iteration() {
    source("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    y[i] += A[i,j] * x[j]", |_, estimate, _| {
        let inner = &estimate.inner[0];
        assert_eq!(inner.execution, Execution::Chain { cycles: 4.0 });
        assert!(inner.compute > 0.9 * 4.0 * N * N && inner.compute < 4.0 * N * N, "{inner:?}");
    });
}

#[test]
fn contiguous_parallel_loops_run_as_vectors() {
    source("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = A[i,j]", |_, estimate, _| {
        assert_eq!(estimate.inner[0].execution, Execution::Vector { lanes: 8 });
    });
    source("params n\nfor j = 0 .. n\n  for i = 0 .. n\n    B[i,j] = A[i,j]", |_, estimate, _| {
        assert_eq!(estimate.inner[0].execution, Execution::Scalar);
        assert!(estimate.inner[0].strided);
    });
}

#[test]
fn lines_of_a_matrix_read_once() {
    // 32 MB that no cache holds: every line comes from memory once. The 4 kB of `s` stay.
    source("params n\nassume n >= 8000\nfor i = 0 .. n\n  for j = 0 .. 500\n    s[j] += A[i,j]", |_, estimate, _| {
        let m = machine();
        let lines = 8000.0 * 500.0 / 8.0;
        let expected = lines * (m.line_from_l2 + m.line_from_l3 + m.line_from_memory);
        assert!((estimate.inner[0].memory / expected - 1.0).abs() < 0.05, "{:?} {expected}", estimate.inner);
    });
}

#[test]
fn a_matrix_that_does_not_fit_is_fetched_again() {
    let text = |n: i64| {
        format!(
            "params n\nassume n >= {n} and n <= {n}\nfor i = 0 .. n\n  for k = 0 .. n\n    for j = 0 .. n\n      C[i,j] += A[i,k] * B[k,j]"
        )
    };
    // 128 kB of B stay in the second level, 18 MB do not.
    let cycles = |n: i64| {
        let out = std::cell::Cell::new(0.0);
        source(&text(n), |_, estimate, _| out.set(estimate.inner[0].memory));
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let instances = (n * n * n) as f64;
        out.get() / instances
    };
    assert!(cycles(1500) > 4.0 * cycles(128), "{} {}", cycles(128), cycles(1500));
}

/// Rows that lie a power of two apart fall into a few sets of each cache.
#[test]
fn columns_a_power_of_two_apart_do_not_fit() {
    let memory = |n: i64| {
        let text = format!("for j = 0 .. {n}\n  for i = 0 .. {n}\n    y[i] += A[i,j]");
        let mut scop = testing::scop(&text).expect("text of a part");
        for array in scop.arrays.iter_mut().filter(|a| a.rank == 2) {
            array.inner_sizes = vec![Some(n)];
        }
        let out = std::cell::Cell::new(0.0);
        source_of(&scop, |_, estimate, _| out.set(estimate.inner[0].memory));
        out.get()
    };
    assert!(memory(1024) > 3.0 * memory(1000), "{} {}", memory(1000), memory(1024));
}

#[test]
fn an_illegal_tree_has_no_estimate() {
    let scop = testing::scop("params n\nfor i = 1 .. n\n  for j = 1 .. n\n    A[i,j] = A[i-1,j+1]").expect("text");
    let budget = Budget::generous();
    let dependences = Dependences::of(&scop, &budget).expect("dependences");
    let machine = machine();
    let model = Model::new(&scop, &dependences, &machine, &budget).expect("model");
    let Node::Band { members, child, .. } = legality::original(&scop) else { panic!("a loop") };
    let Node::Band { members: inner, child: leaf, .. } = *child else { panic!("a loop in a loop") };
    let swapped = Node::Band { members: inner.into_iter().chain(members).collect(), permutable: false, child: leaf };
    assert_eq!(model.estimate(&swapped), Ok(None));
}

fn compute(text: &str) -> f64 {
    let mut sum = 0.0;
    let cell = std::cell::RefCell::new(&mut sum);
    source(text, |_, estimate, _| **cell.borrow_mut() = estimate.inner.iter().map(|i| i.compute).sum());
    sum
}

/// While a short sum waits the core runs ahead into the next one, but not where that is the same.
#[test]
fn a_sum_over_two_loops_waits_all_the_way() {
    let text = |cell: &str| {
        format!(
            "params n\nfor i = 0 .. n\n  for q = 0 .. n\n    for p = 0 .. 100\n      {cell} += A[i,q,p] @operations 1 0 @chain 3"
        )
    };
    let (one, many) = (compute(&text("s[i]")), compute(&text("s[i,q]")));
    assert!(one > 1.5 * many, "{one} {many}");
}

#[test]
fn what_is_done_in_few_iterations_counts_as_often() {
    let text = |last: &str| {
        format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = f(A[i,j]) @operations 1 0\n    if (j >= {last})\n      B[i,j] = f(B[i,j]) @operations 1 4"
        )
    };
    let (seldom, always) = (compute(&text("n - 1")), compute(&text("0")));
    assert!(always > 3.0 * seldom, "{always} {seldom}");
}

#[test]
fn what_statements_share_is_done_once() {
    let text = |shared: &str| {
        format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = f(A[i,j]) @operations 1 2 {shared}\n    C[i,j] = f(A[i,j]) @operations 1 2 {shared}"
        )
    };
    let (apart, together) = (compute(&text("")), compute(&text("@shared 0 1 0")));
    assert!(close(together, 0.75 * apart) || together < 0.8 * apart, "{together} {apart}");
    assert!(together > 0.7 * apart, "{together} {apart}");
}

/// `x[(i + 1) % n]`: the source divides, or gathers where it chooses; new loops do neither. Of short loops of a constant length nothing is left in the source.
#[test]
fn what_the_source_seeks_takes_time() {
    let cycles = |length: &str, sought: &str| {
        let text = format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. {length}\n    y[i,j] = f(x[i,j]) @operations 1 0{sought}"
        );
        let mut found = (0.0, 0.0, false);
        source(&text, |model, new, _| {
            let source = of_source(model);
            found = (source.inner[0].compute, new.inner[0].compute, source.inner[0].branches);
        });
        found
    };
    let ((plain, new, none), (chosen, same, some), (divided, ..)) =
        (cycles("n", ""), cycles("n", " @sought 2 2 0"), cycles("n", " @sought 2 2 2"));
    assert!(close(new, same) && !none && some, "{new} {same}");
    assert!(chosen > plain + N * N && divided > 4.0 * chosen, "{plain} {chosen} {divided}");
    assert!(close(cycles("16", " @sought 2 2 0").0, cycles("16", "").0));
    assert!(!close(cycles("64", " @sought 2 2 0").0, cycles("64", "").0));
}

/// Pieces of a filter that reach over the ends of what it goes over are thin, whatever the model thinks of the filter's size; without a window there are no borders.
#[test]
fn pieces_along_ends_are_borders() {
    let borders = |size: &str, ends: &str, sought: &str| {
        let text = format!(
            "params n, r\nfor i = 0 .. n\n  for u = 0 .. {size}\n    if (i + u <= {ends} - 1)\n      y[i] += x[0] * w[u]{sought}\n    \
             if (i + u >= {ends})\n      y[i] += x[i+u-r] * w[u]{sought}"
        );
        let mut found = Vec::new();
        source(&text, |model, _, _| {
            found = (0..2).map(|s| model.shapes.is_border(StatementId(s)).expect("no error")).collect();
        });
        found
    };
    assert_eq!(borders("2*r + 1", "r", " @sought 1 2 0"), [true, false]);
    assert_eq!(borders("2*r + 1", "r", ""), [false, false]);
    // As long as all that it goes over.
    assert_eq!(borders("n", "n", " @sought 1 2 0"), [false, false]);
}

/// Code generation gives each of some ranges loops of its own, but not of any number of statements.
#[test]
fn many_statements_with_ranges_of_their_own_have_conditions() {
    let each = |count: usize, range: fn(usize) -> usize| {
        let statement = |k: usize| format!("  if (i >= {})\n    y{k}[i] = x{k}[i] @operations 1 0\n", range(k));
        let text = format!("params n\nfor i = 0 .. n\n{}", (0..count).map(statement).collect::<String>());
        compute(&text) / to_f64(count)
    };
    assert!(each(33, |k| k) > 2.0 * each(32, |k| k), "{} {}", each(33, |k| k), each(32, |k| k));
    assert!(each(33, |k| k % 8) < 1.1 * each(32, |k| k % 8));
}

/// Where there are masks, loops that are known to be short are whole vectors without a loop for the rest, and what the loop around does not move is loaded before it.
#[test]
fn short_loops_are_whole_vectors() {
    let rows = |columns: i64| {
        let mut compute = 0.0;
        let text = format!("for i = 0 .. 100\n  for j = 0 .. {columns}\n    C[i,j] = A[i,j] + B[j]");
        source(&text, |_, estimate, _| {
            assert_eq!(estimate.inner[0].execution, Execution::Vector { lanes: 8 });
            compute = estimate.inner[0].compute;
        });
        compute
    };
    assert!(close(rows(9), rows(15)), "{} {}", rows(9), rows(15));
    assert!(rows(8) < 0.6 * rows(9), "{} {}", rows(8), rows(9));
    // As loops they have a start, and what is left over.
    assert!(rows(17) > 1.5 * rows(15), "{} {}", rows(17), rows(15));
    let of = |b: &str| {
        let mut compute = 0.0;
        let text = format!("for i = 0 .. 100\n  for j = 0 .. 12\n    C[i,j] = B{b} + D{b} + E{b} + F{b}");
        source(&text, |_, estimate, _| compute = estimate.inner[0].compute);
        compute
    };
    assert!(of("[j]") < 0.6 * of("[i,j]"), "{} {}", of("[j]"), of("[i,j]"));
}

/// A row that begins where the mask of the last one's end reaches waits for it, if it reads what it stores.
#[test]
fn rows_wait_for_masks_that_reach_into_them() {
    let row = |columns: i64, size: i64, value: &str| {
        let mut compute = 0.0;
        let text = format!(
            "array C[?][{size}] : f64\narray D[?][{size}] : f64\nfor i = 0 .. 100\n  for j = 0 .. {columns}\n    C[i,j] = {value}"
        );
        source(&text, |_, estimate, _| compute = estimate.inner[0].compute / 100.0);
        compute
    };
    let own = "C[i,j] + A[j] @operations 6 0 @from 1 12";
    assert!(row(12, 12, own) > 20.0, "{}", row(12, 12, own));
    // The next row begins behind; the last vector is whole; other cells are read.
    for (columns, size, value) in [(12, 16, own), (16, 16, own), (12, 12, "D[i,j] + A[j] @operations 6 0")] {
        assert!(row(columns, size, value) < 20.0, "{columns} {size} {value}: {}", row(columns, size, value));
    }
}

/// Rows of which all cells are stored side by side are put together if they are short, and scattered if they are not.
#[test]
fn long_rows_side_by_side_are_scattered() {
    let row = |n: i64, element: &str| {
        let mut out = (Execution::Scalar, 0.0);
        let rows: String = (0..n).map(|j| format!("  C[i,{j}] = A[i] * B[{j}]\n")).collect();
        let text = format!(
            "params n\narray C[?][{n}] : {element}\narray A[?] : {element}\narray B[?] : {element}\nfor i = 0 .. n\n{rows}"
        );
        source(&text, |model, _, _| {
            let source = of_source(model);
            out = (source.inner[0].execution, source.inner[0].compute / source.inner[0].trips);
        });
        out
    };
    let scatters =
        |n: i64, element: &str| matches!(row(n, element), (Execution::Vector { .. }, cycles) if cycles > 10.0);
    assert!(scatters(9, "f64") && scatters(9, "f32") && scatters(8, "f64"), "{:?}", row(9, "f64"));
    assert!(!scatters(7, "f64") && !scatters(8, "f32") && !scatters(16, "i16"), "{:?}", row(8, "f32"));
}

/// Where LLVM loads long rows it gathers, though scalars are faster; short ones are taken from vectors.
#[test]
fn long_rows_are_gathered() {
    let row = |n: i64| {
        let reads: Vec<String> = (0..n).map(|j| format!("A[i,{j}]")).collect();
        let text = format!(
            "params n\narray C[?] : f64\narray A[?][{n}] : f64\nfor i = 0 .. n\n  C[i] = f({}) @operations {n} 0",
            reads.join(", ")
        );
        let mut out = (Execution::Scalar, 0.0, 0.0);
        source(&text, |model, estimate, _| {
            let source = of_source(model);
            out = (source.inner[0].execution, source.inner[0].compute, estimate.inner[0].compute);
        });
        out
    };
    let (execution, source, new) = row(9);
    assert!(matches!(execution, Execution::Vector { .. }) && source > 1.5 * new, "{source} {new}");
    let (execution, source, new) = row(7);
    assert!(execution == Execution::Scalar && close(source, new), "{source} {new}");
}

/// Sums side by side that carry something are packed: twelve are two vectors, of eight and of four. So are no two that have nothing in common.
#[test]
fn neighbours_that_carry_something_are_packed() {
    let cycles = |term: &dyn Fn(i64) -> String| {
        let rows: String = (0..12).map(|j| format!("  {}\n", term(j))).collect();
        let text = format!("params n\narray s[?] : f64\narray a[?][12] : f64\nfor i = 0 .. n\n{rows}");
        let mut out = 0.0;
        source(&text, |model, estimate, _| {
            let source = of_source(model);
            assert!(source.inner[0].scalar >= 0.99 * estimate.inner[0].compute);
            out = source.inner[0].compute / source.inner[0].trips;
        });
        out
    };
    let (beside, apart) =
        (cycles(&|j| format!("s[{j}] += a[i, {j}]")), cycles(&|j| format!("s[{}] += a[i, {j}]", 2 * j)));
    assert!(beside < 0.7 * apart, "{beside} {apart}");
}

/// Vectors of a recurrence wait for what they begin with, and longer where these are parts of two that were stored: scalars are as fast then.
#[test]
fn vectors_wait_for_what_they_begin_with() {
    let each = |distance: i64| {
        let mut out = (Execution::Scalar, 0.0);
        let text = format!(
            "params n\narray c[?] : f64\nfor i = {distance} .. n\n  c[i] = c[i - {distance}] * 2 @operations 2 0"
        );
        source(&text, |_, estimate, _| {
            out = (estimate.inner[0].execution, estimate.inner[0].compute / estimate.inner[0].trips);
        });
        out
    };
    let ((parts, _), (whole, near), (_, far)) = (each(12), each(16), each(64));
    assert_eq!((parts, whole), (Execution::Scalar, Execution::Vector { lanes: 8 }));
    assert!(near > 1.5 * far, "{near} {far}");
}

/// Nobody looks whether arrays are apart for so few iterations: they run one by one.
#[test]
fn short_loops_do_everything_again_unless_arrays_are_apart() {
    let repeated = |columns: i64| {
        let mut out = (0.0, 0.0);
        let text = format!("for i = 0 .. 100\n  for j = 0 .. {columns}\n    C[i,j] = A[i] * B[j] @loaded 1 @loaded 2");
        source(&text, |_, estimate, _| out = (estimate.inner[0].repeated, estimate.inner[0].compute));
        out
    };
    let (short, compute) = repeated(12);
    assert!(short > 2.0 * compute, "{short} {compute}");
    assert!(close(repeated(100).0, 0.0), "{:?}", repeated(100));
}

#[test]
fn the_source_has_no_vectors_where_its_rows_seem_to_meet() {
    // One step of an elimination; the step is known outside.
    let cycles = |body: &str| {
        let text = format!(
            "params n, k\nassume k >= 0 and n >= k + 2\narray A[?][?] : f64\narray B[?][?] : f64\nfor i = k + 1 .. n\n  for j = k + 1 .. n\n    {body}\n"
        );
        let mut out = (0.0, 0.0);
        source(&text, |model, loops, _| out = (loops.cycles, of_source(model).cycles));
        out
    };
    // Among the rows that the loop around walks.
    let (loops, source) = cycles("A[i,j] = A[i,j] - A[i,k] * A[k,j] @loaded 1 @loaded 2 @loaded 3");
    assert!(source > 2.0 * loops, "{source} {loops}");
    // In a register, and the other row lies before all of them; in another array; a constant apart.
    for apart in [
        "A[i,j] = A[i,j] - A[i,k] * A[k,j] @loaded 1 @loaded 3",
        "A[i,j] = A[i,j] - B[i,k] * B[k,j] @loaded 1 @loaded 2 @loaded 3",
        "A[i,j] = A[i,j + 1] - A[k,j] @loaded 2",
    ] {
        let (loops, source) = cycles(apart);
        assert!(close(source, loops), "{apart}: {source} {loops}");
    }
}

#[test]
fn the_source_has_no_vectors_where_only_parameters_know_the_distance() {
    let cycles = |distance: &str| {
        let text = format!(
            "params n, k\nassume n >= 1 and k >= n\narray A[?][?] : f64\nfor i = 0 .. n\n  for j = 0 .. n\n    A[i,j] = A[i,j] - A[i,j + {distance}] @operations 12 0 @loaded 1 @loaded 2\n"
        );
        let mut out = (0.0, 0.0);
        source(&text, |model, loops, _| out = (loops.cycles, of_source(model).cycles));
        out
    };
    let (loops, source) = cycles("k");
    assert!(source > 2.0 * loops, "{source} {loops}");
    let (loops, source) = cycles("8");
    assert!(source < 1.2 * loops, "{source} {loops}");
}

/// The radius of a filter cannot be as large as the picture: no tree would run at all.
#[test]
fn parameters_are_such_that_loops_run() {
    let text =
        "params n, r\nassume r >= 1\nfor i = r .. n - r\n  s[i] = 0\n  for t = 0 .. 2*r + 1\n    s[i] += x[i - r + t]";
    source(text, |model, estimate, _| {
        let [n, r] = model.shapes.params.as_slice() else { panic!("{:?}", model.shapes.params) };
        assert!(2 * r < n / 2, "{:?}", model.shapes.params);
        assert!(estimate.inner.iter().all(|inner| inner.trips < N), "{estimate:?}");
    });
}

#[test]
fn a_prefix_sum_waits_for_its_addition_alone() {
    let of = |attributes: &str| {
        let text = format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    r[i] = r[i] + A[i,j] @from 1 8 {attributes}\n    B[i,j] = r[i]"
        );
        let mut out = Execution::Scalar;
        source(&text, |model, _, _| out = of_source(model).inner[0].execution);
        out
    };
    // What is loaded is stored and loaded again each time; what is in a register is there.
    let m = machine();
    let addition = 2.0 * m.fma_latency;
    assert_eq!(of("@loaded 1 @loaded 2"), Execution::Chain { cycles: m.l1_latency + addition });
    assert_eq!(of("@loaded 2"), Execution::Chain { cycles: addition });
}

#[test]
fn windows_follow_the_loops_around() {
    let shape = |text: &str| {
        let scop = testing::scop(text).expect("text of a part");
        let budget = Budget::generous();
        let shapes = shape::Shapes::new(&scop, 1000, &budget).expect("shapes");
        let statement = &scop.statements[0];
        let rows: Vec<polyhedra::Affine> =
            (0..statement.depth()).map(|d| polyhedra::Affine::dim(statement.space(), d)).collect();
        let found = shapes.of(StatementId(0), &rows).expect("no error").expect("unimodular");
        (found.follows.clone(), found.least.clone())
    };
    // `x[k]` for `i - r <= k <= i + r`: both ends move; windows are small.
    let (follows, least) =
        shape("params n, r\nfor i = 0 .. n\n  for k = max(0, i - r) .. min(n, i + r + 1)\n    y[i] += x[k] * w[k - i]");
    assert_eq!(follows, [vec![], vec![0]]);
    assert!((least[1] - 17.0).abs() < 1.0, "{least:?}");
    // The same counted from where it begins, and a triangle.
    let (follows, least) = shape("params n, m\nfor i = 0 .. n\n  for u = 0 .. m\n    y[i] += x[i + u] * w[u]");
    assert_eq!((follows, least[1]), (vec![vec![], vec![]], 8.0));
    let (follows, _) = shape("params n\nfor i = 0 .. n\n  for k = 0 .. i\n    y[i] += A[i,k] * x[k]");
    assert_eq!(follows, [vec![], vec![]]);
}

#[test]
fn magnitudes_of_differences() {
    let of = |attributes: &str| {
        let text = format!(
            "params n\narray s[?] : i32\narray c[?][?] : i8\narray r[?][?] : i8\nfor a = 0 .. n\n  for x = 0 .. n\n    \
             s[a] += c[a,x] * r[a,x] @operations 5 0 @chain 0{attributes}"
        );
        let mut cycles = (0.0, 0.0);
        source(&text, |model, estimate, _| cycles = (of_source(model).inner[0].compute, estimate.inner[0].compute));
        cycles
    };
    let (source, ours) = of(" @magnitudes 1");
    assert!(close(source, N * (4.0 + 4.0 + 6.0 + N / 8.0)), "{source}");
    // Only of the source.
    assert_eq!((ours, ours), of(""));
    // Side by side, while the loop goes down a column.
    let text = "params n\narray s[?] : i32\narray c[?][?] : i8\nfor a = 0 .. n\n  for x = 0 .. n\n    \
                s[a] += c[x,a] @operations 80 0 @chain 0 @magnitudes 16";
    source_of(&testing::scop(text).expect("text of a part"), |model, _, _| {
        let cycles = of_source(model).inner[0].compute;
        assert!(close(cycles, N * (4.0 + 4.0 + N * 16.0 / 12.0)), "{cycles}");
    });
}
#[test]
fn loops_of_two_are_two_whatever_is_around_them() {
    let text = "params n, m, k
for i = 0 .. n
  for j = 0 .. m
    for c = 0 .. k
      for u = 0 .. 2
        for v = 0 .. 2
          for l = 0 .. k
            O[i,j,c] = O[i,j,c] + W[2*u + v,l,c] * X[i + u,j + v,l]";
    let scop = testing::scop(text).expect("text");
    let budget = Budget::generous();
    let shapes = shape::Shapes::new(&scop, 160, &budget).expect("shapes");
    let space = scop.statements[0].space();
    let rows: Vec<Affine> = (0..space.dims).map(|d| Affine::dim(space, d)).collect();
    let shape = shapes.of(StatementId(0), &rows).expect("no error").expect("a shape");
    assert!(close(shape.extents[3], 2.0) && close(shape.extents[4], 2.0), "{:?}", shape.extents);
}

#[test]
fn cells_in_turn_are_loaded_together() {
    let reads = |reads: &str| format!("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    B[i,j] = {reads}");
    source(&reads("A[i,2*j] + A[i,2*j+1]"), |_, estimate, _| {
        assert!(!estimate.inner[0].strided);
        assert_eq!(estimate.inner[0].execution, Execution::Vector { lanes: 8 });
    });
    source(&reads("A[i,3*j+1] + A[i,3*j] + A[i,3*j+2]"), |_, estimate, _| assert!(!estimate.inner[0].strided));
    // Half of a line, different lines, different rows, and a line that is too long.
    for others in ["A[i,2*j]", "A[i,2*j] + A[i,2*j+2]", "A[i,2*j] + A[i+1,2*j+1]", "A[i,8*j] + A[i,8*j+1]"] {
        source(&reads(others), |_, estimate, _| assert!(estimate.inner[0].strided, "{others}"));
    }
}

#[test]
fn cells_in_turn_are_stored_together() {
    let stores = |second: &str| {
        format!("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    A[i,2*j] = B[i,j]\n    {second} = B[i,j] * C[i,j]")
    };
    source(&stores("A[i,2*j+1]"), |_, estimate, _| assert!(!estimate.inner[0].strided));
    for other in ["A[i,2*j+2]", "A[i+1,2*j+1]", "D[i,2*j+1]"] {
        source(&stores(other), |_, estimate, _| assert!(estimate.inner[0].strided, "{other}"));
    }
}

fn innermost_in_lanes(tree: &Node) -> Node {
    let Node::Band { members, permutable, child } = tree else { return tree.clone() };
    let mut members = members.clone();
    let child = innermost_in_lanes(child);
    if !matches!(child, Node::Band { .. }) {
        members.iter_mut().next_back().expect("a loop").lanes = Some(crate::tree::Lanes::of(4));
    }
    Node::Band { members, permutable: *permutable, child: Box::new(child) }
}

/// What one statement stores between the cells that another one loads is waited for.
#[test]
fn lanes_between_those_of_other_statements_wait() {
    let cycles = |read: &str| {
        let text =
            format!("params n\nfor i = 0 .. n\n  for j = 0 .. n\n    A[i,2*j] = B[i,2*j]\n    C[i,2*j] = {read}");
        let mut out = 0.0;
        source(&text, |model, _, _| {
            let tree = innermost_in_lanes(&legality::original(model.scop));
            out = model.estimate(&tree).expect("no error").expect("legal").inner[0].compute;
        });
        out
    };
    let (beside, between) = (cycles("A[i,2*j+2] * B[i,2*j]"), cycles("A[i,2*j+1] * B[i,2*j]"));
    assert!(close(between - beside, N * N / 4.0 * 15.0), "{beside} {between}");
}

/// LLVM asks whether two rows are apart, and then of all cells, those in turn with them.
#[test]
fn rows_of_cells_in_turn_seem_to_meet_in_the_source() {
    let vectors = |row: &str| {
        let text = format!(
            "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    A[2*i,2*j] = B[i,j]\n    A[2*i,2*j+1] = B[i,j] * C[i,j]{row}"
        );
        let mut out = false;
        source(&text, |model, _, _| {
            out = matches!(of_source(model).inner[0].execution, Execution::Vector { .. });
        });
        out
    };
    assert!(vectors(""));
    assert!(!vectors("\n    A[2*i+1,2*j] = C[i,j]\n    A[2*i+1,2*j+1] = C[i,j] * B[i,j]"));
}

/// Of the source: what is handed on in a register is waited for without the way through memory.
#[test]
fn what_the_source_hands_on_in_a_register() {
    let waits = |loaded: &str| {
        let mut out = 0.0;
        let text = format!("params n\nfor i = 1 .. n\n  A[i] = A[i-1] + B[i] @from 1 4{loaded}");
        source(&text, |model, _, _| {
            let Execution::Chain { cycles } = of_source(model).inner[0].execution else { panic!("it waits") };
            out = cycles;
        });
        out
    };
    assert!(close(waits(" @loaded 1") - waits(" @loaded 2"), machine().l1_latency));
}

/// Statements for other sizes do not run in the shadow of what waits.
#[test]
fn what_never_runs_at_once() {
    let cycles = |second: &str| {
        let mut out = 0.0;
        let text = format!(
            "params n, w\nfor i = 1 .. n\n  if w >= 9\n    A[i] = A[i-1] + B[i]\n  if {second}\n    C[i] = C[i-1] + D[i]"
        );
        source(&text, |_, estimate, _| out = estimate.inner[0].compute);
        out
    };
    assert!(close(cycles("w <= 8"), 2.0 * cycles("w <= 9")));
}

/// `if (class[i] == c) s[c] += v[i]`, whose loops stand in this order: what of it is asked for where.
fn by_data(decided: &[usize], inner: &str, outer: &str) -> Scop {
    let text = format!("params n\nfor {outer} = 0 .. n\n  for {inner} = 0 .. n\n    s[c] += f(class[i], v[i])");
    let mut scop = testing::scop(&text).expect("text of a part");
    let statement = &mut scop.statements[0];
    statement.chain_latency = 4;
    statement.decided_by.extend(decided);
    let v = statement.accesses.last_mut().expect("a read");
    v.kind = AccessKind::MayRead;
    scop
}

/// What data decide about branches, and its sums wait for those that ran long ago.
#[test]
fn sums_that_data_choose_do_not_wait() {
    source_of(&by_data(&[0], "i", "c"), |_, estimate, _| {
        assert_eq!(estimate.inner[0].execution, Execution::Chain { cycles: 4.0 });
    });
    source_of(&by_data(&[0, 1], "i", "c"), |_, estimate, _| {
        assert_eq!(estimate.inner[0].execution, Execution::Scalar);
        assert!(estimate.inner[0].compute < 2.0 * N * N, "{:?}", estimate.inner[0]);
    });
}

/// LLVM gathers one cell for all lanes where data decide in each of them whether it is read, unless that is known before the loop.
#[test]
fn one_cell_is_gathered_where_data_decide() {
    let vectors = |decided: &[usize]| {
        let mut cycles = 0.0;
        source_of(&by_data(decided, "c", "i"), |_, estimate, _| {
            assert!(matches!(estimate.inner[0].execution, Execution::Vector { .. }), "{:?}", estimate.inner[0]);
            cycles = estimate.inner[0].compute;
        });
        cycles
    };
    let (asked_outside, asked_inside) = (vectors(&[0]), vectors(&[0, 1]));
    assert!(asked_inside > asked_outside + N * N, "{asked_inside} {asked_outside}");
}

/// Loops that conditions pass by in the source may not become others that ask in each of their iterations.
#[test]
fn loops_that_conditions_pass_by_stay_inside() {
    let text = "params n\nfor i = 0 .. n\n  for j = 0 .. n\n    for k = 0 .. n\n      C[i,j] += A[i,k] * B[k,j]";
    let allows = |decided: &[usize]| {
        let mut scop = testing::scop(text).expect("text of a part");
        scop.statements[0].decided_by.extend([0, 1, 2]);
        scop.statements[0].skipped_by.extend(decided);
        scop.statements[0].accesses.iter_mut().skip(2).for_each(|a| a.kind = AccessKind::MayRead);
        let mut is_weighed = false;
        source_of(&scop, |model, _, _| {
            let space = scop.statements[0].space();
            let member = |d: usize| {
                let row = [(StatementId(0), Affine::dim(space, d))];
                crate::tree::Member::new(row.into_iter().collect(), false)
            };
            let members = [0, 2, 1].map(member).to_vec();
            let tree = Node::Band { members, permutable: true, child: Box::new(Node::Leaf(StatementId(0))) };
            is_weighed = model.estimate(&tree).expect("no error").is_some();
        });
        is_weighed
    };
    assert!(allows(&[]) && allows(&[0]));
    assert!(!allows(&[0, 1]) && !allows(&[1]));
}
