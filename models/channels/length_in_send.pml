/* The length used inside a send is the one before the message is added. */
chan q = [3] of { byte };
byte v;

active proctype Fill()
{
	do
	:: nfull(q) -> q ! len(q)
	:: full(q) -> break
	od;
	len(q);
	do
	:: len(q) > 0 -> q ? v; assert(v + len(q) == 2)
	:: len(q) == 0 -> break
	od
}
