//! The table of processor cores: data only.
//!
//! A row names the sources of its numbers; a number that a row takes over from another is that core's own as well, unless the row says "as". Sources:
//!
//! * `[F]` Agner Fog, "Instruction tables" and "The microarchitecture of Intel, AMD and VIA CPUs"
//! * `[U]` uops.info
//! * `[I]` Intel's optimisation manual (248966), `[Z]` AMD's for families 17h, 19h and 1Ah, `[G]` Arm's "Software optimization guide" of the core and its
//!   technical reference manual (caches, translation)
//! * `[L]` LLVM 22's scheduling model of the core, as `llvm-mca -instruction-info` prints it
//! * `[C]` chipsandcheese.com, measured latencies and sizes; `[W]` WikiChip; `[A]` Dougall Johnson's tables of Apple's cores
//! * `[M]` measured by us on that core
//!
//! Where sources differ, the more careful figure is taken. Of caches that cores share a row has what one core may count on, and as many ways. Cycles a line
//! (`line_from_*`) are rounded from bandwidths in these sources, for one core alone. The reach of address translation is for pages of 4 KiB (Apple: 16).

use super::Machine;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// An x86-64 core of the last ten years of which nothing is known: least common to Haswell, Skylake, Zen 1. `[F]`
pub const X86: Machine = Machine {
    name: "x86-64",
    vector_bits: 128,
    widest_bits: 128,
    vector_registers: 16,
    masks: false,
    l1_bytes: 32 * KIB,
    l1_ways: 8,
    l1_latency: 4.0,
    l2_bytes: 256 * KIB,
    l2_ways: 4,
    l2_latency: 14.0,
    l3_bytes: 2 * MIB,
    l3_latency: 45.0,
    line_bytes: 64,
    translated_bytes: 4 * MIB,
    issue_width: 4.0,
    loads_per_cycle: 2.0,
    load_bytes_per_cycle: 32.0,
    stores_per_cycle: 1.0,
    store_bytes_per_cycle: 16.0,
    fused: false,
    converts_beside: false,
    fmas_per_cycle: 2.0,
    fma_bytes_per_cycle: 32.0,
    mixed: 1.0,
    embeds: false,
    add_latency: 4.0,
    fma_latency: 5.0,
    div_latency: 14.0,
    div_interval: 5.0,
    line_from_l2: 2.0,
    line_from_l3: 5.0,
    line_from_memory: 12.0,
    scatter: 2.5,
    mispredict: 18.0,
};

/// Least common to Haswell, Skylake, Zen 2. `[F]`
pub const X86_V3: Machine = Machine {
    name: "x86-64-v3",
    vector_bits: 256,
    widest_bits: 256,
    load_bytes_per_cycle: 64.0,
    store_bytes_per_cycle: 32.0,
    fused: true,
    fma_bytes_per_cycle: 64.0,
    ..X86
};

/// Least common to Skylake-X, Ice Lake, Zen 4. `[F][U]`
pub const X86_V4: Machine = Machine {
    name: "x86-64-v4",
    l3_bytes: 2 * MIB,
    load_bytes_per_cycle: 64.0,
    store_bytes_per_cycle: 32.0,
    fma_bytes_per_cycle: 64.0,
    ..SKYLAKE_X
};

/// Nehalem and Westmere: add and multiply each on one 128-bit port, one load, one store; 256 KiB of 8 ways; 512 pages. `[F][W]`
const NEHALEM: Machine = Machine {
    name: "nehalem",
    l2_ways: 8,
    l2_latency: 10.0,
    l3_latency: 40.0,
    translated_bytes: 2 * MIB,
    loads_per_cycle: 1.0,
    load_bytes_per_cycle: 16.0,
    add_latency: 3.0,
    div_latency: 22.0,
    div_interval: 22.0,
    mispredict: 17.0,
    ..X86
};

