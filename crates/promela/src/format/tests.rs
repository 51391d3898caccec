//! Each rule of the layout, before and after.

use super::format;

/// Whole texts.
#[track_caller]
fn becomes(before: &str, after: &str) {
    assert_eq!(format(before), after);
    assert_eq!(format(after), after);
}

/// Statements on lines of their own, in a process.
#[track_caller]
fn statement(before: &str, after: &str) {
    becomes(&format!("init {{\n{before}\n}}"), &format!("init {{\n    {after}\n}}\n"));
}

#[test]
fn operators() {
    statement("x=a+b*-c%~d", "x = a + b * -c % ~d");
    statement("! a&&b||! ( c==d )", "!a && b || !(c == d)");
    statement("x ++;y --", "x++; y--");
    statement("a<b;c>>1;d<=e", "a < b; c >> 1; d <= e");
    statement("x=- -y;! !z", "x = - -y; ! !z");
    statement("a . b [ 2 ] . c=P [ 0 ] @ l", "a.b[2].c = P[0]@l");
    statement("x=(a->b:c)", "x = (a -> b : c)");
}

#[test]
fn messages() {
    statement("q ! a,b+1 ; q!!A ( b,c )", "q!a, b + 1; q!!A(b, c)");
    statement("q ? a,eval( b );q ?? -1", "q?a, eval(b); q??-1");
    statement("q?< a,b >;q ? [ a ]&&x>1", "q?<a, b>; q?[a] && x > 1");
    statement("in!x;in ? y", "in!x; in?y");
    statement("q! !x", "q! !x");
}

#[test]
fn words() {
    statement("run  P ( 1,2 )", "run P(1, 2)");
    statement("assert ( x );printf ( \"%d\",x )", "assert(x); printf(\"%d\", x)");
    statement("for(i:1..3){skip}", "for (i : 1 .. 3) { skip }");
    statement("for(i in a){skip}", "for (i in a) { skip }");
    statement("select ( i : 1..3 )", "select (i : 1 .. 3)");
    statement("atomic{a;b}unless{c}", "atomic { a; b } unless { c }");
    statement("if::a->b::else fi", "if :: a -> b :: else fi");
}

#[test]
fn declarations() {
    becomes("mtype={A,B}\nmtype : t={C}\n", "mtype = { A, B }\nmtype:t = { C }\n");
    becomes("chan q=[2]of{byte,T}", "chan q = [2] of { byte, T }\n");
    becomes("typedef T{unsigned x:3;byte y}", "typedef T { unsigned x : 3; byte y }\n");
    becomes(
        "active[2]proctype P(byte a;int b)provided(x){skip}",
        "active [2] proctype P(byte a; int b) provided (x) { skip }\n",
    );
    becomes("byte a[3]={1,2,3},b=-1;", "byte a[3] = { 1, 2, 3 }, b = -1;\n");
}

#[test]
fn formulas() {
    becomes("ltl p{[]<>x&&!  q U(<>r->P@l)}", "ltl p { []<> x && !q U (<> r -> P@l) }\n");
    becomes("ltl{a<->b/\\c\\/d}", "ltl { a <-> b /\\ c \\/ d }\n");
    becomes("ltl p {\n[] (a\n-> b) }", "ltl p {\n    [] (a\n        -> b)\n}\n");
    becomes(
        "proctype P(){skip}\nltl p { <> P [0] : x>1 }",
        "proctype P() { skip }\nltl p { <> P[0]:x > 1 }\n",
    );
}

#[test]
fn a_group_over_lines_is_broken_at_its_ends() {
    becomes("init{a;\nb}", "init {\n    a;\n    b\n}\n");
    statement("do::a->b;\nc::d od", "do\n    :: a -> b;\n        c\n    :: d\n    od");
    statement("atomic { if :: a fi;\nb }", "atomic {\n        if :: a fi;\n        b\n    }");
    becomes("mtype = { A,\nB }", "mtype = {\n    A,\n    B\n}\n");
}

#[test]
fn options() {
    statement(
        "do\n    :: a ->\nb\n      :: if\n::c\n:: d\n fi; e\n  od",
        "do\n    :: a ->\n        b\n    :: if\n        :: c\n        :: d\n        fi; e\n    od",
    );
}

#[test]
fn labels() {
    becomes("init {\nx=1;\n  l :m:y=2\n}", "init {\n    x = 1;\nl: m: y = 2\n}\n");
    becomes(
        "init {\ndo\n:: l: a;\nk:b\nod\n}",
        "init {\n    do\n    :: l: a;\n    k: b\n    od\n}\n",
    );
    becomes(
        "proctype P() { skip }\nnever {\nP : x > 1\n}",
        "proctype P() { skip }\nnever {\n    P:x > 1\n}\n",
    );
}

