/* enabled() of a process at an `else`, asked in the first option: spin's verifier finds the same states. With the options in
   the other order it does not, see docs/semantics.md. */
byte g;
chan c = [1] of { bit, byte };

active proctype P()
{
	else
}

active proctype Q()
{
	if
	:: c!enabled(0), 0
	:: g = 2
	fi
}
