/* Every request is answered in the end. */
bool req, ans;

active proctype Ask()
{
	do
	:: !req && !ans -> req = true
	od
}

active proctype Answer()
{
	do
	:: req && !ans -> ans = true; req = false
	:: !req && ans -> ans = false
	od
}

ltl answered { [] (req -> <> ans) }
