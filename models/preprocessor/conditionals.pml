/* Conditional text of all forms; the text that is left out would not even parse. */
#define LEVEL 2
#define EMPTY
byte r;

active proctype P()
{
#if LEVEL == 1
	r = 1;
#elif LEVEL == 2
	r = 2;
#else
	this is no promela;
#endif
#ifdef EMPTY
	r = r + 10;
#else
	nor is this
#endif
#ifndef NOWHERE
	r = r + 20;
#endif
#if defined(LEVEL) && !defined(NOWHERE) && (LEVEL * 3 > 5)
# ifdef NOWHERE
	r = 0;
# else
	r = r + 40;
# endif
#endif
#if 0
	r = 0;
#endif
	assert(r == 72)
}
