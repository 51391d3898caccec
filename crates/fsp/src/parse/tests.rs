//! Every construct is read, mistakes are explained, and no text makes the parser panic.

use super::parse;
use crate::ast::{Definition, LocalKind};
use crate::lex::pieces;
use proptest::prelude::*;

/// One of everything that the grammar has.
const EVERYTHING: &str = "\
const N = 2*3 - 1
range R = 0..N
set S = {a, b[1..2], {c, d}.e, [R][S0], T\\{[x]}}
P(I=0, L='a.b[I]) = (a -> Q[I][1] | when (I < 2 && !0) {x, y}[i:R].z -> b[i+1] -> STOP),
Q[i:R][1] = if i == 0 then ERROR else if (i > 1) then END else (S.go -> P | [L] -> Q[0][1])
  + {more, S} / {new/old, forall [k:R] {n[k]/o[k]}} \\ {h}.
SEQ = (a -> A; B(1, 'x); SEQ | b -> A; END) @ {a}.
property SAFE = (a -> b -> SAFE) + {c}.
minimal ||SYS(M=3) = (p[i:R]:P(i) || {x, y}::A || {x[1..2]}::q:(A || B)/{u/v} || S:A
  || forall [i:1..M] A || if (M > 1) then B(#S) else (C(@(S, 0)))) << {u} @ {v}.
property ||COMP = P / {a/b}.
deterministic ||D = P >> {a} \\ {b}.
compose ||E = forall [i:R][j:{a, b}] P(i).
progress LIVE[i:R] = {a[i]}
progress COND = if {a} then {b, c}
menu RUN = {a, b}
fluent F[i:R] = <a[i], {b, c}> initially 1
assert ONE(K=1) = [](F[1] -> <>(a.b U !(X rigid K))) && forall [i:R] exists [j:R] F[i..j]
assert TWO = ONE(3) <-> (F[R] W S.a || {a, b})
ltl_property L1 = [] F[0] + {z}
constraint L2 = <> F[0]
";

#[test]
fn every_construct_is_read() {
    let (file, diagnostics) = parse(EVERYTHING);
    let found: Vec<String> = diagnostics.iter().map(|d| d.short(EVERYTHING)).collect();
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(file.definitions.len(), 18);
    let Definition::Process(p) = &file.definitions[3] else { panic!("a process") };
    assert_eq!((p.locals.len(), p.params.len(), p.relabel.len()), (2, 2, 2));
    let LocalKind::Choice(branches) = &p.locals[0].body.kind else { panic!("a choice") };
    assert_eq!(branches[1].labels.len(), 2);
    let Definition::Process(p) = &file.definitions[4] else { panic!("a process") };
    let LocalKind::Choice(branches) = &p.locals[0].body.kind else { panic!("a choice") };
    assert!(matches!(&branches[0].next.kind, LocalKind::Sequence(calls, _) if calls.len() == 2));
}

#[test]
fn mistakes_are_explained() {
    for (text, message, hint) in [
        (
            "P = (a -> P)\nQ = (b -> Q).",
            "expected `,` or `.`, found `Q`",
            "end the definition of `P`",
        ),
        ("p = (a -> p).", "expected a definition, found `p`", "begin with a capital letter: `P`"),
        ("P = a -> P.", "expected a process, found `a`", "stand in parentheses"),
        ("P = (a -> b).", "expected `->`, found `)`", "`(… -> b -> STOP)`"),
        ("P = (a - > P).", "expected `->`, found `- >`", "write `->`"),
        ("assert A = [](a -> eventually b)", "`eventually` is no operator of FSP", "write `<>`"),
        ("assert A = always (a)", "`always` is no operator of FSP", "write `[]`"),
        ("S = (P || Q).", "expected an action, found `P`", "begins with `||`"),
        ("||S = P || Q.", "expected `.`, found `||`", "in parentheses"),
        ("||S = (P | Q).", "expected `||` or `)`, found `|`", "separated by `||`"),
        ("P = (a -> P || b -> P).", "expected `|` or `)`, found `||`", "separated by `|`"),
        ("P = (when (x = 1) a -> P).", "expected an operator, found `=`", "`==`"),
        ("P = (a -> P);", "expected `,` or `.`, found `;`", "ends with `.`"),
        ("P = (a -> P)", "expected `,` or `.`, found the end of the file", "with `.`"),
        ("P(N) = (a -> P).", "expected `=`, found `)`", "default value"),
        ("P = (set -> P).", "expected an action, found `set`", "a word of FSP"),
        ("||S = (a -> P).", "expected `:` or `::`, found `->`", "without `||`"),
        ("||S = (p || q).", "expected `:` or `::`, found `||`", "capital letter"),
        ("P = (a -> Q(1)).", "expected `;`, found `)`", "followed by `;`"),
        ("||S = (P || STOP).", "expected the name of a process, found `STOP`", "a name first"),
        ("range R = 3", "expected `..`, found the end of the file", "two bounds"),
        ("P = (a1 -> P) / b/a.", "expected `{`, found `b`", "`/{new/old}`"),
    ] {
        let (_, diagnostics) = parse(text);
        let first = diagnostics.iter().next().unwrap_or_else(|| panic!("no error: {text}"));
        assert_eq!(first.message, message, "{text}");
        let found = first.hint.as_deref().unwrap_or_default();
        assert!(found.contains(hint), "{text}: {found}");
        assert_eq!(diagnostics.iter().count(), 1, "{text}");
    }
}

#[test]
fn the_parser_goes_on_after_a_mistake() {
    let text = "P = (a -> ).\nQ = (b -> Q).\n||S = (P | Q).\nconst = 3\nset A = {a}\n";
    let (file, diagnostics) = parse(text);
    let lines: Vec<usize> = diagnostics.iter().map(|d| d.span.line_column(text).0).collect();
    assert_eq!(lines, [1, 3, 4]);
    assert_eq!(file.definitions.len(), 2);
}

#[test]
fn a_composite_after_a_formula_is_no_alternative() {
    for composite in ["||S = (P).", "||S(N=2) = (P)."] {
        let text =
            format!("P = (a -> P).\nassert A = []a || F\n{composite}\nassert B = F || P(1)\n");
        let (file, diagnostics) = parse(&text);
        assert!(!diagnostics.has_errors(), "{text}");
        assert_eq!(file.definitions.len(), 4);
    }
}

#[test]
fn nesting_has_a_limit() {
    for (open, close) in [("(a -> ", ")"), ("if 1 then ", ""), ("(a[", "])")] {
        let text = format!("P = {}STOP{}.", open.repeat(100_000), close.repeat(100_000));
        assert!(parse(&text).1.has_errors());
    }
    for text in [
        format!("const N = {}1", "-".repeat(100_000)),
        format!("const N = 1{}", " + 1".repeat(100_000)),
        format!("assert A = {}F", "[]".repeat(100_000)),
        format!("assert A = F{}", " && F".repeat(100_000)),
        format!("||S = {}P.", "forall [i:R] ".repeat(100_000)),
        format!("set S = {}", "{".repeat(100_000)),
        format!("P = {}STOP.", "P(1);".repeat(100_000)),
    ] {
        assert!(parse(&text).1.has_errors());
    }
}

proptest! {
    #[test]
    fn no_order_of_tokens_makes_it_panic(order in prop::collection::vec(any::<u16>(), 0..60)) {
        let all: Vec<&str> = pieces(EVERYTHING).map(|(_, span)| span.text(EVERYTHING)).collect();
        let text: String = order.iter().map(|&i| all[usize::from(i) % all.len()]).collect();
        parse(&text);
    }

    #[test]
    fn no_cut_makes_it_panic(from in 0..EVERYTHING.len(), len in 0..400usize) {
        let to = (from + len).min(EVERYTHING.len());
        parse(&EVERYTHING[from..to]);
        parse(&format!("{}{}", &EVERYTHING[..from], &EVERYTHING[to..]));
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}") {
        parse(&text);
    }
}
