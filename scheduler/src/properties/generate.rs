//! Parts and trees from a tape of small choices.

use crate::disguise::Tape;
use crate::scop::{Scop, StatementId};
use crate::tree::{Member, Node};
use polyhedra::Affine;
use std::fmt::Write as _;

/// A random part: up to four statements in nests up to depth three, subscripts with small coefficients.
pub(crate) fn random_text(tape: &mut Tape<'_>) -> String {
    fn subscript(tape: &mut Tape<'_>, loops: &[&str]) -> String {
        let mut s = String::new();
        match tape.next(8) {
            0..=4 => s.push_str(loops.get(usize::from(tape.next(3))).copied().unwrap_or("0")),
            5 => {
                let _ = write!(s, "{} + {}", loops.first().unwrap_or(&"0"), loops.last().unwrap_or(&"1"));
            }
            6 => {
                let _ = write!(s, "N - {}", loops.last().unwrap_or(&"0"));
            }
            _ => s.push('1'),
        }
        let _ = write!(s, " + {}", tape.next(3));
        s
    }
    fn access(tape: &mut Tape<'_>, loops: &[&str]) -> String {
        match tape.next(5) {
            0 | 1 => format!("X[{}]", subscript(tape, loops)),
            2 => format!("Y[{}]", subscript(tape, loops)),
            3 => format!("Z[{}, {}]", subscript(tape, loops), subscript(tape, loops)),
            _ => "s[]".into(),
        }
    }
    fn block(tape: &mut Tape<'_>, loops: &mut Vec<&'static str>, left: &mut u8, text: &mut String) {
        const NAMES: [&str; 3] = ["i", "j", "k"];
        loop {
            if *left == 0 {
                return;
            }
            let pad = "  ".repeat(loops.len());
            if loops.len() < 3 && tape.next(3) > 0 {
                let name = NAMES[loops.len()];
                let outer = loops.last().copied().unwrap_or("0");
                let range = match tape.next(5) {
                    0 => format!("{outer} .. N"),
                    1 => "N-1 downto 0".into(),
                    2 => "1 .. N".into(),
                    _ => "0 .. N".to_string(),
                };
                let _ = writeln!(text, "{pad}for {name} = {range}");
                loops.push(name);
                let before = *left;
                block(tape, loops, left, text);
                if *left == before {
                    *left -= 1;
                    let _ = writeln!(text, "{pad}  {} = {}", access(tape, loops), access(tape, loops));
                }
                loops.pop();
            } else {
                *left -= 1;
                let op = if tape.next(3) == 0 { "+=" } else { "=" };
                let (a, b, c) = (access(tape, loops), access(tape, loops), access(tape, loops));
                let _ = writeln!(text, "{pad}{a} {op} {b} * {c}");
            }
            if tape.next(2) == 0 && !loops.is_empty() {
                return;
            }
        }
    }
    let mut text = "params N\n".to_string();
    let mut left = 1 + tape.next(4);
    block(tape, &mut Vec::new(), &mut left, &mut text);
    text
}

/// Bands with made-up rows: mostly illegal schedules.
pub(super) fn random_tree(scop: &Scop, tape: &mut Tape<'_>) -> Node {
    let single = |s: usize, tape: &mut Tape<'_>| {
        let statement = &scop.statements[s];
        let depth = statement.depth();
        let mut order: Vec<usize> = (0..depth).collect();
        for k in (1..depth).rev() {
            order.swap(k, usize::from(tape.next(u8::try_from(k + 1).unwrap_or(1))));
        }
        order
            .into_iter()
            .map(|d| {
                let row = Affine::dim(statement.space(), d).offset(i64::from(tape.next(3))).expect("row");
                if tape.next(3) == 0 { row.scale(-1).expect("row") } else { row }
            })
            .collect::<Vec<_>>()
    };
    let n = scop.statements.len();
    let depth = scop.statements[0].depth();
    let leaves = |from: usize| (from..n).map(|k| Node::Leaf(StatementId(k))).collect::<Vec<_>>();
    if scop.statements.iter().all(|s| s.depth() == depth) && tape.next(2) == 0 {
        // All in one band.
        let rows: Vec<Vec<Affine>> = (0..n).map(|s| single(s, tape)).collect();
        let members = (0..depth)
            .map(|l| Member::new(rows.iter().enumerate().map(|(s, r)| (StatementId(s), r[l].clone())).collect(), true))
            .collect();
        return Node::Band { members, permutable: true, child: Box::new(Node::Sequence(leaves(0))) };
    }
    let mut children: Vec<Node> = (0..n)
        .map(|s| {
            let members = single(s, tape)
                .into_iter()
                .map(|r| Member::new([(StatementId(s), r)].into_iter().collect(), true))
                .collect();
            Node::Band { members, permutable: true, child: Box::new(Node::Leaf(StatementId(s))) }
        })
        .collect();
    if tape.next(3) == 0 {
        children.reverse();
    }
    Node::Sequence(children)
}
