//! Which constructs a program contains, by name: shows what a run of the
//! fuzzer has tried, and what it has never tried.

use super::tree::{Argument, Decl, Expr, Index, Init, Place, Proctype, Program, Stmt, Type};
use super::walk::{Visitor, walk};
use std::collections::BTreeSet;

/// The names of all constructs in a program.
pub fn census(program: &Program) -> BTreeSet<String> {
    let mut found = FeatureNames::default();
    walk(&mut program.clone(), &mut found);
    found.0
}

#[derive(Default)]
struct FeatureNames(BTreeSet<String>);

impl FeatureNames {
    fn add(&mut self, name: &str) {
        if !self.0.contains(name) {
            self.0.insert(name.to_owned());
        }
    }

    fn add_if(&mut self, condition: bool, name: &str) {
        if condition {
            self.add(name);
        }
    }
}

impl Visitor for FeatureNames {
    fn program(&mut self, program: &mut Program) {
        self.add_if(!program.defines.is_empty(), "#define");
        self.add_if(program.defines.len() > 2, "#ifdef");
        self.add_if(!program.typedefs.is_empty(), "typedef");
        self.add_if(program.typedefs.len() > 1, "typedef nested");
        for mtype in &program.mtypes {
            self.add(if mtype.subtype.is_some() { "mtype subtype" } else { "mtype" });
        }
        let names: Vec<&String> = program.inlines.iter().map(|i| &i.name).collect();
        self.add_if(!names.is_empty(), "inline");
        let calls = |s: &Stmt| matches!(s, Stmt::Call(..));
        self.add_if(program.inlines.iter().any(|i| i.body.iter().any(calls)), "inline nested");
        for claim in &program.claims {
            self.add(claim.keyword);
            self.add_if(claim.text.contains("np_"), "np_");
        }
    }

    fn proctype(&mut self, item: &mut Proctype) {
        self.add(match (item.name.as_str(), item.active) {
            ("init", _) => "init",
            (_, 0) => "proctype (run)",
            (_, 1) => "active",
            _ => "active [n]",
        });
        self.add_if(item.deterministic, "D_proctype");
        self.add_if(item.provided.is_some(), "provided");
        self.add_if(item.priority.is_some(), "priority");
        for parameter in &item.parameters {
            let channel = parameter.ty == Type::Chan;
            self.add(if channel { "parameter chan" } else { "parameter" });
        }
    }

    fn decl(&mut self, decl: &mut Decl) {
        self.add(match decl.ty {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned(_) => "unsigned",
            Type::Pid => "pid",
            Type::Mtype(_) => "mtype variable",
            Type::Chan => "chan",
            Type::Record(_) => "record variable",
        });
        self.add_if(!decl.prefix.is_empty(), decl.prefix);
        self.add_if(decl.length.is_some() && decl.ty != Type::Chan, "array");
        match &decl.init {
            Init::None => {}
            Init::Value(_) => self.add("initialiser"),
            Init::List(_) => self.add("array initialiser list"),
            Init::Channel(capacity, fields) => {
                self.add(if *capacity == 0 { "chan rendezvous" } else { "chan buffered" });
                self.add_if(decl.length.is_some(), "chan array");
                self.add_if(decl.name.starts_with('o'), "chan local");
                self.add(&format!("chan of {} fields", fields.len()));
                self.add_if(fields.contains(&Type::Chan), "chan of chan");
                let record = fields.iter().any(|f| matches!(f, Type::Record(_)));
                self.add_if(record, "chan of record");
            }
        }
    }

    fn seq(&mut self, seq: &mut Vec<Stmt>) {
        let first = seq.iter().position(|s| !matches!(s, Stmt::Decl(_))).unwrap_or(seq.len());
        let late = seq[first..].iter().any(|s| matches!(s, Stmt::Decl(_)));
        self.add_if(late, "declaration in the middle");
    }

