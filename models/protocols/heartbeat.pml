/* A node that may crash sends beats, and a detector declares it dead only when it has crashed. */
chan beat = [1] of { bit };
bool crashed, suspected;

active proctype Node()
{
	do
	:: nfull(beat) -> beat ! 1
	:: crashed = true; break
	od
}

active proctype Detector()
{
	do
	:: beat ? _
	:: timeout -> suspected = true; break
	od;
	assert(crashed)
}
