//! Which declaration a name refers to.

use resy_promela::preprocess::{Define, Loader, NoIncludes};
use resy_promela::symbols::{Declaration, DeclarationKind};
use resy_promela::{Analysis, analyze};

fn analysis(text: &str) -> Analysis {
    analyze("m.pml", text.to_owned(), &[], &mut NoIncludes)
}

/// The declarations that the name at the end of the `nth` occurrence of a text refers to, each
/// as kind and line.
#[track_caller]
fn at(analysis: &Analysis, text: &str, nth: usize) -> Vec<(DeclarationKind, usize)> {
    let file = analysis.map.files().next().expect("the main file").1;
    let offset = file.text.match_indices(text).nth(nth).expect("it occurs").0;
    let found = analysis.symbols.at(offset as u32 + text.len() as u32 - 1);
    let place = |d: &Declaration| (d.kind, analysis.map.line_column(d.name_span).line);
    found.iter().map(|&id| place(analysis.symbols.declaration(id))).collect()
}

/// The only declaration of a name.
#[track_caller]
fn declaration<'a>(analysis: &'a Analysis, name: &str) -> &'a Declaration {
    let mut found = analysis.symbols.declarations().filter(|(_, d)| *d.name == *name);
    let (_, first) = found.next().expect("a declaration");
    assert!(found.next().is_none(), "`{name}` is declared twice");
    first
}

use DeclarationKind::*;

#[test]
fn blocks_have_their_own_names() {
    let found = analysis(
        "byte g;
active proctype P(byte p) {
    { byte x; x = g };
    { byte x; x = p };
    g = 1
}",
    );
    assert!(found.diagnostics.is_empty());
    assert_eq!(at(&found, "x = g", 0), [(Variable, 1)]);
    assert_eq!(at(&found, "x = p", 0), [(Parameter, 2)]);
    let uses: Vec<usize> = found
        .symbols
        .declarations()
        .filter(|(_, d)| &*d.name == "x")
        .map(|(id, _)| found.symbols.uses_of(id).count())
        .collect();
    assert_eq!(uses, [1, 1]);
    let (id, g) = found.symbols.declarations().find(|(_, d)| &*d.name == "g").expect("g");
    assert_eq!((g.container, g.detail.as_str()), (None, "byte g"));
    let writes: Vec<bool> = found.symbols.uses_of(id).map(|u| u.writes).collect();
    assert_eq!(writes, [false, true]);
}

#[test]
fn fields_follow_the_types() {
    let found = analysis(
        "typedef A { byte n };
typedef B { A a[2]; byte n };
B b;
active proctype P() { b.a[0].n = b.n }",
    );
    assert!(found.diagnostics.is_empty());
    assert_eq!(at(&found, "b.a[0].n", 0), [(Field, 1)]);
    assert_eq!(at(&found, "b.n", 0), [(Field, 2)]);
    assert_eq!(at(&found, "A a", 0), [(Field, 2)]);
    assert_eq!(at(&found, "{ A", 0), [(Typedef, 1)]);
    assert_eq!(declaration(&found, "B").detail, "typedef B { A a[2]; byte n }");
}

#[test]
fn an_inline_refers_to_what_each_caller_has() {
    let found = analysis(
        "inline set(v, w) { v = w + c }
active proctype P() { byte c, x; set(x, 1) }
active proctype Q() { byte c, y; set(y, c) }",
    );
    assert!(found.diagnostics.is_empty());
    assert_eq!(at(&found, "+ c", 0), [(Variable, 2), (Variable, 3)]);
    assert_eq!(at(&found, "{ v", 0), [(InlineParameter, 1)]);
    assert_eq!(at(&found, "set", 1), [(Inline, 1)]);
    assert_eq!(at(&found, "set(x", 0), [(Variable, 2)]);
    assert_eq!(at(&found, "y, c", 0), [(Variable, 3)]);
    assert_eq!(declaration(&found, "set").detail, "inline set(v, w)");
}

#[test]
fn names_of_an_inline_without_calls_and_arguments_without_use() {
    let found = analysis(
        "byte g;
inline unused(v) { g = v }
inline ignore(v) { skip }
active proctype P() { byte x; ignore(x); g = 1 }",
    );
    assert_eq!(at(&found, "{ g", 0), [(Variable, 1)]);
    assert_eq!(at(&found, "= v", 0), [(InlineParameter, 2)]);
    assert_eq!(at(&found, "ignore(x", 0), [(Variable, 4)]);
}

