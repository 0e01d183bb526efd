// What the programs in Rust share: sizes, memory, what they write, and panics that are part of the result.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

pub const SIZES: [(usize, usize); 9] =
    [(0, 0), (0, 4), (1, 1), (1, 6), (5, 0), (2, 3), (7, 4), (16, 16), (19, 33)];

static STATE: AtomicU64 = AtomicU64::new(1);

#[inline(never)]
pub fn array(count: usize) -> Vec<f64> {
    let mut out = Vec::new();
    for _ in 0..count {
        let next = STATE.load(Ordering::Relaxed).wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        STATE.store(next, Ordering::Relaxed);
        out.push((next >> 58) as f64 * 0.37 + 0.1);
    }
    out
}

#[inline(never)]
pub fn show(values: &[f64]) {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_bits().to_le_bytes()).collect();
    std::io::stdout().write_all(&bytes).unwrap();
}

/// Runs it; does it panic? Says nothing about where.
#[allow(dead_code)]
pub fn fails(f: impl FnOnce()) -> bool {
    std::panic::set_hook(Box::new(|_| {}));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err()
}
