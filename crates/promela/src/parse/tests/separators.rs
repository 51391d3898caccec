//! Line ends that are separators, and separators that are dropped.

use super::{Table, agrees, statement};
use crate::ast::StmtKind;

pub(super) const TABLE: Table = &[
    // The end of a line is a separator after a token that can end a statement.
    (true, "byte x; init { x = 1\n x = 2\n }"),
    (true, "byte x; init { x++\n x--\n skip\n }"),
    (true, "byte x; init { (x == 0)\n x = 2 }"),
    (true, "byte x, a[2]; init { a[1] = a[0]\n x = a[1]\n x = 2 }"),
    (true, "byte x; init { if :: x == 0 fi\n do :: break\n od\n x = 1 }"),
    (true, "mtype = { m } mtype k; byte x; init { k = m\n x = 1 }"),
    (true, "byte x; init { byte y\n chan c = [1] of { byte }\n x = y }"),
    (false, "byte x; init { x = 1 x = 2 }"),
    // Not after other tokens.
    (true, "byte x; init { x =\n 1; x = x +\n 2 }"),
    (true, "byte x; init { goto\n L; L: skip }"),
    (true, "byte x; init { atomic\n { x = 1 } }"),
    (true, "byte x; init { if\n ::\n x == 0 ->\n x = 1 fi }"),
    (false, "byte x; never { do\n :: np_\n x == 0\n od } init { x = 1 }"),
    (true, "byte x; never { do\n :: np_ ->\n x == 0\n od } init { x = 1 }"),
    // Before an operator the statement has ended.
    (false, "byte x; init { x = 1\n + 2 }"),
    (false, "byte x; init { x\n = 1 }"),
    (false, "byte x; init { chan c = [1]\n of { byte }; x = 1 }"),
    // Inside parentheses lines do not count.
    (true, "byte x; init { x = (1\n + 2) }"),
    (true, "byte x; init { (x\n == 0\n ) }"),
    (true, "proctype P(byte a\n; byte b) { skip } init { run P(1\n, 2\n) }"),
    // Outside bodies neither; typedefs are bodies.
    (true, "byte x\n, y\n = 3\n init { x = y }"),
    (false, "byte x\n byte y\n init { x = }"),
    (true, "byte x\n byte y\n init\n { x = y }"),
    (true, "typedef T { byte a\n byte b\n } T t; init { t.a = 1 }"),
    (true, "typedef T { byte a; byte b; }; T t; init { t.a = 1 }"),
    (false, "typedef T { byte a byte b } T t; init { t.a = 1 }"),
    (false, "typedef T { byte a;;; byte b } T t; init { t.a = 1 }"),
    (true, "mtype = { a\n b\n }\n mtype m; init { m = a }"),
    // A separator from the line is merged with one in the text.
    (true, "byte x; init { x == 0\n -> x = 1\n ; x = 2 }"),
    // After `}`.
    (true, "byte x; init { { x = 1 } x = 2 }"),
    (true, "byte x; init { { x = 1 }\n\n x = 2 }"),
    (true, "byte x; init { { x = 1 }\n unless { x = 2 } }"),
    (true, "byte x, u; init { { x = 1 }\n u = 2 }"),
    (true, "byte x; init { do :: { x = 1 } :: { x = 2 }\n od }"),
    (false, "byte x; init { do :: x == 1 unless { x = 2 }\n unless { x = 3 } od }"),
    (true, "byte x; init { x = 1 } proctype P() { skip } byte y; active proctype Q() { y = 1 }"),
    (false, "byte a[2] = { 1, 2 }, b; init { b = 1 }"),
    (false, "chan c = [1] of { byte }, d; init { c!1 }"),
    (false, "proctype P(chan c = [1] of { byte }) { skip } init { skip }"),
    // After `else`.
    (true, "byte x; init { if :: x == 1 :: else x = 2 fi }"),
    (true, "byte x; init { if :: x == 1 :: else fi }"),
    (true, "byte x; init { do :: x == 1 :: else od }"),
    (true, "byte x; init { if :: x == 1 :: else\n x = 2 fi }"),
    (true, "byte x; init { if :: x == 1 :: else -> x = 2 fi }"),
    (true, "byte x; init { if :: else :: x == 1 fi }"),
    // Redundant separators.
    (true, "byte x; init { x = 1; }"),
    (true, "byte x; init { x = 1;; }"),
    (true, "byte x; init { x = 1;;; }"),
    (false, "byte x; init { x = 1;;;; }"),
    (true, "byte x; init { x = 1;;;; x = 2 }"),
    (true, "byte x; init { x == 1 -> ; x = 2 -> }"),
    (true, "byte x; init { if :: x == 0; :: x == 1 -> fi }"),
    (false, "byte x; init { ; x = 1 }"),
    (false, "byte x; init { if :: ; x == 0 fi }"),
    (true, "byte x;;; init { x = 1 };;; -> byte y;"),
    // Heads of loops.
    (true, "byte x; init { for (x : 1 .. 2)\n { skip } }"),
    (true, "byte x; init { for (x : 1 .. 2) ; { skip } }"),
    (false, "byte x; init { for (x : 1 .. 2) -> { skip } }"),
    // `timeout` counts as if in parentheses, but not in inlines.
    (true, "byte x; init { timeout\n x = 1 }"),
    (false, "byte x; inline f() { timeout\n x = 1 } init { f() }"),
    (true, "byte x; inline f() { (timeout)\n x = 1 } init { f() }"),
    // Calls of inlines end as blocks do.
    (true, "byte x; inline f(a) { x = a } init { f(1) f(2)\n f(3); f(4) }"),
    (true, "byte x; inline f(a) { x = a } init { do :: f(1) :: f(2) unless f(3) od }"),
    // `ltl` blocks are read at the end, wherever they stand.
    (true, "byte x; init { x = 1\n ltl f { x == 0 }\n x = 2 }"),
    (true, "ltl f { [] (x == 0) }\n byte x; init { x = 1 }"),
];

pub(super) const SELECT: Table = &[
    (true, "byte x; init { select (x : 1 .. 3); x = 1 }"),
    (true, "byte x; init { select (x : 1 .. 3)\n x = 1 }"),
    (false, "byte x; init { select (x : 1 .. 3) x = 1 }"),
    (true, "byte x; init { select (x : 0 .. 33) x = 1 }"),
    (false, "byte x; init { select (x : 0 .. 32) x = 1 }"),
    (false, "byte x; init { select (x : 0 .. 33) unless { x == 1 } }"),
    (false, "byte x_; init { select (x_ : 0 .. 33) x_ = 1 }"),
    (false, "byte x; init { select (x : 3 .. 1) }"),
    (true, "byte x; init { select (x : x .. x + 1); select (x : -1 .. 1) }"),
];

#[test]
fn separators() {
    agrees(TABLE);
}

#[test]
fn select() {
    agrees(SELECT);
}

#[test]
fn literal_select() {
    let literal = |text: &str| match statement(text) {
        StmtKind::Select { literal, .. } => literal,
        other => panic!("{other:?}"),
    };
    assert!(literal("select (x : 1 .. 3)"));
    assert!(literal("select\n(x : 1 .. 3)"));
    assert!(!literal("select (\nx : 1 .. 3)"));
    assert!(!literal("select (x : 1 ..\n3)"));
    assert!(!literal("select (x : 1 .. 3\n)"));
    assert!(!literal("select (x : 1 .. x)"));
    assert!(!literal("select (x : 0 .. 'a')"));
    assert!(!literal("select (arr[1] : 1 .. 3)"));
    assert!(!literal("select (t.a : 1 .. 3)"));
}
