/* Prints are steps that change nothing but the control point. */
mtype = { go, halt };
byte n;

active proctype Talk()
{
	mtype m = go;

	printf("start\n");
	printm(m);
	printf("%d %d\n", n, m);
	printm(halt);
	n = 1
}

active proctype Count()
{
	n = n + 1;
	printf("n=%d\n", n)
}