/// Sandy and Ivy Bridge: 256-bit add and multiply ports, two 128-bit loads, one 128-bit store; 512 pages. `[F][L]`
const SANDY_BRIDGE: Machine = Machine {
    name: "sandybridge",
    vector_bits: 256,
    widest_bits: 256,
    l2_latency: 12.0,
    l3_latency: 30.0,
    loads_per_cycle: 2.0,
    load_bytes_per_cycle: 32.0,
    fma_bytes_per_cycle: 64.0,
    ..NEHALEM
};

/// Haswell: 256 KiB of 8 ways, 2.5 MiB of L3 a core in servers, fma 5, add 3, division 20/14; 1024 pages. `[F][U][L]`
const HASWELL: Machine = Machine {
    name: "haswell",
    l2_ways: 8,
    l2_latency: 12.0,
    l3_latency: 40.0,
    add_latency: 3.0,
    div_latency: 20.0,
    div_interval: 14.0,
    ..X86_V3
};

/// Broadwell: division 14/8; 1536 pages. `[F][U][L]`
const BROADWELL: Machine =
    Machine { name: "broadwell", translated_bytes: 6 * MIB, div_latency: 14.0, div_interval: 8.0, ..HASWELL };

/// Skylake client: 256 KiB of 4 ways, fma and add 4, division 14/4, 2 MiB of L3 a core; 1536 pages. `[F][U][L]`
const SKYLAKE: Machine = Machine {
    name: "skylake",
    l2_latency: 12.0,
    l3_latency: 42.0,
    translated_bytes: 6 * MIB,
    fma_latency: 4.0,
    div_interval: 4.0,
    ..X86_V3
};

/// Skylake-X, Cascade Lake, Cooper Lake: 1 MiB of 16 ways, 1.375 MiB of L3 a core, two 512-bit loads, one store, two fma units. `[F][W][L]`
const SKYLAKE_X: Machine = Machine {
    name: "skylake-avx512",
    vector_bits: 512,
    widest_bits: 512,
    vector_registers: 32,
    masks: true,
    l2_bytes: MIB,
    l2_ways: 16,
    l2_latency: 14.0,
    l3_bytes: 4 * MIB,
    l3_latency: 70.0,
    load_bytes_per_cycle: 128.0,
    store_bytes_per_cycle: 64.0,
    fma_bytes_per_cycle: 128.0,
    line_from_l2: 1.5,
    line_from_l3: 6.0,
    ..SKYLAKE
};

/// Ice Lake server: 48 KiB of 12 ways, 1.25 MiB of 20, five wide, two stores to one line; 2048 pages. `[U][W][I]`
const ICE_LAKE: Machine = Machine {
    name: "icelake-server",
    l1_bytes: 48 * KIB,
    l1_ways: 12,
    l1_latency: 5.0,
    l2_bytes: 1280 * KIB,
    l2_ways: 20,
    translated_bytes: 8 * MIB,
    issue_width: 5.0,
    stores_per_cycle: 2.0,
    ..SKYLAKE_X
};

/// Ice Lake client, Rocket Lake: one 512-bit fma unit, 512 KiB of 8 ways, 2 MiB of L3 a core. `[U][W][L]`
const ICE_LAKE_CLIENT: Machine = Machine {
    name: "icelake-client",
    l2_bytes: 512 * KIB,
    l2_ways: 8,
    l2_latency: 13.0,
    l3_latency: 42.0,
    fma_bytes_per_cycle: 64.0,
    line_from_l3: 5.0,
    ..ICE_LAKE
};

/// Tiger Lake: 1.25 MiB of 20 ways, 3 MiB of L3 a core. `[U][W]`
const TIGER_LAKE: Machine =
    Machine { name: "tigerlake", l2_bytes: 1280 * KIB, l2_ways: 20, l2_latency: 14.0, ..ICE_LAKE_CLIENT };

/// Sapphire Rapids and later servers: 2 MiB of 16 ways, six wide, three narrow loads, L3 across tiles; 2048 pages. `[U][W][C][L]`
const SAPPHIRE_RAPIDS: Machine = Machine {
    name: "sapphirerapids",
    l2_bytes: 2 * MIB,
    l2_ways: 16,
    l3_latency: 120.0,
    issue_width: 6.0,
    loads_per_cycle: 3.0,
    add_latency: 3.0,
    ..ICE_LAKE
};

