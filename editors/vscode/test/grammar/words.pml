// SYNTAX TEST "source.promela" "words of Promela"

#define N 3
// <- keyword.control.directive.promela
//      ^ entity.name.function.preprocessor.promela
//        ^ constant.numeric.promela
mtype = { req, ack };
// <- storage.type.promela
/* a comment */ bool busy = false; // more
// <- comment.block.promela
//              ^^^^ storage.type.promela
//                          ^^^^^ constant.language.promela
//                                 ^^^^^^^ comment.line.double-slash.promela
active [N] proctype Worker(byte id)
// <- keyword.control.promela
//         ^^^^^^^^ keyword.control.promela
//                  ^^^^^^ entity.name.type.promela
//                         ^^^^ storage.type.promela
{
    do
//  ^^ keyword.control.promela
    :: atomic { len(q) == 0 -> q!req }
//  ^^ keyword.operator.promela
//     ^^^^^^ keyword.control.promela
//              ^^^ support.function.promela
//                          ^^ keyword.operator.promela
    :: else -> goto done
//     ^^^^ keyword.control.promela
//                  ^^^^ entity.name.label.promela
    od;
done:
// <- entity.name.label.promela
    printf("%d\n", _pid)
//  ^^^^^^ support.function.promela
//         ^^^^^^ string.quoted.double.promela
//          ^^ constant.other.placeholder.promela
//                 ^^^^ variable.language.promela
}
ltl safe { [] (busy implies (until_now U busy)) }
// <- keyword.control.promela
//  ^^^^ entity.name.function.promela
//         ^^ keyword.operator.temporal.promela
//                  ^^^^^^^ keyword.operator.word.promela
//                           ^^^^^^^^^ - keyword.operator.word.promela
//                                     ^ keyword.operator.word.promela
byte until;
//   ^^^^^ - keyword.operator.word.promela
