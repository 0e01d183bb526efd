//! What the cost model knows of a processor core.
//!
//! **Problem.** LLVM's target data have vector registers and widths right, but caches, latencies and load/store throughput wrong or missing on most
//! processors. Loop order and tile sizes stand or fall with these.
//!
//! **Method.** A small table by `target-cpu`, one row a core design, and rows for feature levels (`x86-64-v3`, ...) for code that has to run on many
//! designs: those take the least of the designs in question, so that tiles fit on all of them. All fields are public: command-line options write over them.
//!
//! **Sources.** `[F]` Agner Fog, "Instruction tables" and "The microarchitecture of Intel, AMD and VIA CPUs"; `[U]` uops.info; `[W]` WikiChip and vendors'
//! optimisation guides (Intel 248966, AMD for families 17h, 19h, 1Ah, Arm's "software optimization guide" of each Neoverse core); `[A]` Dougall Johnson's
//! Firestorm tables; `[M]` measured by us on that core. Where sources differ, the more careful figure is taken. Cycles a line (`line_from_*`) are rounded
//! from the bandwidths in these sources, for one core alone.

/// A core and the caches it sees.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// The row of the table that was taken.
    pub name: &'static str,
    /// Bits of a vector register.
    pub vector_bits: u32,
    /// Bits of the widest vector register, which LLVM may not prefer.
    pub widest_bits: u32,
    /// Number of vector registers.
    pub vector_registers: u32,
    /// First-level data cache.
    pub l1_bytes: u64,
    /// Second-level cache.
    pub l2_bytes: u64,
    /// Third-level cache, as much of it as one core may count on.
    pub l3_bytes: u64,
    /// Cache line.
    pub line_bytes: u64,
    /// Instructions that can retire in a cycle.
    pub issue_width: f64,
    /// Loads that can start in a cycle.
    pub loads_per_cycle: f64,
    /// Bytes that loads can bring in a cycle.
    pub load_bytes_per_cycle: f64,
    /// Stores that can finish in a cycle.
    pub stores_per_cycle: f64,
    /// Bytes that stores can take away in a cycle.
    pub store_bytes_per_cycle: f64,
    /// Is a multiply-add one instruction?
    pub fused: bool,
    /// Floating-point instructions that can start in a cycle.
    pub fmas_per_cycle: f64,
    /// Bytes of operands that these work on in a cycle.
    pub fma_bytes_per_cycle: f64,
    /// Cycles of an addition.
    pub add_latency: f64,
    /// Cycles of a fused multiply-add.
    pub fma_latency: f64,
    /// Cycles of an `f64` division.
    pub div_latency: f64,
    /// Cycles between `f64` divisions of up to 128 bits; longer vectors take proportionally longer.
    pub div_interval: f64,
    /// Cycles for a line that the second level has, when lines are asked for in order.
    pub line_from_l2: f64,
    /// Further cycles when only the third level has it.
    pub line_from_l3: f64,
    /// Further cycles when only memory has it.
    pub line_from_memory: f64,
    /// Factor on these further cycles when lines are not asked for in order (no prefetching, translation misses).
    pub scatter: f64,
    /// Cycles lost by a branch that was predicted wrongly.
    pub mispredict: f64,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// An x86-64 core of the last ten years of which nothing is known: least common to Haswell, Skylake, Zen 1. `[F]`