/// Alder Lake P cores: 48 KiB of 12 ways, 1.25 MiB of 10, three loads, two stores, six wide; 2048 pages. `[U][W][C][L]`
const ALDER_LAKE: Machine = Machine {
    name: "alderlake",
    l1_bytes: 48 * KIB,
    l1_ways: 12,
    l1_latency: 5.0,
    l2_bytes: 1280 * KIB,
    l2_ways: 10,
    l2_latency: 15.0,
    l3_bytes: 8 * MIB,
    l3_latency: 68.0,
    translated_bytes: 8 * MIB,
    issue_width: 6.0,
    loads_per_cycle: 3.0,
    load_bytes_per_cycle: 96.0,
    stores_per_cycle: 2.0,
    store_bytes_per_cycle: 64.0,
    add_latency: 3.0,
    line_from_l2: 1.5,
    ..SKYLAKE
};

/// Raptor Lake and Meteor Lake P cores: 2 MiB of 16 ways. `[W][C]`
const RAPTOR_LAKE: Machine =
    Machine { name: "raptorlake", l2_bytes: 2 * MIB, l2_ways: 16, l2_latency: 16.0, ..ALDER_LAKE };

/// Lion Cove (Lunar Lake, Arrow Lake) and later P cores: 2.5 MiB of 10 ways, eight wide; as Alder Lake where nothing better is known. `[W][C][L]`
const LION_COVE: Machine = Machine {
    name: "lunarlake",
    l2_bytes: 2560 * KIB,
    l2_latency: 17.0,
    issue_width: 8.0,
    div_interval: 5.0,
    ..ALDER_LAKE
};

/// Gracemont and other small cores: 32 KiB of 8 ways, 2 to 4 MiB shared by four, 128-bit units; 2048 pages. `[U][W][C]`
const GRACEMONT: Machine = Machine {
    name: "gracemont",
    l1_latency: 3.0,
    l2_bytes: MIB,
    l2_ways: 8,
    l2_latency: 20.0,
    l3_latency: 70.0,
    translated_bytes: 8 * MIB,
    issue_width: 5.0,
    load_bytes_per_cycle: 32.0,
    stores_per_cycle: 2.0,
    store_bytes_per_cycle: 32.0,
    fma_bytes_per_cycle: 32.0,
    add_latency: 3.0,
    fma_latency: 6.0,
    ..X86_V3
};

/// Zen 1: 128-bit units, 512 KiB of 8 ways, 8 MiB of L3 for four cores; 1536 pages. `[F][Z]`
const ZEN1: Machine = Machine {
    name: "znver1",
    vector_bits: 256,
    widest_bits: 256,
    l2_bytes: 512 * KIB,
    l2_ways: 8,
    l3_bytes: 4 * MIB,
    l3_latency: 40.0,
    translated_bytes: 6 * MIB,
    issue_width: 5.0,
    fused: true,
    add_latency: 3.0,
    ..X86
};

/// Zen 2: 256-bit units, additions and conversions on two others than multiply-adds (measured on Zen 4), fma 5, 16 MiB of L3 for four cores; 2048 pages. `[F][U][Z][M]`
const ZEN2: Machine = Machine {
    name: "znver2",
    l3_bytes: 8 * MIB,
    l3_latency: 39.0,
    translated_bytes: 8 * MIB,
    load_bytes_per_cycle: 64.0,
    store_bytes_per_cycle: 32.0,
    fma_bytes_per_cycle: 64.0,
    converts_beside: true,
    mixed: 0.75,
    line_from_l3: 3.5,
    ..ZEN1
};

/// Zen 3: three loads, two stores, fma 4, 32 MiB of L3 for eight cores. `[F][U][Z][C]`
const ZEN3: Machine = Machine {
    name: "znver3",
    l3_bytes: 16 * MIB,
    l3_latency: 46.0,
    issue_width: 6.0,
    loads_per_cycle: 3.0,
    stores_per_cycle: 2.0,
    fma_latency: 4.0,
    line_from_l3: 3.0,
    ..ZEN2
};

