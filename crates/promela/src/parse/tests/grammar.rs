//! What spin's grammar accepts and what it does not.

use super::{Table, agrees};

pub(super) const DECLARATIONS: Table = &[
    (true, "mtype { a, b, , c d, } mtype:sub = { e } mtype:sub s; mtype k; init { k = a; s = e }"),
    (false, "mtype:sub { e } init { skip }"),
    (false, "mtype = { } init { skip }"),
    (false, "mtype = { a } mtype = { a } init { skip }"),
    (true, "mtype = { a, b } byte x[b]; init { x[0] = 1 }"),
    (true, "byte x[2 * (3 - 1) / 2 + -1 % 2]; init { x[0] = 1 }"),
    (true, "byte n = 3; byte x[n]; active [n] proctype P() { x[0] = 1 }"),
    (false, "byte n = 3; byte x[n + 1]; init { x[0] = 1 }"),
    (true, "unsigned u : 3 = 2; hidden byte h; show byte s; local int l; init { u = h }"),
    (false, "hidden proctype P() { skip } init { skip }"),
    (true, "byte a[2] = { 1, 2 }; init { a[0] = 1 }"),
    (false, "int a[2] = { -1, 2 }; init { a[0] = 1 }"),
    (
        true,
        "mtype:f = { m } typedef T { byte a } chan c[2] = [1] of { byte, mtype:f, T, chan }; init { T t; c[0]!1, m, t, c[1] }",
    ),
    (false, "chan c = [1] of { byte; byte } init { skip }"),
    (false, "proctype P(byte a, byte b) { skip } init { skip }"),
    (false, "proctype P(byte a;) { skip } init { skip }"),
    (true, "proctype P(byte a, b; int c) { skip } init { run P(1, 2, 3) }"),
    (false, "proctype P() { skip } proctype P() { skip } init { skip }"),
    (false, "proctype P(byte x = 1) { skip } init { skip }"),
    (
        true,
        "D_proctype P() { skip } active [2] D_proctype Q() priority 2 provided (true) { skip } init { run P() priority 3 }",
    ),
    (true, "init priority 2 { skip }"),
    (false, "typedef T { T x } init { skip }"),
    (false, "typedef T { byte x } typedef T { byte y } init { skip }"),
    (false, "init { mtype = { a }; skip }"),
    (false, ""),
    (true, "chan q = [1] of { byte }; trace { do :: q!1 od } init { q!1 }"),
    (false, "chan q = [1] of { byte }; trace t { do :: q!1 od } init { q!1 }"),
];

pub(super) const STATEMENTS: Table = &[
    (false, "init { }"),
    (false, "init { if fi }"),
    (false, "init { d_step { } }"),
    (true, "init { skip; L: }"),
    (true, "init { if :: L: skip :: M: :: true -> N: fi }"),
    (true, "init { K: L: skip }"),
    (false, "init { L: byte x; x = 1 }"),
    (false, "init { chan q; L: xr q; skip }"),
    (false, "byte x; init { x = 1 unless x = 2 unless x = 3 }"),
    (true, "byte x; init { L: { x = 1 unless { x = 2 } } }"),
    (
        true,
        "chan q = [1] of { byte, byte }; byte x; init { q!1, 2; q?x, 2; q!1(2); q?1(x); q?(x, 2) }",
    ),
    (false, "chan q = [1] of { byte, byte }; init { q!(1, 2) }"),
    (false, "chan q = [1] of { byte, byte }; init { q?(1, 2), 3 }"),
    (
        true,
        "chan q = [1] of { byte }; byte x; init { q?<x>; q??<x>; q??x; q!!x; q?eval(x + 1); q?-1; q?_ }",
    ),
    (true, "chan q = [1] of { byte }; byte x; init { q?[x] && x; (q??[1]) -> x = q?[2] }"),
    (false, "chan q = [1] of { byte }; byte x; init { x = q?x }"),
    (false, "chan q = [1] of { byte }; byte x; init { q?x && x }"),
    (true, "byte x, a[2]; init { for (x in a) { skip }; for (x : 1 .. x + 1) { skip; } }"),
    (true, "byte in; init { in = 1 }"),
    (false, "byte in, a[2]; init { for (in in a) { skip } }"),
    (false, "byte x; init { for (x : 1 .. 2) skip }"),
    (
        true,
        "byte x; init { printf(\"a\"); printf(\"%d\", x + 1); printm(x); assert x == 0; assert(x) }",
    ),
    (false, "byte x; init { printm(x + 1) }"),
    (true, "byte x; active proctype P() { set_priority(_pid, 2); x = get_priority(_pid) }"),
    (false, "proctype P() { skip } init { goto P }"),
    (false, "init { return 1 }"),
    (false, "byte x; init { x = 1 } }"),
    (false, "byte x; init { { x = 1 }"),
];

