//! Random programs with processes that are alike, or nearly: what a symmetry reduction is compared on.
//!
//! Processes have their number by `_pid`, by a variable that keeps it, or by a parameter. They copy and compare
//! numbers, send them, and use them as indices. A few statements of some programs tell processes apart, by order or by
//! a constant, and must be noticed.

use crate::generate::rng::Rng;
use std::fmt::Write;

/// How processes know their number.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Number {
    Pid,
    /// One less than the pid.
    Shifted,
    Variable,
    Parameter,
}

struct Writer {
    rng: Rng,
    n: usize,
    number: Number,
    /// Whether statements may tell processes apart.
    is_crooked: bool,
    has_matrix: bool,
}

/// The random program of a seed.
pub fn symmetric_program(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x0051_33e7);
    let n = if rng.chance(70) { 3 } else { 2 };
    let number = rng.one_of([Number::Pid, Number::Variable, Number::Parameter, Number::Shifted]);
    let (is_crooked, has_matrix) = (rng.chance(25), rng.chance(20));
    Writer { rng, n, number, is_crooked, has_matrix }.program()
}

impl Writer {
    fn program(&mut self) -> String {
        let n = self.n;
        let mut text = format!("#define N {n}\n#define NONE 99\n");
        let first = self.rng.one_of(["0", "1", "NONE", "NONE"]);
        let _ = writeln!(
            text,
            "byte x; byte g = {first}; byte h = NONE;\nbyte a[N]; byte b[N] = NONE;"
        );
        if self.has_matrix {
            text += "typedef row { bit to[N] }; row m[N];\n";
        }
        let size = self.rng.range(0, 1);
        let _ = writeln!(
            text,
            "chan c = [{size}] of {{ byte, byte }};\nchan q[N] = [1] of {{ byte }};"
        );
        match self.rng.below(6) {
            0 => text += &format!("ltl p {{ [] ({} < {n}) }}\n", self.sum()),
            1 => {
                text +=
                    &format!("ltl p {{ [] !({} && g == 1) }}\n", self.rng.one_of(["a[0]", "a[1]"]))
            }
            2 => text += "ltl p { [] (x == 2 -> g != NONE) }\n",
            _ => {}
        }
        let header = match self.number {
            Number::Pid => "active [N] proctype P() { byte y = NONE;\n".to_owned(),
            Number::Shifted => {
                "active proctype Z() { x = 1 }\nactive [N] proctype P() { byte me; byte y = NONE;\nme = _pid - 1;\n".into()
            }
            Number::Variable => "active [N] proctype P() { byte me = _pid; byte y = NONE;\n".into(),
            Number::Parameter => "proctype P(byte me) { byte y = NONE;\n".to_owned(),
        };
        text += &header;
        text += &self.body();
        text += "}\n";
        if self.rng.chance(40) {
            text += "active proctype S() { byte w; byte k;\nend: do :: c?w,k -> ";
            text += self.rng.one_of(["a[w] = 1", "h = w", "q[w]!1", "g = w; w = 0", "x = k % 3"]);
            text += " od }\n";
        }
        if self.number == Number::Parameter {
            text += self.rng.one_of([
                "init { byte i; atomic { for (i : 0 .. N - 1) { run P(i) } } }\n",
                "init { atomic { run P(0); run P(1); if :: N > 2 -> run P(2) :: else fi } }\n",
                "init { byte i; do :: i < N -> run P(i); i++ :: else -> break od }\n",
            ]);
        }
        text
    }

    fn sum(&self) -> String {
        (0..self.n).map(|i| format!("a[{i}]")).collect::<Vec<_>>().join(" + ")
    }

    fn me(&self) -> &'static str {
        if self.number == Number::Pid { "_pid" } else { "me" }
    }

    fn body(&mut self) -> String {
        let mut text = String::from("do\n");
        for _ in 0..self.rng.range(2, 3) {
            let length = self.rng.range(1, 3);
            let statements: Vec<String> = (0..length).map(|_| self.statement()).collect();
            let all = statements.join("; ");
            let guard = self.guard();
            let _ = match self.rng.below(5) {
                0 => writeln!(text, ":: atomic {{ {guard} -> {all} }}"),
                1 => writeln!(text, ":: d_step {{ {guard} -> x = (x + 1) % 3 }}; {all}"),
                _ => writeln!(text, ":: {guard} -> {all}"),
            };
        }
        if self.rng.chance(30) {
            let _ = writeln!(text, ":: {} -> break", self.guard());
        }
        if self.rng.chance(5) {
            text += ":: timeout -> x = 0; g = NONE\n";
        }
        text + "od\n"
    }

    fn guard(&mut self) -> String {
        let me = self.me();
        if self.is_crooked && self.rng.chance(20) {
            return match self.rng.below(3) {
                0 => format!("{me} < g"),
                1 => format!("{me} == 1"),
                _ => "a[0] == 0".to_owned(),
            };
        }
        match self.rng.below(9) {
            0 => format!("a[{me}] == 0"),
            1 => format!("g == {me}"),
            2 => format!("g != {me}"),
            3 => "g == NONE".to_owned(),
            4 => "h == g".to_owned(),
            5 => format!("x == {}", self.rng.below(3)),
            6 => format!("b[{me}] != y"),
            7 => "y == NONE || y == g".to_owned(),
            _ => "true".to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        let me = self.me();
        if self.is_crooked && self.rng.chance(10) {
            return match self.rng.below(4) {
                0 => format!("x = {me}"),
                1 => "g = 1".to_owned(),
                2 => "a[1] = 1".to_owned(),
                _ => format!("if :: {me} > 0 -> y = {me} - 1 :: else fi"),
            };
        }
        if self.has_matrix && self.rng.chance(20) {
            return match self.rng.below(2) {
                0 => format!(
                    "if :: y != NONE -> m[{me}].to[y] = 1 :: else -> m[{me}].to[{me}] = 0 fi"
                ),
                _ => format!("if :: g < N && m[g].to[{me}] == 1 -> h = g :: else fi")
                    .replace("g < N", "g != NONE"),
            };
        }
        match self.rng.below(20) {
            0 => format!("g = {me}"),
            1 => format!("h = {me}"),
            2 => "g = h".to_owned(),
            3 => "g = NONE; y = NONE".to_owned(),
            4 => format!("y = b[{me}]"),
            5 => format!("b[{me}] = g"),
            6 => format!("a[{me}] = 1 - a[{me}]"),
            7 => "if :: g != NONE -> a[g] = 1 :: else fi".to_owned(),
            8 => "if :: y != NONE -> b[y] = g :: else -> y = g fi".to_owned(),
            9 => format!("if :: c!{me},x :: x == 1 fi"),
            10 => "if :: c?y,_ :: x = 0 fi".to_owned(),
            11 => format!("if :: nfull(q[{me}]) -> q[{me}]!x :: else -> q[{me}]?_ fi"),
            12 => "if :: y != NONE && nempty(q[y]) -> q[y]?_ :: else fi".to_owned(),
            13 => format!("if :: c?eval({me}),_ :: else fi"),
            14 => {
                let picks: Vec<String> = (0..self.n).map(|i| format!(":: y = {i}")).collect();
                format!("if {} fi", picks.join(" "))
            }
            15 => format!("assert(!(a[{me}] == 1 && g == {me} && x == 2))"),
            16 => "assert(h == NONE || a[h] == 0 || x != 1)".to_owned(),
            17 => "x = (x + 1) % 3".to_owned(),
            18 => format!("y = (a[{me}] == 0 -> g : h)"),
            _ => "y = NONE".to_owned(),
        }
    }
}
