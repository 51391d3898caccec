/* labels in front of the first statements of options, nested: `pan -d` shows to which locations they go. */
byte x,y;
active proctype A() { 
 do :: progress: x = 1; if :: accept: y=2 -> end1: y = 3 :: end2: if :: acceptB: x=2 :: x=3 fi fi
    :: x=20; accept2: atomic { x=6; do :: x=7 :: break od;  x=8 }
    :: progress5: if :: x==1 :: x == 4; progress6: x=4 fi; 
    :: x=30; progress7: if :: x==31 :: x == 34; fi; x= 35
    :: progress8: if :: x==51 :: x == 54; fi; x= 55
 od }