pub(super) const EXPRESSIONS: Table = &[
    (true, "byte x, y; init { x = (y > 1 -> x : 3) + (x -> 1 : (y -> 2 : 3)) }"),
    (false, "byte x, y; init { x = y > 1 -> 3 : 4 }"),
    (
        true,
        "chan q = [1] of { byte }; byte x; init { full(q) && x || (empty(q)) || nfull(q) && nempty(q) }",
    ),
    (false, "chan q = [1] of { byte }; init { !full(q) }"),
    (false, "chan q = [1] of { byte }; init { full(q) == 1 }"),
    (false, "chan q = [1] of { byte }; byte x; init { (full(q) -> x : x) }"),
    (true, "chan q = [1] of { byte }; byte x; init { x = full(q); assert(nfull(q)) }"),
    (false, "chan q = [1] of { byte }; byte x[2]; init { x[full(q)] = 1 }"),
    (true, "byte x; proctype P() { byte k; L: k = 1 } init { x = P[1]@L + P@L + P[x]:k + P:k }"),
    (false, "byte x; init { x = Q@L } proctype Q() { L: skip }"),
    (true, "byte x; init { x = -x + ~x - -1; !x; x = !(!x) }"),
    (false, "byte x; init { x = !!x }"),
    (true, "byte x; init { x = run P(); run P() } proctype P() { skip }"),
    (false, "byte x; init { x = (x = 1) }"),
    (true, "byte x; init { x = 'a'; x = true + false; skip }"),
    (false, "byte x; init { x == \"a\" }"),
];

pub(super) const INLINES: Table = &[
    (true, "byte x; inline f(a, b) { a = b } init { f(x, x + 1) }"),
    (false, "byte x; inline f(a, b) { a = b } init { f(x) }"),
    (false, "byte x; inline f() { x = 1 } init { f(x) }"),
    (false, "byte x; inline f() { f() } init { f() }"),
    (false, "byte x; inline f() { g() } inline g() { f() } init { f() }"),
    (true, "byte x; inline f() { g() } inline g() { x = 1 } init { f() }"),
    (false, "byte x; init { f() } inline f() { x = 1 }"),
    (true, "byte x; inline f(a) { return a + 1 } init { x = f(2); x = f(x) }"),
    (false, "byte x; inline f(a) { return a + 1 } init { f(2) }"),
    (false, "byte x; inline f(a) { x = a } init { x = 1 + f(2) }"),
    (false, "inline f() { } init { f() }"),
    (true, "inline f() { } init { skip }"),
    (true, "inline f() { nonsense here ( } init { skip }"),
    (false, "inline f() { skip } inline f() { skip } init { f() }"),
    (false, "inline f(1) { skip } init { f(1) }"),
    (false, "byte f; inline f() { skip } init { f = 1 }"),
];

#[test]
fn declarations() {
    agrees(DECLARATIONS);
}

#[test]
fn statements() {
    agrees(STATEMENTS);
}

#[test]
fn expressions() {
    agrees(EXPRESSIONS);
}

#[test]
fn inlines() {
    agrees(INLINES);
}
