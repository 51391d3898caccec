/* Jumps to jumps. */
byte n;

active proctype P()
{
	n = 1;
	goto a;
c:	n = 3;
	goto out;
b:	goto c;
a:	goto b;
out:
	n = 4
}
