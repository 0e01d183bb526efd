//! Random programs from a tape of choices.

use proptest::prelude::*;

/// A tape of choices: what proptest shrinks.
pub struct Tape<'a> {
    pub values: &'a [u8],
    pub at: usize,
}

impl Tape<'_> {
    pub fn below(&mut self, n: usize) -> usize {
        let v = self.values.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(v) % n
    }

    pub fn pick<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[self.below(list.len())]
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == one_in - 1
    }
}

pub const NAMES: [&str; 4] = ["i", "j", "k", "l"];

pub fn subscript(tape: &mut Tape<'_>, depth: usize) -> String {
    let shift = tape.below(3);
    match tape.below(depth + 1) {
        0 => format!("{shift}"),
        d if tape.chance(4) => format!("{} + {} + {shift}", NAMES[d - 1], NAMES[tape.below(depth)]),
        d => format!("{} + {shift}", NAMES[d - 1]),
    }
}

pub fn domain(tape: &mut Tape<'_>, depth: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for d in 0..depth {
        let name = NAMES[d];
        let outer = if d > 0 { NAMES[tape.below(d)] } else { "0" };
        let lower = match tape.below(6) {
            0..3 => "0".to_string(),
            3 => "1".to_string(),
            4 => outer.to_string(),
            _ => "m - 2".to_string(),
        };
        rows.push(format!("{name} >= {lower}"));
        let upper = match tape.below(7) {
            0..3 => "n - 1".to_string(),
            3 => "m".to_string(),
            4 => format!("{outer} + 2"),
            5 => "2".to_string(),
            _ => format!("n - {outer}"),
        };
        rows.push(format!("{name} <= {upper}"));
        if tape.chance(4) {
            rows.push(format!("{name} <= {}", tape.pick(&["m + 1", "3", "n - 2"])));
        }
    }
    if tape.chance(4) && depth > 1 {
        rows.push(tape.pick(&["i + j <= n", "i <= j + 1", "2i <= j + 3", "2i >= j", "i = j"]).to_string());
    }
    if tape.chance(8) {
        rows.push(tape.pick(&["m >= 2", "n >= 3", "m <= n"]).to_string());
    }
    rows
}

pub fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("LOOPWRIGHT_CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(default);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 2000, ..ProptestConfig::default() }
}