const X86: Machine = Machine {
    name: "x86-64",
    vector_bits: 128,
    widest_bits: 128,
    vector_registers: 16,
    l1_bytes: 32 * KIB,
    l2_bytes: 256 * KIB,
    l3_bytes: 2 * MIB,
    line_bytes: 64,
    issue_width: 4.0,
    loads_per_cycle: 2.0,
    load_bytes_per_cycle: 32.0,
    stores_per_cycle: 1.0,
    store_bytes_per_cycle: 16.0,
    fused: false,
    fmas_per_cycle: 2.0,
    fma_bytes_per_cycle: 32.0,
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
const X86_V3: Machine = Machine {
    name: "x86-64-v3",
    vector_bits: 256,
    widest_bits: 256,
    load_bytes_per_cycle: 64.0,
    store_bytes_per_cycle: 32.0,
    fused: true,
    fma_bytes_per_cycle: 64.0,
    ..X86
};

/// Haswell and Broadwell: 256 KiB, 2.5 MiB of L3 a core in servers, fma 5, add 3, division 20/8. `[F][U]`
const HASWELL: Machine = Machine { name: "haswell", add_latency: 3.0, div_latency: 20.0, div_interval: 8.0, ..X86_V3 };

/// Skylake client: fma and add 4, division 14/4, 2 MiB of L3 a core. `[F][U]`
const SKYLAKE: Machine = Machine { name: "skylake", fma_latency: 4.0, div_interval: 4.0, ..X86_V3 };

/// Alder Lake P cores and later: 48 KiB, 1.25 MiB, three loads, two stores, six wide. `[U][W]`
const ALDERLAKE: Machine = Machine {
    name: "alderlake",
    l1_bytes: 48 * KIB,
    l2_bytes: 1280 * KIB,
    l3_bytes: 8 * MIB,
    issue_width: 6.0,
    loads_per_cycle: 3.0,
    load_bytes_per_cycle: 96.0,
    stores_per_cycle: 2.0,
    store_bytes_per_cycle: 64.0,
    add_latency: 3.0,
    line_from_l2: 1.5,
    ..SKYLAKE
};

/// Skylake-X, Cascade Lake: 1 MiB of L2, 1.375 MiB of L3 a core, two 512-bit loads, one store, two fma units. `[F][W]`
const SKYLAKE_X: Machine = Machine {
    name: "skylake-avx512",
    vector_bits: 512,
    widest_bits: 512,
    vector_registers: 32,
    l2_bytes: MIB,
    l3_bytes: 4 * MIB,
    load_bytes_per_cycle: 128.0,
    store_bytes_per_cycle: 64.0,
    fma_bytes_per_cycle: 128.0,
    line_from_l2: 1.5,
    line_from_l3: 6.0,
    ..SKYLAKE
};

/// Ice Lake server: 48 KiB, 1.25 MiB, five wide, two stores to one line. `[U][W]`
const ICELAKE: Machine = Machine {
    name: "icelake-server",
    l1_bytes: 48 * KIB,
    l2_bytes: 1280 * KIB,
    issue_width: 5.0,
    stores_per_cycle: 2.0,
    ..SKYLAKE_X
};

/// Sapphire Rapids and later servers: 2 MiB of L2, six wide, three narrow loads. `[U][W]`
const SAPPHIRE_RAPIDS: Machine = Machine {
    name: "sapphirerapids",
    l2_bytes: 2 * MIB,
    issue_width: 6.0,
    loads_per_cycle: 3.0,
    add_latency: 3.0,
    ..ICELAKE
};

/// Least common to Skylake-X, Ice Lake, Zen 4. `[F][U]`
const X86_V4: Machine = Machine {
    name: "x86-64-v4",
    l3_bytes: 2 * MIB,
    load_bytes_per_cycle: 64.0,
    store_bytes_per_cycle: 32.0,
    fma_bytes_per_cycle: 64.0,
    ..SKYLAKE_X
};

/// Zen 1: 128-bit units, 512 KiB of L2, 8 MiB of L3 for four cores. `[F]`
const ZEN1: Machine = Machine {
    name: "znver1",
    vector_bits: 256,
    widest_bits: 256,
    l2_bytes: 512 * KIB,
    l3_bytes: 4 * MIB,
    issue_width: 5.0,
    fused: true,
    add_latency: 3.0,
    ..X86
};

/// Zen 2: 256-bit units, fma 5. `[F][U]`
const ZEN2: Machine = Machine {
    name: "znver2",
    load_bytes_per_cycle: 64.0,
    store_bytes_per_cycle: 32.0,
    fma_bytes_per_cycle: 64.0,
    l3_bytes: 8 * MIB,
    line_from_l3: 3.5,
    ..ZEN1
};

/// Zen 3: three loads, two stores, fma 4, 32 MiB of L3 for eight cores. `[F][U]`
const ZEN3: Machine = Machine {
    name: "znver3",
    l3_bytes: 16 * MIB,
    issue_width: 6.0,
    loads_per_cycle: 3.0,
    stores_per_cycle: 2.0,
    fma_latency: 4.0,
    line_from_l3: 3.0,
    ..ZEN2
};

/// Zen 4: 512-bit registers on 256-bit units, 1 MiB of L2. `[F][U]`
const ZEN4: Machine =
    Machine { name: "znver4", vector_bits: 512, vector_registers: 32, l2_bytes: MIB, line_from_l2: 1.5, ..ZEN3 };

/// Zen 5 with full 512-bit units: 48 KiB, 1 MiB, two 512-bit loads, one 512-bit store, fadd 2, eight wide. `[U][M]`
const ZEN5: Machine = Machine {
    name: "znver5",
    l1_bytes: 48 * KIB,
    issue_width: 8.0,
    loads_per_cycle: 4.0,
    load_bytes_per_cycle: 128.0,
    store_bytes_per_cycle: 64.0,
    fma_bytes_per_cycle: 128.0,
    add_latency: 2.0,
    line_from_l2: 1.0,
    line_from_l3: 1.3,
    line_from_memory: 4.7,
    scatter: 3.5,
    ..ZEN4
};

/// An AArch64 core of which nothing is known: Cortex-A76 and Neoverse N1. 64 KiB, 1 MiB, two 128-bit pipes. `[W]`
const NEOVERSE_N1: Machine = Machine {
    name: "neoverse-n1",
    vector_bits: 128,
    widest_bits: 128,
    vector_registers: 32,
    l1_bytes: 64 * KIB,
    l2_bytes: MIB,
    l3_bytes: 2 * MIB,
    line_bytes: 64,
    issue_width: 4.0,
    loads_per_cycle: 2.0,
    load_bytes_per_cycle: 32.0,
    stores_per_cycle: 1.0,
    store_bytes_per_cycle: 16.0,
    fused: true,
    fmas_per_cycle: 2.0,
    fma_bytes_per_cycle: 32.0,
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

/// Neoverse N2: two stores, five wide. `[W]`
const NEOVERSE_N2: Machine = Machine {
    name: "neoverse-n2",
    issue_width: 5.0,
    stores_per_cycle: 2.0,
    store_bytes_per_cycle: 32.0,
    ..NEOVERSE_N1
};

/// Neoverse V1: four 128-bit (two 256-bit) pipes, three loads, eight wide. `[W]`
const NEOVERSE_V1: Machine = Machine {
    name: "neoverse-v1",
    issue_width: 8.0,
    loads_per_cycle: 3.0,
    load_bytes_per_cycle: 48.0,
    fmas_per_cycle: 4.0,
    fma_bytes_per_cycle: 64.0,
    div_interval: 7.0,
    ..NEOVERSE_N2
};

/// Neoverse V2: 2 MiB of L2. `[W]`
const NEOVERSE_V2: Machine = Machine { name: "neoverse-v2", l2_bytes: 2 * MIB, ..NEOVERSE_V1 };

/// Apple's Firestorm and later: 128 KiB, 12 MiB shared by four cores, lines of 128 bytes at the second level, four pipes. `[A]`
const APPLE_M1: Machine = Machine {
    name: "apple-m1",
    l1_bytes: 128 * KIB,
    l2_bytes: 4 * MIB,
    l3_bytes: 8 * MIB,
    line_bytes: 128,
    add_latency: 3.0,
    div_latency: 10.0,
    div_interval: 2.0,
    line_from_l2: 4.0,
    line_from_memory: 8.0,
    ..NEOVERSE_V1
};

impl Machine {
    /// The row for a `target-cpu`. Unknown names get a cautious row by their registers, which LLVM knows: from 512 bits on `x86-64-v4`, from 256 bits on
    /// `x86-64-v3`, 32 registers of 128 bits an AArch64 core. Zero for `vector_bits` or `vector_registers` means "as the table says".
    #[must_use]
    pub fn for_cpu(name: &str, vector_bits: u32, vector_registers: u32) -> Self {
        let mut machine = match name {
            "znver5" | "znver6" => ZEN5,
            "znver4" => ZEN4,
            "znver3" => ZEN3,
            "znver2" => ZEN2,
            "znver1" => ZEN1,
            "haswell" | "broadwell" | "core-avx2" => HASWELL,
            "skylake" | "kabylake" | "cometlake" => SKYLAKE,
            "alderlake" | "raptorlake" | "meteorlake" | "arrowlake" | "arrowlake-s" | "lunarlake" | "pantherlake" => {
                ALDERLAKE
            }
            "skylake-avx512" | "skx" | "cascadelake" | "cooperlake" => SKYLAKE_X,
            "icelake-server" | "icelake-client" | "tigerlake" | "rocketlake" => ICELAKE,
            "sapphirerapids" | "emeraldrapids" | "graniterapids" | "graniterapids-d" | "diamondrapids" => {
                SAPPHIRE_RAPIDS
            }
            "x86-64" | "x86-64-v2" | "nehalem" | "westmere" | "sandybridge" | "ivybridge" => X86,
            "x86-64-v3" => X86_V3,
            "x86-64-v4" => X86_V4,
            "neoverse-n1" | "neoverse-e1" | "cortex-a72" | "cortex-a76" | "cortex-a78" => NEOVERSE_N1,
            "neoverse-n2" | "neoverse-n3" | "cortex-a710" | "cortex-a720" => NEOVERSE_N2,
            "neoverse-v1" | "neoverse-512tvb" => NEOVERSE_V1,
            "neoverse-v2" | "neoverse-v3" | "grace" | "olympus" => NEOVERSE_V2,
            _ if name.starts_with("apple-") => APPLE_M1,
            _ if vector_bits >= 512 => X86_V4,
            _ if vector_bits >= 256 => X86_V3,
            _ if vector_registers >= 32 => NEOVERSE_N1,
            _ => X86,
        };
        if vector_bits > 0 {
            machine.vector_bits = vector_bits;
            machine.widest_bits = machine.widest_bits.max(vector_bits);
        }
        if vector_registers > 0 {
            machine.vector_registers = vector_registers;
        }
        machine
    }

    /// Bytes of a vector register.
    #[must_use]
    pub fn vector_bytes(&self) -> u64 {
        u64::from(self.vector_bits / 8).max(1)
    }
}

impl Default for Machine {
    /// An x86-64 core with 256-bit vectors.
    fn default() -> Self {
        X86_V3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_cores_have_their_own_rows() {
        let zen5 = Machine::for_cpu("znver5", 512, 32);
        assert_eq!((zen5.l1_bytes, zen5.l2_bytes, zen5.vector_bytes()), (48 << 10, 1 << 20, 64));
        // LLVM prefers 256 bits on some cores: what it says counts.
        assert_eq!(Machine::for_cpu("skylake-avx512", 256, 32).vector_bits, 256);
    }

    #[test]
    fn unknown_cores_are_told_by_their_registers() {
        assert_eq!(Machine::for_cpu("", 512, 32).name, "x86-64-v4");
        assert_eq!(Machine::for_cpu("something-new", 256, 16).name, "x86-64-v3");
        assert_eq!(Machine::for_cpu("generic", 128, 32).name, "neoverse-n1");
        assert_eq!(Machine::for_cpu("generic", 128, 16).name, "x86-64");
        assert_eq!(Machine::for_cpu("apple-m9", 128, 32).name, "apple-m1");
    }
}
