//! The state of the construction of one program, and its order: types,
//! globals, inlines, processes, claims.

use super::feature::{Feature, Features};
use super::inline::Callable;
use super::rng::Rng;
use super::scope::Scope;
use super::start::Runnable;
use super::tree::{Decl, MtypeDecl, Proctype, Program, Seq, Stmt, Type};
use super::walk::{Visitor, walk};

/// A program under construction.
pub struct Builder {
    /// The source of all decisions.
    pub rng: Rng,
    /// What the program may use.
    pub features: Features,
    /// What is finished.
    pub program: Program,
    /// What can be named now.
    pub scope: Scope,
    /// Statements that the present process may still get.
    pub budget: usize,
    /// Jump labels of the present process that may be jumped to.
    pub labels: Vec<String>,
    /// A label at the end of the present process.
    pub final_label: Option<String>,
    /// Finished processes: name, first pid, labels and local variables.
    pub finished: Vec<Finished>,
    /// The macro names that stand for constants.
    pub constants: Vec<String>,
    /// Declarations that the present process still needs at its top.
    pub extra_locals: Vec<Decl>,
    /// Inside d_step and provided: no remote references, no enabled().
    pub plain_conditions: bool,
    /// Names of closed blocks of the present process.
    pub retired: Vec<String>,
    /// Inlines that can be called.
    pub callables: Vec<Callable>,
    /// Process types that can be run.
    pub runnables: Vec<Runnable>,
    next_name: usize,
}

/// What other processes can refer to.
pub struct Finished {
    /// The proctype.
    pub name: String,
    /// The pid of the first instance, if it is known.
    pub pid: u32,
    /// How many instances are active.
    pub instances: u32,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its local variables of basic types.
    pub locals: Vec<String>,
}

/// Where a statement stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot {
    /// Levels of nesting.
    pub depth: usize,
    /// Inside `atomic` or `d_step`: loops must be bounded.
    pub indivisible: bool,
    /// Inside `d_step`: no rendezvous, no run, no jumps, usually no blocking.
    pub d_step: bool,
    /// `break` has a loop to leave.
    pub in_loop: bool,
    /// Behind an opening brace: no label on the first statement.
    pub braces: bool,
    /// Inside an inline: no labels, no jumps.
    pub inline: bool,
}

impl Spot {
    /// One level deeper.
    pub fn deeper(self) -> Spot {
        Spot { depth: self.depth + 1, ..self }
    }
}

impl Builder {
    /// Starts the program of a seed.
    pub fn new(seed: u64) -> Builder {
        let mut rng = Rng::new(seed);
        let features = Features::random(&mut rng);
        Builder {
            rng,
            features,
            program: Program::default(),
            scope: Scope::default(),
            budget: 0,
            labels: Vec::new(),
            final_label: None,
            finished: Vec::new(),
            constants: Vec::new(),
            extra_locals: Vec::new(),
            plain_conditions: false,
            retired: Vec::new(),
            callables: Vec::new(),
            runnables: Vec::new(),
            next_name: 0,
        }
    }

    /// Builds everything.
    pub fn program(mut self) -> Program {
        self.defines();
        self.mtypes();
        self.typedefs();
        self.globals();
        self.inlines();
        self.processes();
        self.claims();
        separate_d_steps(&mut self.program);
        self.program
    }

    /// Whether the program uses a feature.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// Whether the program uses a feature and a die says that it does so here.
    pub fn may(&mut self, feature: Feature, percent: usize) -> bool {
        self.has(feature) && self.rng.chance(percent)
    }

    /// A name that was not used before.
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }

    fn defines(&mut self) {
        if !self.has(Feature::Macro) {
            return;
        }
        let value = self.rng.range(1, 3);
        self.program.defines.push(format!("#define LIMIT {value}"));
        self.constants.push("LIMIT".to_owned());
        self.program.defines.push("#define SAME(a, b) ((a) == (b))".to_owned());
        if self.rng.chance(30) {
            let lines = ["#ifdef LIMIT", "#define EXTRA 2", "#else", "#define EXTRA nonsense"];
            self.program.defines.extend(lines.map(str::to_owned));
            self.program.defines.push("#endif".to_owned());
            self.constants.push("EXTRA".to_owned());
        }
    }

    fn mtypes(&mut self) {
        if self.has(Feature::Mtype) {
            let names = ["red", "green", "blue"].map(str::to_owned).to_vec();
            self.program.mtypes.push(MtypeDecl { subtype: None, names });
            if self.has(Feature::Subtype) {
                let names = ["apple", "pear"].map(str::to_owned).to_vec();
                let subtype = Some("fruit".to_owned());
                self.program.mtypes.push(MtypeDecl { subtype, names });
            }
        }
    }

    /// The constants of an mtype.
    pub fn mtype_names(&self, ty: &Type) -> Vec<String> {
        let Type::Mtype(subtype) = ty else {
            return Vec::new();
        };
        let found = self.program.mtypes.iter().find(|m| m.subtype == *subtype);
        found.map_or(Vec::new(), |m| m.names.clone())
    }

    /// Remembers a finished process for remote references.
    pub fn finish(&mut self, proctype: Proctype, pid: u32, locals: Vec<String>) {
        self.finished.push(Finished {
            name: proctype.name.clone(),
            pid,
            instances: proctype.active,
            labels: std::mem::take(&mut self.labels),
            locals,
        });
        self.program.proctypes.push(proctype);
    }
}

/// spin takes a `break` to a following `d_step` for a jump into it, so they are
/// kept apart.
fn separate_d_steps(program: &mut Program) {
    struct Separate;
    impl Visitor for Separate {
        fn seq(&mut self, seq: &mut Seq) {
            let after_loop = |i: &usize| {
                starts_with_d_step(&seq[*i]) && !matches!(seq[*i - 1], Stmt::Assign(..))
            };
            let positions: Vec<usize> = (1..seq.len()).filter(after_loop).collect();
            for position in positions.into_iter().rev() {
                seq.insert(position, Stmt::Skip);
            }
        }
    }
    walk(program, &mut Separate);
}

fn starts_with_d_step(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::DStep(_) => true,
        Stmt::Labelled(_, inner) => starts_with_d_step(inner),
        Stmt::Block(body) | Stmt::Atomic(body) | Stmt::Unless(body, _) => {
            body.first().is_some_and(starts_with_d_step)
        }
        _ => false,
    }
}