/// Zen 4: 512-bit registers on 256-bit units, 1 MiB of 8 ways; 3072 pages. Products and sums run at full speed beside each other if they take broadcasts from memory themselves (products of matrices 54 GFlop/s), else at three
/// quarters (43). `[F][U][Z][C][M]`
const ZEN4: Machine = Machine {
    name: "znver4",
    vector_bits: 512,
    widest_bits: 512,
    vector_registers: 32,
    masks: true,
    l2_bytes: MIB,
    l3_latency: 50.0,
    translated_bytes: 12 * MIB,
    mixed: 0.52,
    embeds: true,
    line_from_l2: 1.5,
    ..ZEN3
};

/// Zen 5 with full 512-bit units: 48 KiB of 12 ways, 1 MiB of 16, two 512-bit loads, one 512-bit store, fadd 2, eight wide; 4096 pages. `[U][Z][C][M]`
const ZEN5: Machine = Machine {
    name: "znver5",
    l1_bytes: 48 * KIB,
    l1_ways: 12,
    l2_ways: 16,
    translated_bytes: 16 * MIB,
    issue_width: 8.0,
    loads_per_cycle: 4.0,
    load_bytes_per_cycle: 128.0,
    store_bytes_per_cycle: 64.0,
    fma_bytes_per_cycle: 128.0,
    mixed: 0.75,
    embeds: false,
    add_latency: 2.0,
    line_from_l2: 1.0,
    line_from_l3: 1.3,
    line_from_memory: 4.7,
    scatter: 3.5,
    ..ZEN4
};

/// An AArch64 core of which nothing is known: least common to Cortex-A76, Neoverse N1 and N2. `[G]`
pub const AARCH64: Machine = Machine { name: "aarch64", ..CORTEX_A76 };

/// Cortex-A53 and A55: in order, two wide, 64-bit units, one load or store; 32 KiB, no more than 1 MiB of L3. `[G][L]`
const CORTEX_A55: Machine = Machine {
    name: "cortex-a55",
    l1_bytes: 32 * KIB,
    l1_latency: 3.0,
    l2_bytes: 128 * KIB,
    l2_ways: 4,
    l3_bytes: MIB,
    translated_bytes: 2 * MIB,
    issue_width: 2.0,
    loads_per_cycle: 1.0,
    load_bytes_per_cycle: 8.0,
    fma_bytes_per_cycle: 16.0,
    add_latency: 4.0,
    div_latency: 22.0,
    div_interval: 38.0,
    mispredict: 8.0,
    ..NEOVERSE_N1
};

/// Cortex-A57 and A72: two 64-bit units, one load, one store, fma 7, division 17 for each of two; 32 KiB of 2 ways, 512 KiB to 4 MiB shared by four cores, no
/// third level (given the size of the second: what misses one misses both, at no cost of its own); 1024 pages. `[G]`
const CORTEX_A72: Machine = Machine {
    name: "cortex-a72",
    l1_bytes: 32 * KIB,
    l1_ways: 2,
    l2_bytes: 512 * KIB,
    l2_latency: 20.0,
    l3_bytes: 512 * KIB,
    l3_latency: 20.0,
    translated_bytes: 4 * MIB,
    issue_width: 3.0,
    loads_per_cycle: 1.0,
    load_bytes_per_cycle: 16.0,
    fma_bytes_per_cycle: 16.0,
    add_latency: 4.0,
    fma_latency: 7.0,
    div_latency: 17.0,
    div_interval: 34.0,
    line_from_l3: 0.0,
    mispredict: 15.0,
    ..NEOVERSE_N1
};

/// Cortex-A76 and A77: Neoverse N1 with 256 KiB of L2 at least, and 2 MiB of L3 shared by a cluster. `[G][W]`
const CORTEX_A76: Machine =
    Machine { name: "cortex-a76", l2_bytes: 256 * KIB, l2_latency: 9.0, l3_latency: 35.0, ..NEOVERSE_N1 };

