/* When all processes are gone the last state stays. */
byte x;

active proctype P() { x = 1 }
active proctype Q() { x == 1; x = 2 }

never later { do :: x == 2 -> break :: else od; skip; skip; skip; skip; skip; x == 2 }
never other { do :: x == 2 -> break :: else od; skip; skip; skip; skip; skip; x == 1 }
