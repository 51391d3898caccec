/* Everything on a few lines, options run together without any separators. */
byte n; byte m;

active proctype P() { do :: n < 3 -> n++ :: n < 3 -> n = n + 2 :: n >= 3 -> break od; if :: n == 3 :: n == 4 -> m = 1 fi }
active proctype Q() { if :: m == 1 -> n = 0 :: timeout fi }
active proctype R() { do
	:: m == 0 -> break :: m == 1 ->
		if :: n == 0 -> break :: n != 0 ->
			if :: m = 0 :: break fi
		fi
	od }
