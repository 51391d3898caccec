//! Random programs that go round: small processes that loop, wait for each other and come by labels, with formulas.
//!
//! They are for comparing cycles and fairness with the real spin, which the programs of [`generate`](mod@crate::generate)
//! seldom reach: those end, or get stuck.

use crate::generate::rng::Rng;

/// Programs of seeds from here on send and receive by rendezvous in every second statement.
pub const RENDEZVOUS: u64 = 1 << 20;

/// A program, and what decides how spin can be asked about it.
#[derive(Debug, Clone)]
pub struct CyclicProgram {
    /// The text, without formulas.
    pub text: String,
    /// Formulas, named `f0`, `f1`, …; none if processes have accept labels, which spin lets count for them.
    pub formulas: Vec<String>,
    /// Whether processes have accept labels.
    pub has_accept_labels: bool,
    /// Whether a process has a `provided` clause, under which spin's fairness is wrong.
    pub has_provided: bool,
}

impl CyclicProgram {
    /// The program of a seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let has_accept_labels = rng.chance(30);
        let has_provided = rng.chance(8);
        let mut text = String::from(
            "byte x, y; bool p;\nchan c = [0] of { byte };\nchan d = [1] of { byte };\n",
        );
        let has_rendezvous = seed >= RENDEZVOUS;
        let mut writer = Writer { rng, has_accept_labels, has_rendezvous, n_labels: 0 };
        let n_processes = 2 + writer.rng.below(2);
        for number in 0..n_processes {
            let provided = match has_provided && number == 0 {
                true => format!(" provided ({})", writer.condition()),
                false => String::new(),
            };
            let body = writer.body();
            text += &format!("active proctype P{number}(){provided} {{\n  byte v;\n{body}}}\n");
        }
        let formulas = match has_accept_labels {
            true => Vec::new(),
            false => (0..2).map(|_| writer.formula()).collect(),
        };
        Self { text, formulas, has_accept_labels, has_provided }
    }

    /// The program with its formulas.
    pub fn with_formulas(&self) -> String {
        let formulas = self.formulas.iter().enumerate();
        let formulas = formulas.map(|(i, formula)| format!("ltl f{i} {{ {formula} }}\n"));
        self.text.clone() + &formulas.collect::<String>()
    }
}

struct Writer {
    rng: Rng,
    has_accept_labels: bool,
    /// Whether many statements are rendezvous.
    has_rendezvous: bool,
    n_labels: usize,
}

impl Writer {
    /// A loop of a few options, perhaps with something before it.
    fn body(&mut self) -> String {
        let mut text = String::new();
        if self.rng.chance(30) {
            text += &format!("  {};\n", self.statement());
        }
        if self.rng.chance(10) {
            return text + &format!("  {}\n", self.statement());
        }
        text += "  do\n";
        for _ in 0..1 + self.rng.below(3) {
            text += &format!("  :: {}\n", self.option());
        }
        match self.rng.below(12) {
            0 => text += "  :: else -> y = 1 - y\n",
            1 => text += "  :: timeout -> x = 0\n",
            2 => text += "  :: x == 2 -> break\n",
            _ => {}
        }
        text + "  od\n"
    }

    fn option(&mut self) -> String {
        let first = if self.rng.chance(40) { self.condition() } else { self.statement() };
        let mut statements = vec![first];
        for _ in 0..self.rng.below(3) {
            let label = self.label();
            statements.push(format!("{label}{}", self.statement()));
        }
        // A condition alone would be a step that changes nothing, for ever.
        if statements.len() == 1 && !statements[0].contains('=') {
            statements.push(self.effect());
        }
        statements.join("; ")
    }

    fn label(&mut self) -> String {
        self.n_labels += 1;
        let n = self.n_labels;
        match self.rng.below(10) {
            0 | 1 if self.has_accept_labels => format!("accept{n}: "),
            2 | 3 => format!("progress{n}: "),
            _ => String::new(),
        }
    }

    fn statement(&mut self) -> String {
        let kind = match self.has_rendezvous && self.rng.chance(50) {
            true => self.rng.below(2),
            false => self.rng.below(12),
        };
        match kind {
            0 => format!("c!{}", self.rng.below(2)),
            1 => "c?v".to_owned(),
            2 => format!("d!{}", self.rng.below(2)),
            3 => "d?v".to_owned(),
            4 => self.condition(),
            5 => format!("atomic {{ {}; {} }}", self.effect(), self.effect()),
            6 => format!(
                "atomic {{ {}; {}; {} }}",
                self.condition(),
                self.effect(),
                self.condition()
            ),
            7 => format!("d_step {{ {}; {} }}", self.condition(), self.effect()),
            _ => self.effect(),
        }
    }

    fn effect(&mut self) -> String {
        let effects = ["x = (x + 1) % 3", "y = 1 - y", "p = !p", "x = 1", "y = x % 2", "p = true"];
        self.rng.one_of(effects).to_owned()
    }

    fn condition(&mut self) -> String {
        let conditions = ["x == 0", "x == 1", "x > 0", "y == 0", "y == 1", "p", "!p", "x != y"];
        format!("({})", self.rng.one_of(conditions))
    }

    fn formula(&mut self) -> String {
        let (a, b) = (self.condition(), self.condition());
        match self.rng.below(10) {
            0 => format!("<> {a}"),
            1 => format!("[] <> {a}"),
            2 => format!("<> [] {a}"),
            3 => format!("[] ({a} -> <> {b})"),
            4 => format!("{a} U {b}"),
            5 => format!("[] <> {a} -> [] <> {b}"),
            6 => format!("<> [] {a} -> [] <> {b}"),
            7 => format!("[] ({a} || <> [] {b})"),
            8 => format!("[] ({a} -> ({a} U {b}))"),
            _ => format!("! ({a} U ([] {b}))"),
        }
    }
}
