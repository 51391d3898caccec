bool b;
active proctype P() { b := true }
