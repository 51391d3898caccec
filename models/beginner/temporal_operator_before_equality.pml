mtype = { red, green };
mtype state = red;
active proctype P() { state = green }
ltl live { <> state == green }
