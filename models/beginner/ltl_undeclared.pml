bool in_use;

active proctype P()
{
    in_use = true;
    in_use = false
}

ltl free { [] (inuse -> <> !in_use) }
