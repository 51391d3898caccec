/* A range of more than 32 values.
   spin makes a loop of it that counts up, where a short literal range is one choice. */
byte n;
byte parity;

active proctype Choose()
{
	select(n : 1 .. 40);
	parity = n % 2
}
