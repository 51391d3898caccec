//! The shape of the tree, construct by construct.

use super::{program, statement, steps};
use crate::ast::{
    BasicType, BlockItem, ExprKind, ForRange, Initialiser, Numeral, RecvArg, Size, StmtKind,
    TypeName, Unit, Visibility,
};

#[test]
fn proctype() {
    let p =
        program("active [3] D_proctype P(byte a, b; chan c) priority 4 provided (a > 1) { skip }");
    let [Unit::Proctype(p)] = p.units.as_slice() else { panic!("{p:?}") };
    assert!(matches!(p.active, Some(Some(Size::Value(3, _)))));
    assert!(p.deterministic);
    assert_eq!(p.params.iter().map(|d| d.vars.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(p.priority, Some(4));
    assert!(p.provided.is_some());
    assert_eq!(p.body.steps.len(), 1);
}

#[test]
fn declarations() {
    let p = program(
        "hidden unsigned u : 3 = 2, v : 1; byte a[2 + 3] = { 1, 2 };\n\
         typedef T { byte f } chan c[2] = [4] of { byte, mtype:s, T }; byte n = 2, m[n]",
    );
    let decls: Vec<_> =
        p.units.iter().filter_map(|u| if let Unit::Decl(d) = u { Some(d) } else { None }).collect();
    assert_eq!(decls[0].visibility, Some(Visibility::Hidden));
    assert_eq!(decls[0].vars[0].width, Some(3));
    assert!(matches!(decls[1].vars[0].array, Some(Size::Value(5, _))));
    assert!(matches!(&decls[1].vars[0].init, Some(Initialiser::List(l)) if l.len() == 2));
    let Some(Initialiser::Chan(chan)) = &decls[2].vars[0].init else { panic!("{decls:?}") };
    assert_eq!(chan.capacity, 4);
    assert!(matches!(
        chan.fields.as_slice(),
        [
            TypeName::Basic(BasicType::Byte, None),
            TypeName::Basic(BasicType::Mtype, Some(_)),
            TypeName::User(_)
        ]
    ));
    assert!(matches!(&decls[3].vars[1].array, Some(Size::Name(n)) if &*n.text == "n"));
}

#[test]
fn messages() {
    let StmtKind::Send { sorted: true, args, .. } = statement("q!!red(x, 3)") else { panic!() };
    assert_eq!(args.len(), 3);
    let StmtKind::Receive { random: true, peek: true, args, .. } =
        statement("q??<x, eval(y), -1, red, _>")
    else {
        panic!()
    };
    assert!(matches!(args[0], RecvArg::Var(_)));
    assert!(matches!(args[1], RecvArg::Eval(_)));
    let minus_one = ExprKind::Number(Numeral::from(-1));
    assert!(
        matches!(&args[2], RecvArg::Const(e) if format!("{:?}", e.kind) == format!("{minus_one:?}"))
    );
    assert!(matches!(&args[3], RecvArg::Const(e) if matches!(e.kind, ExprKind::Mtype(_))));
    let StmtKind::Receive { args, .. } = statement("q?red(x, (y, z))") else { panic!() };
    assert_eq!(args.len(), 4);
    let StmtKind::Expr(poll) = statement("q?[x] && x == 1") else { panic!() };
    assert!(format!("{poll:?}").contains("Poll"));
}

#[test]
fn labels_and_unless() {
    let StmtKind::Unless(main, escape) = statement("A: B: x = 1 unless { C: }") else { panic!() };
    assert!(format!("{main:?}").matches("Labelled").count() == 2);
    assert!(format!("{escape:?}").contains("None"));
}

#[test]
fn loops() {
    let StmtKind::For { range: ForRange::In(_), .. } = statement("for (x in arr) { skip }") else {
        panic!()
    };
    let StmtKind::For { range: ForRange::Between(..), body, .. } =
        statement("for (x : 1 .. y)\n{ skip; skip }")
    else {
        panic!()
    };
    assert_eq!(body.steps.len(), 2);
    let StmtKind::Do(options) = statement("do :: x == 1 -> x = 2; break :: else od") else {
        panic!()
    };
    assert_eq!(options.iter().map(|o| o.steps.len()).collect::<Vec<_>>(), [3, 1]);
}

#[test]
fn steps_of_a_body() {
    let steps = steps("byte k; xr q, q; xs q; assert(k); k++");
    assert!(matches!(steps[0], BlockItem::Decl(_)));
    assert!(
        matches!(&steps[1], BlockItem::Exclusive { send: false, channels, .. } if channels.len() == 2)
    );
    assert!(matches!(steps[2], BlockItem::Exclusive { send: true, .. }));
    assert_eq!(steps.len(), 5);
}

#[test]
fn mtype_numbers_follow_spin() {
    let p = program("mtype = { a, b, c } mtype = { d, e } byte x[a], y[e], z[d]; init { skip }");
    let sizes: Vec<_> = p
        .units
        .iter()
        .filter_map(|u| if let Unit::Decl(d) = u { Some(d) } else { None })
        .flat_map(|d| &d.vars)
        .map(|v| if let Some(Size::Value(n, _)) = v.array { n } else { -1 })
        .collect();
    assert_eq!(sizes, [3, 4, 5]);
}