/// Cortex-A78: a third load. `[G]`
const CORTEX_A78: Machine =
    Machine { name: "cortex-a78", loads_per_cycle: 3.0, load_bytes_per_cycle: 48.0, ..CORTEX_A76 };

/// Cortex-A710 to A725: Neoverse N2 with 256 KiB of L2 at least. `[G]`
const CORTEX_A710: Machine =
    Machine { name: "cortex-a710", l2_bytes: 256 * KIB, l2_latency: 9.0, l3_latency: 35.0, ..NEOVERSE_N2 };

/// Neoverse N1: 64 KiB of 4 ways, 1 MiB of 8, two 128-bit pipes, four wide; 1280 pages. `[G][W][C][L]`
const NEOVERSE_N1: Machine = Machine {
    name: "neoverse-n1",
    vector_bits: 128,
    widest_bits: 128,
    vector_registers: 32,
    masks: false,
    l1_bytes: 64 * KIB,
    l1_ways: 4,
    l1_latency: 4.0,
    l2_bytes: MIB,
    l2_ways: 8,
    l2_latency: 11.0,
    l3_bytes: 2 * MIB,
    l3_latency: 70.0,
    line_bytes: 64,
    translated_bytes: 5 * MIB,
    issue_width: 4.0,
    loads_per_cycle: 2.0,
    load_bytes_per_cycle: 32.0,
    stores_per_cycle: 1.0,
    store_bytes_per_cycle: 16.0,
    fused: true,
    converts_beside: false,
    fmas_per_cycle: 2.0,
    fma_bytes_per_cycle: 32.0,
    mixed: 1.0,
    embeds: false,
    add_latency: 2.0,
    fma_latency: 4.0,
    div_latency: 15.0,
    div_interval: 10.0,
    line_from_l2: 2.0,
    line_from_l3: 5.0,
    line_from_memory: 12.0,
    scatter: 2.5,
    mispredict: 11.0,
};

/// Neoverse N2: SVE2 of 128 bits, three loads, two stores, five wide, division 15/15. `[G][C][L]`
const NEOVERSE_N2: Machine = Machine {
    name: "neoverse-n2",
    masks: true,
    l2_latency: 13.0,
    issue_width: 5.0,
    loads_per_cycle: 3.0,
    load_bytes_per_cycle: 48.0,
    stores_per_cycle: 2.0,
    store_bytes_per_cycle: 32.0,
    div_interval: 15.0,
    ..NEOVERSE_N1
};

/// Neoverse N3: division 13/2. `[G][L]`
const NEOVERSE_N3: Machine = Machine { name: "neoverse-n3", div_latency: 13.0, div_interval: 2.0, ..NEOVERSE_N2 };

/// Neoverse V1: four 128-bit (two 256-bit) pipes, three loads, eight wide, division 15/7; 2048 pages. `[G][W][L]`
const NEOVERSE_V1: Machine = Machine {
    name: "neoverse-v1",
    l2_latency: 11.0,
    translated_bytes: 8 * MIB,
    issue_width: 8.0,
    fmas_per_cycle: 4.0,
    fma_bytes_per_cycle: 64.0,
    div_interval: 7.0,
    ..NEOVERSE_N2
};

/// Neoverse V2: 2 MiB of 8 ways, SVE2 of 128 bits. `[G][C][L]`
const NEOVERSE_V2: Machine = Machine { name: "neoverse-v2", l2_bytes: 2 * MIB, l2_latency: 10.0, ..NEOVERSE_V1 };

/// Neoverse V3 and Cortex-X925: ten wide, division 14/2. `[G][L]`
const NEOVERSE_V3: Machine =
    Machine { name: "neoverse-v3", issue_width: 10.0, div_latency: 14.0, div_interval: 2.0, ..NEOVERSE_V2 };

/// Ampere One: 64 KiB, 2 MiB of 8 ways, two 128-bit pipes, add 3, division 19. `[L][W]`
const AMPERE_ONE: Machine =
    Machine { name: "ampere1", l2_bytes: 2 * MIB, add_latency: 3.0, div_latency: 19.0, ..NEOVERSE_N1 };