#[test]
fn further_lines_of_a_statement() {
    statement("x = a +\nb;\ny = 1", "x = a +\n        b;\n    y = 1");
    statement("assert( a\n&& (b ||\nc)\n)", "assert(a\n        && (b ||\n        c)\n    )");
    becomes("byte a,\nb;", "byte a,\n    b;\n");
    becomes("proctype P(byte a;\nbyte b)\n{ skip }", "proctype P(byte a;\n    byte b)\n{ skip }\n");
}

#[test]
fn empty_lines() {
    becomes("\n\nbyte a;\n\n\n\nbyte b;\n\n", "byte a;\n\nbyte b;\n");
    becomes("init {\n\na;\n\n\nb\n\n}", "init {\n    a;\n\n    b\n}\n");
    becomes(
        "proctype P() {\na\n}\n// Q\nproctype Q() {\nb\n}\n#define X\n",
        "proctype P() {\n    a\n}\n\n// Q\nproctype Q() {\n    b\n}\n\n#define X\n",
    );
    becomes("inline f() { a\n} inline g() { b }", "inline f() {\n    a\n}\n\ninline g() { b }\n");
    becomes("#if A\ninit {\na\n}\n#endif\nbyte b;", "#if A\ninit {\n    a\n}\n#endif\n\nbyte b;\n");
}

#[test]
fn comments() {
    becomes("byte a;// a  \nbyte b;    /* b */\n", "byte a;  // a\nbyte b;  /* b */\n");
    becomes("init {\n// one\na;\n// two\n}", "init {\n    // one\n    a;\n    // two\n}\n");
    statement("f(/* a */1,2/* b */)", "f(/* a */ 1, 2 /* b */)");
    statement("if\n:: a\n// other\n:: b\nfi", "if\n    :: a\n    // other\n    :: b\n    fi");
    becomes("init { /* why */ a;\nb }", "init {  /* why */\n    a;\n    b\n}\n");
    becomes("  /* a\n     b */\nbyte x;", "/* a\n     b */\nbyte x;\n");
}

#[test]
fn directives_are_kept() {
    becomes(
        "init {\na;\n  #define f(x)  x+1 \\\n   +2   \nb\n}",
        "init {\n    a;\n#define f(x)  x+1 \\\n   +2\n    b\n}\n",
    );
    becomes("/* c */ #define A", "/* c */\n#define A\n");
}

#[test]
fn each_branch_of_a_conditional_begins_at_the_same_depth() {
    becomes(
        "init {\n#if A\nif\n#else\ndo\n#endif\n:: a\nfi\n}",
        "init {\n#if A\n    if\n#else\n    do\n#endif\n    :: a\n    fi\n}\n",
    );
}

#[test]
fn macro_calls_and_c_are_kept() {
    becomes("#define S(x) #x\nbyte a=S ( b+ c );", "#define S(x) #x\nbyte a = S ( b+ c );\n");
    becomes("#define N 2\nbyte a=N*( 1+b );", "#define N 2\nbyte a = N * (1 + b);\n");
    statement("c_code  [ x ]{ a=1;\n  b }; y=1", "c_code [x] { a=1;\n  b }; y=1");
}

#[test]
fn blanks_that_mean_something_are_kept() {
    // To gcc `1..N` is one number: a macro `N` is not replaced in it.
    statement("select(i:1..N);select(i:1 ..N)", "select (i : 1..N); select (i : 1 .. N)");
    // After lines were joined, a blank before a token brings it to a new line.
    statement("x = a \\\n  +b+c +d", "x = a \\\n  +b+c +d");
    // Perhaps a macro of another file, after which lines are out of step as well.
    statement("f( a,\nb)+1;\nc=d", "f( a,\n        b)+1;\n    c = d");
}

#[test]
fn groups_in_parentheses_are_not_broken() {
    statement("f(if :: a\n:: b fi)", "f(if :: a\n        :: b fi)");
}

#[test]
fn ends_of_lines_and_of_the_text() {
    becomes("", "");
    becomes(" \n\t\n", "");
    becomes("byte a;  \r\nbyte b;\r/* c\r\n */", "byte a;\nbyte b;\n/* c\n */\n");
    becomes("\u{feff}byte  a;", "\u{feff}byte a;\n");
    becomes("/* open  ", "/* open  ");
}

#[test]
fn text_that_does_not_pair_up() {
    becomes("fi;)\n}byte  a", "fi;)\n} byte a\n");
    becomes("{{\nif(a\n}b", "{ {\n        if (a\n    } b\n");
}
