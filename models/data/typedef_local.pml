/* A local record with a channel inside; every process has its own copy of both. */
typedef Port {
	chan line = [1] of { byte };
	byte count = 2
};
byte total;

active [2] proctype User()
{
	Port p;
	byte v;

	do
	:: p.count > 0 -> p.line ! p.count; p.line ? v; p.count--
	:: p.count == 0 -> break
	od;
	total = total + v
}
