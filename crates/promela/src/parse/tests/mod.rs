//! Tests of the parser.

mod constructs;
mod expressions;
mod formulas;
mod grammar;
mod inlines;
mod lexer;
mod recovery;
mod robust;
mod separators;

use super::parse;
use crate::ast::{Block, BlockItem, Program, Stmt, StmtKind, Unit};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::SourceMap;

/// The program and its diagnostics.
fn parsed(text: &str) -> (Program, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    map.add_file("test.pml", text.to_string(), None).expect("small");
    let mut diags = Diagnostics::new();
    let program = parse(lexer::lex(text), &mut map, &mut diags);
    (program, diags.iter().cloned().collect())
}

/// The program of a text without mistakes.
#[track_caller]
fn program(text: &str) -> Program {
    let (program, diags) = parsed(text);
    assert!(diags.is_empty(), "{text}\n{diags:?}");
    program
}

/// The codes of the diagnostics.
fn codes(text: &str) -> Vec<&'static str> {
    parsed(text).1.iter().map(|d| d.code.as_str()).collect()
}

/// The only diagnostic.
#[track_caller]
fn only_diagnostic(text: &str) -> Diagnostic {
    let (_, diags) = parsed(text);
    assert_eq!(diags.len(), 1, "{text}\n{diags:?}");
    diags[0].clone()
}

/// The body of the last process or claim.
fn body(program: &Program) -> &Block {
    let block = program.units.iter().rev().find_map(|u| match u {
        Unit::Proctype(p) => Some(&p.body),
        Unit::Init(i) => Some(&i.body),
        Unit::Never(c) | Unit::Trace(c) => Some(&c.body),
        _ => None,
    });
    block.expect("a body")
}

/// The steps of an `init` with these statements, as text.
#[track_caller]
fn steps(statements: &str) -> Vec<BlockItem> {
    body(&program(&format!("{DECLS}init {{ {statements} }}"))).steps.clone()
}

/// The kind of the only statement.
#[track_caller]
fn statement(text: &str) -> StmtKind {
    match steps(text).as_slice() {
        [BlockItem::Stmt(Stmt { kind, .. })] => kind.clone(),
        other => panic!("not one statement: {other:?}"),
    }
}

/// Declarations that the statements in tests may use.
const DECLS: &str = "mtype = { red, green }\n\
    typedef T { byte a; byte b[2] }\n\
    byte x, y, z, arr[4]; T t; chan q = [2] of { byte };\n\
    proctype P(byte k) { L: k = 1 }\n";

/// Models with a flag that says whether spin 6.5.2 accepts them.
type Table = &'static [(bool, &'static str)];

#[track_caller]
fn agrees(table: Table) {
    for (accepted, text) in table {
        let (_, diags) = parsed(text);
        assert_eq!(diags.is_empty(), *accepted, "{text}\n{diags:?}");
    }
}

/// Asks the real spin.
#[test]
fn spin_agrees() {
    let dir = std::env::temp_dir().join(format!("resy-parse-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let tables = [separators::TABLE, separators::SELECT, grammar::DECLARATIONS];
    let tables =
        tables.into_iter().chain([grammar::STATEMENTS, grammar::EXPRESSIONS, grammar::INLINES]);
    let mut differences = Vec::new();
    for (accepted, text) in tables.flatten() {
        std::fs::write(dir.join("m.pml"), text).expect("a file");
        let out =
            std::process::Command::new("spin").args(["-a", "m.pml"]).current_dir(&dir).output();
        let out = out.expect("spin is installed");
        if out.status.success() != *accepted {
            differences.push(format!("{text}\n{}", String::from_utf8_lossy(&out.stdout)));
        }
    }
    std::fs::remove_dir_all(&dir).expect("the directory is ours");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
