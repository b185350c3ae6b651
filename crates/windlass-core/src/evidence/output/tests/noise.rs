//! What is the same in each run, whatever differs in timings, widths and order.

use std::fmt::Write as _;

use super::super::OutputMark;

/// Numbers that look random and are the same in each run of the tests.
struct Noise(u64);

impl Noise {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// A time as tools tell it: in the unit that suits it.
    fn time(&mut self) -> String {
        let micros = 10_u64.pow(u32::try_from(self.below(8)).unwrap()) + self.below(900);
        match micros {
            0..1000 => format!("{micros}µs"),
            1000..100_000 => format!("{}.{}ms", micros / 1000, micros % 10),
            100_000..1_000_000 => format!("{} ms", micros / 1000),
            _ => format!("{}.{} s", micros / 1_000_000, micros % 10),
        }
    }
}

const WORDS: [&str; 8] = ["parse", "render", "load", "index", "merge", "split", "encode", "flush"];

/// A failure of some 40 KB, with timings whose values and widths differ.
fn noisy(seed: u64) -> String {
    let mut noise = Noise(seed);
    let mut out = String::new();
    for a in WORDS {
        for b in WORDS {
            for c in ["small", "large", "empty"] {
                let name = format!("{a} {b} {c}");
                let dots = ".".repeat(3 + usize::try_from(noise.below(30)).unwrap());
                let filled = usize::try_from(noise.below(21)).unwrap();
                let bar = format!("[{}{}]", "#".repeat(filled), " ".repeat(20 - filled));
                let _ = writeln!(out, "{name} {dots} {}", noise.time());
                let _ = writeln!(out, "{name:<30}{:>12}{:>9}", noise.time(), noise.below(100_000));
                let _ = writeln!(out, "  ✓ {name} ({})", noise.time());
                let _ = writeln!(out, "{bar} {:>3}% {name}", filled * 5);
                let _ = writeln!(
                    out,
                    "{}:{:02}:{:02} {name}: took {}",
                    noise.below(24),
                    noise.below(60),
                    noise.below(60),
                    noise.time()
                );
                for _ in 0..1 + noise.below(3) {
                    let _ = writeln!(out, "worker {} waits for {name}", noise.below(64));
                }
            }
        }
    }
    let _ = writeln!(out, "==== 3 failed, 1,021 passed in {} ====", noise.time());
    out
}

#[test]
fn a_noisy_failure_is_the_same_in_each_run() {
    let first = noisy(1);
    assert!(first.len() > 40_000, "{}", first.len());
    let mark = OutputMark::of(&first);
    assert_eq!(mark.lines.len(), OutputMark::MOST_LINES);
    assert_eq!(mark.different, 6 * 192 + 1);
    for seed in 2..12 {
        let again = OutputMark::of(&noisy(seed));
        assert_eq!((&again.lines, again.different), (&mark.lines, mark.different), "{seed}");
        assert_eq!(again.id(), mark.id());
        let failed =
            |mark: &OutputMark| mark.figures.iter().map(|figure| figure.value).collect::<Vec<_>>();
        assert_eq!(failed(&again), failed(&mark), "the timings are no figures");
    }
}

#[test]
fn order_and_repetition_make_no_difference_and_another_line_does() {
    let mark = OutputMark::of("FAIL adds\n\nFAIL subtracts\n");
    assert_eq!(OutputMark::of("FAIL subtracts\nFAIL adds\nFAIL adds\n").id(), mark.id());
    assert_eq!(mark.lines.len(), 2);
    assert_ne!(OutputMark::of("FAIL adds\n").id(), mark.id());
    assert_ne!(OutputMark::of("FAIL adds\nFAIL divides\n").id(), mark.id());
    assert_eq!(OutputMark::of(" \n\n\u{1b}[0m\n"), OutputMark::default());
}

#[test]
fn colours_and_lines_that_are_painted_over_make_no_difference() {
    let plain = OutputMark::of("building a\nFAIL adds\n");
    let painted = OutputMark::of("\u{1b}[2Kbuilding a\r\u{1b}[31mFAIL\u{1b}[0m adds\r\n");
    assert_eq!(plain, painted);
}

#[test]
fn what_a_tool_says_only_when_it_has_to_build_makes_no_difference() {
    let built = "   Compiling p v0.1.0 (/p)\n  Downloaded serde v1.0.228\ngo: downloading x.org/y v1.2.3\ntest adds ... FAILED\n";
    assert_eq!(OutputMark::of(built), OutputMark::of("test adds ... FAILED\n"));
    assert_ne!(OutputMark::of("Checking part a: FAIL\n"), OutputMark::default());
}

#[test]
fn of_very_many_lines_the_same_few_are_kept() {
    let letters =
        |n: u32| n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect::<String>();
    let many: Vec<String> = (0..5000).map(|n| format!("cannot find {}", letters(n))).collect();
    let mark = OutputMark::of(&many.join("\n"));
    let backwards: Vec<String> = many.iter().rev().cloned().collect();
    assert_eq!(OutputMark::of(&backwards.join("\n")), mark);
    assert_eq!((mark.lines.len(), mark.different), (200, 5000));
    assert!(mark.lines.is_sorted() && mark.lines.iter().all(|line| line.len() == 8));
    let fewer = OutputMark::of(&many[..4999].join("\n"));
    assert_ne!(fewer.id(), mark.id());
    let kept = fewer.lines.iter().filter(|line| mark.lines.contains(line)).count();
    assert!(kept >= 198, "{kept}");
}