#[test]
fn macros_and_what_stands_in_them() {
    let found = analysis(
        "#define SIZE 2
#define TWICE(a) (a + a + SIZE + g)
#ifdef SIZE
byte g, q[SIZE];
#endif
active proctype P() { g = TWICE(g) }",
    );
    assert!(!found.diagnostics.has_errors());
    assert_eq!(at(&found, "SIZE", 1), [(Macro, 1)], "in the text of another macro");
    assert_eq!(at(&found, "SIZE", 2), [(Macro, 1)], "in a condition");
    assert_eq!(at(&found, "SIZE", 3), [(Macro, 1)], "as a size");
    assert_eq!(at(&found, "(a", 1), [(MacroParameter, 2)]);
    assert_eq!(at(&found, "+ g", 0), [(Variable, 4)], "a variable in the text of a macro");
    assert_eq!(at(&found, "TWICE(g", 0), [(Variable, 4)]);
    assert_eq!(at(&found, "TWICE", 1), [(Macro, 2)]);
    assert_eq!(declaration(&found, "TWICE").detail, "#define TWICE(a) (a + a + SIZE + g)");
}

#[test]
fn labels_constants_processes_and_claims() {
    let found = analysis(
        "mtype = { go, stop };
mtype:side = { left, right };
chan c = [1] of { mtype };
proctype Worker(chan in_) {
again:
    in_ ? go;
    goto again
}
init { run Worker(c); c ! go; mtype:side s = left }
ltl seen { [] !(Worker[1]@again && len(c) > 1) }",
    );
    assert!(!found.diagnostics.has_errors());
    assert_eq!(at(&found, "goto again", 0), [(Label, 5)]);
    assert_eq!(at(&found, "@again", 0), [(Label, 5)]);
    assert_eq!(at(&found, "? go", 0), [(MtypeConstant, 1)]);
    assert_eq!(at(&found, "run Worker", 0), [(Proctype, 4)]);
    assert_eq!(at(&found, "!(Worker", 0), [(Proctype, 4)]);
    assert_eq!(at(&found, "len(c", 0), [(Channel, 3)]);
    assert_eq!(at(&found, "mtype:side", 1), [(MtypeSubtype, 2)]);
    assert_eq!(declaration(&found, "go").detail, "mtype go = 2");
    assert_eq!(declaration(&found, "left").detail, "mtype:side left = 2");
    assert_eq!(declaration(&found, "c").detail, "chan c = [1] of { mtype }");
    assert_eq!(declaration(&found, "Worker").detail, "proctype Worker(chan in_)");
    assert_eq!(declaration(&found, "seen").kind, Ltl);
    let worker = found.symbols.declarations().find(|(_, d)| &*d.name == "Worker").expect("it").0;
    let members: Vec<&str> = found.symbols.members(worker).map(|(_, d)| &*d.name).collect();
    assert_eq!(members, ["in_", "again"]);
    let file = found.map.files().next().expect("the main file").1;
    let in_worker = file.text.find("? go").expect("it") as u32;
    let visible: Vec<&str> = found.symbols.visible_at(in_worker).map(|(_, d)| &*d.name).collect();
    assert!(visible.contains(&"in_") && visible.contains(&"c") && !visible.contains(&"s"));
}

#[test]
fn an_included_file_declares_too() {
    struct One;
    impl Loader for One {
        fn load(&mut self, _: &str, _: bool, _: &str) -> Result<(String, String), String> {
            Ok(("f.inc".into(), "byte shared;\n".into()))
        }
    }
    let defines = [Define::parse("N=3")];
    let text = "#include \"f.inc\"\nactive proctype P() { shared = N }".to_owned();
    let found = analyze("m.pml", text, &defines, &mut One);
    assert!(found.system.is_some());
    let shared = declaration(&found, "shared");
    assert_eq!(found.map.file(found.map.file_of(shared.name_span)).name, "f.inc");
    assert_eq!(at(&found, "{ shared", 0), [(Variable, 1)]);
    assert_eq!(at(&found, "= N", 0), [(Macro, 1)]);
}

#[test]
fn an_error_in_one_unit_leaves_the_others() {
    let found = analysis(
        "byte before;
active proctype Broken(byte a; b) { byte own; before = ; own = a }
active proctype Whole() { byte mine; mine = before; after++ }
byte after = ;
byte last;",
    );
    assert!(found.diagnostics.has_errors() && found.system.is_none());
    for name in ["before", "Broken", "a", "own", "Whole", "mine", "last"] {
        let known = found.symbols.declarations().any(|(_, d)| *d.name == *name);
        assert!(known, "`{name}` is lost");
    }
    assert_eq!(at(&found, "; mine", 0), [(Variable, 3)]);
    assert_eq!(at(&found, "= before", 0), [(Variable, 1)]);
}