/// A64FX: two 512-bit pipes with latencies of 9, lines of 256 bytes, 8 MiB of L2 shared by twelve cores, no third level (as Cortex-A72); 1024 pages. LLVM
/// gives 128 bits, unless it is told how long vectors are. `[L]` and Fujitsu's "A64FX microarchitecture manual".
const A64FX: Machine = Machine {
    name: "a64fx",
    vector_bits: 512,
    widest_bits: 512,
    masks: true,
    l1_latency: 5.0,
    l2_bytes: 512 * KIB,
    l2_ways: 2,
    l2_latency: 37.0,
    l3_bytes: 512 * KIB,
    l3_latency: 37.0,
    line_bytes: 256,
    translated_bytes: 4 * MIB,
    load_bytes_per_cycle: 128.0,
    store_bytes_per_cycle: 64.0,
    fma_bytes_per_cycle: 128.0,
    add_latency: 9.0,
    fma_latency: 9.0,
    div_latency: 43.0,
    div_interval: 43.0,
    line_from_l2: 4.0,
    line_from_l3: 0.0,
    ..NEOVERSE_N1
};

/// Oryon: 96 KiB of 6 ways, 12 MiB shared by four cores, four 128-bit pipes, add 3, division 10/1; 8192 pages. `[C][L]`
const ORYON: Machine = Machine {
    name: "oryon-1",
    masks: false,
    l1_bytes: 96 * KIB,
    l1_ways: 6,
    l2_bytes: 4 * MIB,
    l2_ways: 4,
    l2_latency: 18.0,
    l3_bytes: 6 * MIB,
    translated_bytes: 32 * MIB,
    add_latency: 3.0,
    div_latency: 10.0,
    div_interval: 1.0,
    ..NEOVERSE_V1
};

/// Apple's A7 to A11: 64 KiB, 1 MiB of L2 at least, three pipes, add 5, fma 8, division 17; no more than 4 MiB behind that. `[L]`
const APPLE_A7: Machine = Machine {
    name: "apple-a7",
    l1_bytes: 64 * KIB,
    l2_bytes: MIB,
    l2_ways: 8,
    l3_bytes: 4 * MIB,
    translated_bytes: 16 * MIB,
    issue_width: 6.0,
    loads_per_cycle: 2.0,
    load_bytes_per_cycle: 32.0,
    stores_per_cycle: 1.0,
    store_bytes_per_cycle: 16.0,
    fmas_per_cycle: 2.0,
    fma_bytes_per_cycle: 32.0,
    add_latency: 5.0,
    fma_latency: 8.0,
    div_latency: 17.0,
    div_interval: 17.0,
    ..APPLE_M1
};

/// Apple's Firestorm (A14, M1): 128 KiB of 8 ways, 12 MiB of 12 ways shared by four cores, lines of 128 bytes at the second level, four pipes, eight wide; 3072
/// pages of 16 KiB. `[A][C]`, sizes as macOS reports them.
const APPLE_M1: Machine = Machine {
    name: "apple-m1",
    masks: false,
    l1_bytes: 128 * KIB,
    l1_ways: 8,
    l1_latency: 4.0,
    l2_bytes: 4 * MIB,
    l2_ways: 4,
    l2_latency: 18.0,
    l3_bytes: 8 * MIB,
    l3_latency: 110.0,
    line_bytes: 128,
    translated_bytes: 48 * MIB,
    add_latency: 3.0,
    div_latency: 10.0,
    div_interval: 2.0,
    line_from_l2: 4.0,
    line_from_memory: 8.0,
    ..NEOVERSE_V1
};

/// Apple's M2: 16 MiB of 16 ways shared by four cores, otherwise as M1. `[C]`, sizes as macOS reports them.
const APPLE_M2: Machine = Machine { name: "apple-m2", ..APPLE_M1 };

/// Apple's M3: nine wide. `[C]`
const APPLE_M3: Machine = Machine { name: "apple-m3", issue_width: 9.0, ..APPLE_M2 };

