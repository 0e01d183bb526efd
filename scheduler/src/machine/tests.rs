use super::*;

/// The cores that a user may count on, by clang's names.
const PROMISED: [&str; 29] = [
    "x86-64",
    "x86-64-v2",
    "x86-64-v3",
    "x86-64-v4",
    "haswell",
    "broadwell",
    "skylake",
    "skylake-avx512",
    "icelake-client",
    "icelake-server",
    "alderlake",
    "sapphirerapids",
    "emeraldrapids",
    "graniterapids",
    "znver1",
    "znver2",
    "znver3",
    "znver4",
    "znver5",
    "neoverse-n1",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v2",
    "cortex-a72",
    "cortex-a76",
    "apple-m1",
    "apple-m2",
    "apple-m3",
    "apple-m4",
];

#[test]
fn known_cores_have_their_own_rows() {
    let zen5 = Machine::for_cpu("znver5", 512, 32);
    assert_eq!((zen5.l1_bytes, zen5.l2_bytes, zen5.vector_bytes()), (48 << 10, 1 << 20, 64));
    // LLVM prefers 256 bits on some cores: what it says counts.
    assert_eq!(Machine::for_cpu("skylake-avx512", 256, 32).vector_bits, 256);
    for name in PROMISED {
        assert!(table::names().any(|(known, _)| known == name), "{name}");
    }
}

#[test]
fn a_name_stands_for_one_row() {
    let mut names: Vec<&str> = table::names().map(|(name, _)| name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    // The row's own name leads back to it, and underscores are as good as dashes.
    for (_, row) in table::names() {
        assert_eq!(Machine::for_cpu(row.name, 0, 0), *row, "{}", row.name);
        assert_eq!(Machine::for_cpu(&row.name.replace('-', "_"), 0, 0), *row, "{}", row.name);
    }
}

#[test]
fn unknown_cores_are_told_by_their_registers() {
    assert_eq!(Machine::for_cpu("", 512, 32).name, "x86-64-v4");
    assert_eq!(Machine::for_cpu("something-new", 256, 16).name, "x86-64-v3");
    assert_eq!(Machine::for_cpu("generic", 128, 32).name, "aarch64");
    assert_eq!(Machine::for_cpu("generic", 128, 16).name, "x86-64");
    assert_eq!(Machine::for_cpu("apple-m9", 128, 32).name, "apple-m4");
}

#[test]
fn numbers_are_possible() {
    let unknown = [&table::AARCH64];
    for row in table::names().map(|(_, row)| row).chain(unknown) {
        let m = row;
        let positive = [
            m.l1_latency,
            m.l2_latency,
            m.l3_latency,
            m.issue_width,
            m.loads_per_cycle,
            m.load_bytes_per_cycle,
            m.stores_per_cycle,
            m.store_bytes_per_cycle,
            m.fmas_per_cycle,
            m.fma_bytes_per_cycle,
            m.mixed,
            m.add_latency,
            m.fma_latency,
            m.div_latency,
            m.div_interval,
            m.line_from_l2,
            m.line_from_memory,
            m.scatter,
            m.mispredict,
        ];
        assert!(positive.iter().all(|x| x.is_finite() && *x > 0.0), "{m:?}");
        // Without a third level it has the size of the second, and costs nothing.
        assert!(m.line_from_l3 > 0.0 || m.l3_bytes == m.l2_bytes, "{m:?}");
        assert!(m.l1_bytes < m.l2_bytes && m.l2_bytes <= m.l3_bytes, "{m:?}");
        assert!(m.l1_latency < m.l2_latency && m.l2_latency <= m.l3_latency, "{m:?}");
        assert!(m.l1_bytes < m.translated_bytes, "{m:?}");
        assert!(m.line_bytes.is_power_of_two() && m.line_bytes >= 64, "{m:?}");
        for (bytes, way) in [(m.l1_bytes, m.l1_way_bytes()), (m.l2_bytes, m.l2_way_bytes())] {
            assert!(way >= m.line_bytes && bytes % way == 0 && way % m.line_bytes == 0, "{m:?}");
        }
        assert!([16, 32].contains(&m.vector_registers), "{m:?}");
        assert!([128, 256, 512].contains(&m.vector_bits) && m.widest_bits >= m.vector_bits, "{m:?}");
        // An addition is no slower than a multiply-add, and loads bring at least what they are counted for in scalars.
        assert!(m.add_latency <= m.fma_latency && (0.5..=1.0).contains(&m.mixed), "{m:?}");
        assert!(m.load_bytes_per_cycle >= 8.0 * m.loads_per_cycle, "{m:?}");
        assert!(m.store_bytes_per_cycle >= 8.0 * m.stores_per_cycle, "{m:?}");
    }
}

#[test]
fn sets_are_chosen_by_bits_of_addresses() {
    let mut skylake = Machine::for_cpu("skylake-avx512", 0, 0);
    assert_eq!((skylake.l1_way_bytes(), skylake.l2_way_bytes()), (4096, 65536));
    for (bytes, way) in [(20_000, 2048), (1, 1), (0, 1)] {
        skylake.l1_bytes = bytes;
        assert_eq!(skylake.l1_way_bytes(), way, "{bytes}");
    }
}

/// A core is not mistaken for its predecessor where it matters.
#[test]
fn later_cores_are_no_smaller() {
    let lines = [
        &["haswell", "broadwell", "skylake", "alderlake", "raptorlake", "lunarlake"][..],
        &["skylake-avx512", "icelake-server", "sapphirerapids"],
        &["znver1", "znver2", "znver3", "znver4", "znver5"],
        &["neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2", "neoverse-v3"],
        &["apple-a7", "apple-m1", "apple-m2", "apple-m3", "apple-m4"],
    ];
    for line in lines {
        for pair in line.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|name| Machine::for_cpu(name, 0, 0));
            assert!(a.l1_bytes <= b.l1_bytes && a.l2_bytes <= b.l2_bytes && a.l3_bytes <= b.l3_bytes, "{pair:?}");
            assert!(a.translated_bytes <= b.translated_bytes && a.issue_width <= b.issue_width, "{pair:?}");
            assert!(a.fma_bytes_per_cycle <= b.fma_bytes_per_cycle, "{pair:?}");
        }
    }
}

/// Zen 4 works on vectors of 512 bits in two halves; products come to sums after four cycles.
#[test]
fn halves_of_vectors() {
    let gains = |cpu: &str, sums, bytes| Machine::for_cpu(cpu, 0, 0).gains_by_halves(sums, bytes);
    assert!(gains("znver4", 5, 64) && !gains("znver4", 4, 64) && !gains("znver4", 12, 32));
    assert!(!gains("skylake-avx512", 12, 64) && !gains("haswell", 12, 32));
    assert!(gains("znver1", 8, 32));
}

/// Sums have units of their own on Zen, which products leave alone.
#[test]
fn sums_run_beside_products() {
    let slots = |cpu: &str, operations, sums| Machine::for_cpu(cpu, 0, 0).slots(operations, sums);
    assert!((slots("haswell", 4.0, 2.0) - 4.0).abs() < 1e-9 && (slots("znver4", 4.0, 0.0) - 4.0).abs() < 1e-9);
    assert!(slots("znver4", 4.0, 2.0) < slots("znver3", 4.0, 2.0) && slots("znver3", 4.0, 2.0) < 4.0);
    assert!((slots("znver4", 4.0, 1.0) - 3.0).abs() < 1e-9);
}
