//! The laws of the layout, on models, on pieces of them and on noise.

use super::format;
use crate::ast::File;
use crate::lex::{PieceKind, pieces};
use crate::parse;
use proptest::prelude::*;

fn models() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/fsp");
    let entries = std::fs::read_dir(folder).expect("the folder of models");
    let paths = entries.flatten().map(|entry| entry.path());
    let models = paths.filter(|path| path.extension().is_some_and(|e| e == "lts"));
    models.map(|path| std::fs::read_to_string(path).expect("a model")).collect()
}

/// Tokens and comments.
fn contents(text: &str) -> Vec<&str> {
    let kept =
        pieces(text).filter(|(kind, _)| !matches!(kind, PieceKind::Blank | PieceKind::Newline));
    kept.map(|(_, span)| span.text(text).trim_end()).collect()
}

/// The tree without places: spans are silent.
fn tree(text: &str) -> Option<String> {
    let (file, diagnostics): (File, _) = parse(text);
    (!diagnostics.has_errors()).then(|| format!("{file:?}"))
}

fn check_laws(text: &str) {
    let once = format(text);
    assert_eq!(contents(&once), contents(text), "{text}");
    assert_eq!(format(&once), once, "{text}");
    if let Some(before) = tree(text) {
        assert_eq!(tree(&once).as_ref(), Some(&before), "{text}\n{once}");
    }
}

#[test]
fn the_layout() {
    let text = "\
// A server.
const   N=2*3-1


range R=0..N // ids
set S={a,b[1..2] , {c,d}.e}
SERVER(I=1)=FREE,FREE=(request[i:R]->grant[i]->BUSY[ i ]
|when(I<2&&!0) [i:S].go->FREE
),
   BUSY[i:R]=(cancel[ i%N+1 ].x ->
      /* back */ if(i==-1)then
FREE
 else STOP)+{z}/{ n / o }\\{h}.
minimal
||SYS=(p[i:R]:SERVER(i)||{x,y}::SERVER('a.b)
  ||forall[k:R]P(k,@(S,0)))/{a/b}<<{u}@{v}.
fluent F[i:R]=<a[i],{b,c}>initially 1
assert A=[](F[1]-><>(a.b U !F[2]))&&[]<>F[0]<->X a
";
    let expected = "\
// A server.
const N = 2 * 3 - 1

range R = 0..N  // ids
set S = {a, b[1..2], {c, d}.e}
SERVER(I = 1) = FREE, FREE = (request[i:R] -> grant[i] -> BUSY[i]
  | when (I < 2 && !0) [i:S].go -> FREE
  ),
BUSY[i:R] = (cancel[i%N+1].x ->
    /* back */ if (i == -1) then
      FREE
    else STOP) + {z}/{n/o} \\ {h}.
minimal
||SYS = (p[i:R]:SERVER(i) || {x, y}::SERVER('a.b)
  || forall [k:R] P(k, @(S, 0)))/{a/b} << {u} @ {v}.
fluent F[i:R] = <a[i], {b, c}> initially 1
assert A = [](F[1] -> <>(a.b U !F[2])) && []<>F[0] <-> X a
";
    assert_eq!(format(text), expected);
    check_laws(text);
}

#[test]
fn models_keep_the_laws() {
    for text in models() {
        check_laws(&text);
    }
    let Some(folder) = std::env::var_os("RESY_FSP_MODELS") else { return };
    let folder = std::path::Path::new(&folder);
    let rows = std::fs::read_to_string(folder.join("verdicts-dev.tsv")).expect("the table");
    let files: std::collections::BTreeSet<&str> =
        rows.lines().filter_map(|row| row.split('\t').next()).collect();
    for file in files {
        let bytes = std::fs::read(folder.join(file)).expect("a model");
        check_laws(&String::from_utf8_lossy(&bytes));
    }
}

proptest! {
    #[test]
    fn pieces_of_models_in_any_order_keep_the_laws(
        order in prop::collection::vec(any::<u16>(), 0..40),
        which in any::<usize>(),
    ) {
        let models = models();
        let text = &models[which % models.len()];
        let all: Vec<&str> = pieces(text).map(|(_, span)| span.text(text)).collect();
        let noise: String = order.iter().map(|&i| all[usize::from(i) % all.len()]).collect();
        check_laws(&noise);
    }

    #[test]
    fn any_text_keeps_the_laws(text in "[a-zP\\[\\](){}<>.,:;|/\\\\*+@'!=&~#\n\t -]{0,40}") {
        check_laws(&text);
    }
}