    fn options(&mut self, options: &mut Vec<Vec<Stmt>>) {
        let firsts: Vec<&Stmt> = options.iter().filter_map(|o| o.first()).collect();
        let io = firsts.iter().any(|s| matches!(s, Stmt::Send(..) | Stmt::Receive(_)));
        self.add_if(io && firsts.contains(&&Stmt::Else), "else beside i/o");
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let name = match stmt {
            Stmt::Decl(_) | Stmt::Receive(_) => return self.receive_flags(stmt),
            Stmt::Assign(..) => "assignment",
            Stmt::Step(_, op) => op,
            Stmt::Guard(_) => "guard",
            Stmt::Else => "else",
            Stmt::Skip => "skip",
            Stmt::Printf(..) => "printf",
            Stmt::Assert(_) => "assert",
            Stmt::Send(_, op, _) => {
                if *op == "!!" {
                    "sorted send"
                } else {
                    "send"
                }
            }
            Stmt::Run(None, ..) => "run",
            Stmt::Run(Some(_), ..) => "run assigned",
            Stmt::If(_) => "if",
            Stmt::Do(_) => "do",
            Stmt::Atomic(_) => "atomic",
            Stmt::DStep(_) => "d_step",
            Stmt::Block(body) if matches!(body.first(), Some(Stmt::Decl(_))) => "block scope",
            Stmt::Block(_) => "block",
            Stmt::Unless(..) => "unless",
            Stmt::ForRange(..) => "for range",
            Stmt::ForIn(x, ..) if x.0[0].name.starts_with('m') => "for in channel",
            Stmt::ForIn(..) => "for in array",
            Stmt::Select(..) => "select",
            Stmt::Goto(_) => "goto",
            Stmt::Break => "break",
            Stmt::Labelled(label, _) => label_kind(label),
            Stmt::Call(..) => "inline call",
            Stmt::Group(_) => "received channel used",
        };
        self.add(name);
    }

    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Number(_) => {}
            Expr::Word(word) => self.add_if(word.starts_with('_') || word == "timeout", word),
            Expr::Read(_) | Expr::Whole(_) => {}
            Expr::Unary(op, _) => self.add(&format!("op unary {op}")),
            Expr::Binary(op, ..) | Expr::ByConstant(op, ..) => self.add(&format!("op {op}")),
            Expr::Chain(..) => self.add("op precedence"),
            Expr::Choice(..) => self.add("op ->:"),
            Expr::Query(function, _) => self.add(function),
            Expr::Poll(r) => self.add(if r.random { "poll random" } else { "poll" }),
            Expr::Apply(name, _) => self.add(if name == "SAME" { "macro call" } else { name }),
            Expr::RemoteLabel(_, None, _) => self.add("remote label, no pid"),
            Expr::RemoteLabel(..) => self.add("remote label"),
            Expr::RemoteVariable(..) => self.add("remote variable"),
        }
    }

    fn place(&mut self, place: &mut Place) {
        self.add_if(place.0.len() > 1, "record field");
        let indexed = place.0.iter().any(|p| matches!(p.index, Index::Modulo(..)));
        self.add_if(indexed, "array index variable");
    }

    fn argument(&mut self, argument: &mut Argument) {
        self.add(match argument {
            Argument::Bind(_) => "receive bind",
            Argument::BindRecord(_) => "receive bind record",
            Argument::Eval(_) => "receive eval",
            Argument::Constant(_) => "receive constant",
            Argument::Any => "receive _",
        });
    }
}

impl FeatureNames {
    fn receive_flags(&mut self, stmt: &Stmt) {
        let Stmt::Receive(r) = stmt else { return };
        self.add(match (r.random, r.keep) {
            (false, false) => "receive",
            (true, false) => "receive random",
            (false, true) => "receive keeping",
            (true, true) => "receive random keeping",
        });
    }
}

fn label_kind(label: &str) -> &'static str {
    for kind in ["end", "progress", "accept"] {
        if label.starts_with(kind) {
            return match kind {
                "end" => "label end",
                "progress" => "label progress",
                _ => "label accept",
            };
        }
    }
    "label"
}
