bool turn, done;
ltl ends { <> done }
active proctype P()
{
    turn = 1;
    do
    :: turn = !turn
    od
}
