/*
 * The sliding window protocol over an unreliable line, with red, white and blue messages.
 *
 *   -DBUFFER=b   messages that the sender, and that the receiver, can store (2)
 *   -DWINDOW=w   messages that may be sent before the first is acknowledged: 1 to 4, at
 *                most BUFFER (1)
 *   -DMODULO=m   sequence numbers, 0 to m - 1; more than WINDOW (BUFFER)
 *   -DBROKEN     the line may turn a red message into a white one: A and C fail, B holds
 *
 * The sender stores every message until it is acknowledged, and sends what is in the window again
 * and again. The receiver stores the message that is next in order and ignores all others; an
 * acknowledgement says which one is next, and so it stands for all before it.
 *
 *   A  the protocol invents nothing: no white message comes out before one has gone in
 *   B  the sender invents nothing: no white message is on the line before one has gone in
 *   C  the receiver invents nothing: no white message comes out before one was on the line
 *   D  nothing ever comes out (wrong)
 *
 * Splits: `--module Sender`, `--module Receiver`.
 *
 * The papers name sender, receiver, unreliable channel, the kinds of messages, the sizes and the
 * properties. Assumed here: the receiver keeps nothing out of order (go back n). Acknowledgements
 * may be sent, and messages repeated, at any time: there are no timers. The line hands over at once
 * what it does not lose. What goes in and out is the free choice of sender and receiver: there is no
 * user. There are as many sequence numbers as places in a buffer. With b places this makes
 * b(1 + 3 + ... + 3^b) combinations of number and contents, which are the published states of
 * the environment, 26 and 120; where a process stands comes on top.
 */
#ifndef BUFFER
#define BUFFER 2
#endif
#ifndef WINDOW
#define WINDOW 1
#endif
#ifndef MODULO
#define MODULO BUFFER
#endif

mtype = { red, white, blue };

chan line = [0] of { byte, mtype };    /* sequence number, message */
chan acks = [0] of { byte };           /* the sequence number that is next */

/* What just goes in, is sent, or comes out: for the properties. */
mtype input;
mtype sent;
mtype output;

/* Both buffers are rows of messages, the oldest in front. */
inline append(message)
{
	slot[stored] = message;
	stored++
}

inline drop_oldest()
{
	for (k : 1 .. BUFFER - 1) {
		slot[k - 1] = slot[k]
	}
	slot[BUFFER - 1] = 0;
	k = 0;
	stored--
}

#define SEND(n) \
	:: atomic { stored > n -> sent = slot[n] }; line ! (base + n) % MODULO, sent; sent = 0

active proctype Sender()
{
	mtype slot[BUFFER];
	byte stored;
	byte base;    /* sequence number of the oldest message */
	byte next, k;

	do
	:: atomic { stored < BUFFER -> if :: input = red :: input = white :: input = blue fi };
	   atomic { append(input); input = 0 }
	SEND(0)
#if WINDOW > 1
	SEND(1)
#endif
#if WINDOW > 2
	SEND(2)
#endif
#if WINDOW > 3
	SEND(3)
#endif
	:: atomic {
		acks ? next ->
		do
		:: base != next && stored > 0 -> drop_oldest(); base = (base + 1) % MODULO
		:: else -> break
		od;
		next = 0
	   }
	:: acks ? _    /* lost */
	od
}

active proctype Receiver()
{
	mtype slot[BUFFER];
	byte stored;
	byte expected;
	byte number, k;
	mtype message;

	do
	:: atomic {
		line ? number, message ->
#ifdef BROKEN
		if
		:: message == red -> message = white
		:: skip
		fi;
#endif
		if
		:: number == expected && stored < BUFFER ->
			append(message);
			expected = (expected + 1) % MODULO
		:: else
		fi;
		number = 0;
		message = 0
	   }
	:: line ? _, _    /* lost */
	:: acks ! expected
	:: atomic { stored > 0 -> output = slot[0] };
	   atomic { drop_oldest(); output = 0 }
	od
}

ltl A { (output != white) W (input == white) }
ltl B { (sent != white) W (input == white) }
ltl C { (output != white) W (sent == white) }
ltl D { [] (output == 0) }
