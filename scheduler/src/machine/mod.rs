//! What the cost model knows of a processor core.
//!
//! **Problem.** LLVM's target data have vector registers and widths right, but caches, latencies and load/store throughput wrong or missing on most
//! processors. Loop order and tile sizes stand or fall with these.
//!
//! **Method.** A small table by `target-cpu`, one row a core design, and rows for feature levels (`x86-64-v3`, ...) for code that has to run on many
//! designs: those take the least of the designs in question, so that tiles fit on all of them. All fields are public: command-line options write over them.
//!
//! The rows and where their numbers come from: the module `table`. The processor at hand is never asked: the same command makes the same code everywhere.

mod table;

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
    /// Can lanes of loads, stores and arithmetic be switched off one by one?
    pub masks: bool,
    /// First-level data cache.
    pub l1_bytes: u64,
    /// Lines in one of its sets.
    pub l1_ways: u32,
    /// Cycles of a load that it has, and from a store to a load of the same cell.
    pub l1_latency: f64,
    /// Second-level cache, as much of it as one core may count on.
    pub l2_bytes: u64,
    /// Lines in one of its sets.
    pub l2_ways: u32,
    /// Cycles of a load that it has.
    pub l2_latency: f64,
    /// Third-level cache, as much of it as one core may count on. Its sets are chosen by a hash.
    pub l3_bytes: u64,
    /// Cycles of a load that it has.
    pub l3_latency: f64,
    /// Cache line.
    pub line_bytes: u64,
    /// Bytes in pages of usual size whose addresses can be translated without a walk through page tables.
    pub translated_bytes: u64,
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
    /// Are there as many units for conversions beside those of multiply-adds?
    pub converts_beside: bool,
    /// Of as many products as sums by themselves, the part of the time that they would take on the units of multiply-adds alone: 1 if sums have no other units.
    pub mixed: f64,
    /// Do numbers that are loaded to all lanes keep units of sums busy, if they are not loaded by the operations that use them?
    pub embeds: bool,
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

impl Machine {
    /// The row for a `target-cpu`; for unknown names a cautious one by their registers, which LLVM knows. Zero for `vector_bits` or `vector_registers` means
    /// "as the table says".
    #[must_use]
    pub fn for_cpu(name: &str, vector_bits: u32, vector_registers: u32) -> Self {
        let dashed = name.replace('_', "-");
        let row = table::names().find(|(known, _)| *known == dashed).map(|(_, row)| row);
        let mut machine = row.unwrap_or_else(|| by_registers(name, vector_bits, vector_registers)).clone();
        if vector_bits > 0 {
            machine.vector_bits = vector_bits;
            machine.widest_bits = machine.widest_bits.max(vector_bits);
        }
        if vector_registers > 0 {
            machine.vector_registers = vector_registers;
        }
        machine
    }

    /// Bytes from one line of a set to the next of the first level.
    #[must_use]
    pub fn l1_way_bytes(&self) -> u64 {
        way(self.l1_bytes, self.l1_ways)
    }

    /// Bytes from one line of a set to the next of the second level.
    #[must_use]
    pub fn l2_way_bytes(&self) -> u64 {
        way(self.l2_bytes, self.l2_ways)
    }

    /// In how many slots of multiply-adds operations run of which some are sums by themselves.
    #[must_use]
    pub fn slots(&self, operations: f64, sums: f64) -> f64 {
        if self.mixed >= 1.0 || sums <= 0.0 {
            return operations;
        }
        (operations * self.mixed).max(operations - sums).max(sums)
    }

    /// Cycles of a multiply-add on vectors of so many bytes, where the units have enough of them.
    #[must_use]
    pub fn fma_cycles(&self, bytes: u32) -> f64 {
        (1.0 / self.fmas_per_cycle).max(f64::from(bytes) / self.fma_bytes_per_cycle)
    }

    /// Do vectors of half as many bytes take less time, where a product is added to each of so many sums again and again? Not if the units wait for the sums.
    #[must_use]
    pub fn gains_by_halves(&self, sums: u32, bytes: u32) -> bool {
        let cycles = |bytes| self.fma_cycles(bytes);
        cycles(bytes / 2) < cycles(bytes) && f64::from(sums) * cycles(bytes) > self.fma_latency
    }

    /// Bytes of a vector register, as LLVM uses it of itself.
    #[must_use]
    pub fn vector_bytes(&self) -> u64 {
        u64::from(self.vector_bits / 8).max(1)
    }

    /// Bytes of a whole vector register.
    #[must_use]
    pub fn widest_bytes(&self) -> u64 {
        u64::from(self.widest_bits / 8).max(1)
    }
}

/// So many neighbours, of which an iteration stores all, LLVM puts together from vectors of each; of more it scatters each by itself, where it can, though they are a row (measured for Zen 4 and 5, Skylake and Sapphire
/// Rapids on rows of 3 to 16 cells: 5 to 9 cycles a row, and 17 to 45).
#[must_use]
pub const fn most_in_turn(vector_bits: u32, element_bytes: u64) -> u64 {
    match (element_bytes, vector_bits) {
        (0..8, _) => 8,
        (_, 512..) => 7,
        _ => 4,
    }
}

/// A power of two, as addresses choose sets by bits: sizes may have been given by option.
fn way(bytes: u64, ways: u32) -> u64 {
    1 << (bytes / u64::from(ways.max(1))).max(1).ilog2()
}

/// From 512 bits on `x86-64-v4`, from 256 bits on `x86-64-v3`, 32 registers of 128 bits an AArch64 core; Apple's next core is like its last.
fn by_registers(name: &str, vector_bits: u32, vector_registers: u32) -> &'static Machine {
    match (vector_bits, vector_registers) {
        _ if name.starts_with("apple-") => &table::APPLE_M4,
        (512.., _) => &table::X86_V4,
        (256.., _) => &table::X86_V3,
        (_, 32..) => &table::AARCH64,
        _ => &table::X86,
    }
}

impl Default for Machine {
    /// An x86-64 core with 256-bit vectors.
    fn default() -> Self {
        table::X86_V3
    }
}

#[cfg(test)]
mod tests;