/// Apple's M4 and later: ten wide. `[C]`
pub const APPLE_M4: Machine = Machine { name: "apple-m4", issue_width: 10.0, ..APPLE_M3 };

/// The rows with the names that clang has for these cores (and for those that are like them).
const ROWS: &[(&[&str], &Machine)] = &[
    (&["x86-64", "x86-64-v2"], &X86),
    (&["x86-64-v3"], &X86_V3),
    (&["x86-64-v4"], &X86_V4),
    (&["nehalem", "corei7", "westmere"], &NEHALEM),
    (&["sandybridge", "corei7-avx", "ivybridge", "core-avx-i"], &SANDY_BRIDGE),
    (&["haswell", "core-avx2"], &HASWELL),
    (&["broadwell"], &BROADWELL),
    (&["skylake", "kabylake", "cometlake"], &SKYLAKE),
    (&["skylake-avx512", "skx", "cascadelake", "cooperlake"], &SKYLAKE_X),
    (&["icelake-server"], &ICE_LAKE),
    (&["icelake-client", "rocketlake", "cannonlake"], &ICE_LAKE_CLIENT),
    (&["tigerlake"], &TIGER_LAKE),
    (&["sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d", "diamondrapids"], &SAPPHIRE_RAPIDS),
    (&["alderlake"], &ALDER_LAKE),
    (&["raptorlake", "meteorlake"], &RAPTOR_LAKE),
    (&["lunarlake", "arrowlake", "arrowlake-s", "pantherlake", "wildcatlake", "novalake"], &LION_COVE),
    (&["gracemont", "sierraforest", "grandridge", "clearwaterforest"], &GRACEMONT),
    (&["znver1"], &ZEN1),
    (&["znver2"], &ZEN2),
    (&["znver3"], &ZEN3),
    (&["znver4"], &ZEN4),
    (&["znver5", "znver6"], &ZEN5),
    (&["cortex-a34", "cortex-a35", "cortex-a53", "cortex-a55", "cortex-a510", "cortex-a520"], &CORTEX_A55),
    (&["cortex-a57", "cortex-a72", "cortex-a73", "cortex-a75"], &CORTEX_A72),
    (&["cortex-a76", "cortex-a76ae", "cortex-a77", "neoverse-e1"], &CORTEX_A76),
    (&["cortex-a78", "cortex-a78ae", "cortex-a78c"], &CORTEX_A78),
    (&["cortex-a710", "cortex-a715", "cortex-a720", "cortex-a720ae", "cortex-a725", "c1-pro"], &CORTEX_A710),
    (&["neoverse-n1"], &NEOVERSE_N1),
    (&["neoverse-n2", "cobalt-100"], &NEOVERSE_N2),
    (&["neoverse-n3"], &NEOVERSE_N3),
    (&["neoverse-v1", "neoverse-512tvb", "cortex-x1", "cortex-x1c", "cortex-x2", "cortex-x3"], &NEOVERSE_V1),
    (&["neoverse-v2", "grace", "cortex-x4"], &NEOVERSE_V2),
    (&["neoverse-v3", "neoverse-v3ae", "olympus", "cortex-x925", "gb10", "c1-premium", "c1-ultra"], &NEOVERSE_V3),
    (&["ampere1", "ampere1a", "ampere1b", "ampere1c"], &AMPERE_ONE),
    (&["a64fx"], &A64FX),
    (&["oryon-1"], &ORYON),
    (&["cyclone", "apple-a7", "apple-a8", "apple-a9", "apple-a10", "apple-a11"], &APPLE_A7),
    (&["apple-a12", "apple-a13", "apple-a14", "apple-m1"], &APPLE_M1),
    (&["apple-a15", "apple-a16", "apple-m2"], &APPLE_M2),
    (&["apple-a17", "apple-m3"], &APPLE_M3),
    (&["apple-a18", "apple-a19", "apple-m4", "apple-m5"], &APPLE_M4),
];

/// All names with their rows.
pub fn names() -> impl Iterator<Item = (&'static str, &'static Machine)> {
    ROWS.iter().flat_map(|(names, machine)| names.iter().map(move |name| (*name, *machine)))
}
