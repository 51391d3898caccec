/* R receives for ever, but could leave at any time. A receiver moves when a message is handed to it: the loop is fair to R. */
bool out; chan c = [0] of { bit };
active proctype S() { do :: c!1 od }
active proctype R() { do :: c?1 :: out = true; break od; do :: c?1 od }
ltl leaves { <> out }
