/*
 * A document goes round until everybody has signed it, and then into the archive.
 *
 *   -DPARTICIPANTS=n   who has to sign, 2 to 8 (2)
 *   -DBROKEN           the signatures on a rejected version are kept for the next one
 *
 * The office gives a copy to every participant and collects their votes. Who agrees signs the copy,
 * and then says so. When somebody refuses, all copies are called back, signed or not, and a new
 * version goes round. With all signatures the document is archived, and the copies are thrown away.
 *
 *   signed_by_all  a document is never archived before every participant has signed this version
 *
 * Splits: `--module Participant` (all of them), `--module Office`.
 *
 * The paper says only: an industrial document flow with a number of participants. All else is ours,
 * and so is the property. The published sizes, 8^n and 2^n + n + 5, suggest participants with a
 * handful of states each, and an office that keeps the set of those who have signed.
 */
#ifndef PARTICIPANTS
#define PARTICIPANTS 2
#endif

mtype = { copy, recall, filed, yes, no };

chan desk[PARTICIPANTS] = [0] of { mtype };
chan votes = [0] of { byte, mtype };

bool has_signed[PARTICIPANTS];    /* the copy on this desk */
bool archiving;

#define copy_gone(why) atomic { desk[_pid] ? why -> has_signed[_pid] = false }; goto waiting

active [PARTICIPANTS] proctype Participant()
{
waiting:
	desk[_pid] ? copy;

	if
	:: has_signed[_pid] = true
	:: goto objects
	:: copy_gone(recall)
	fi;
	if
	:: votes ! _pid, yes
	:: copy_gone(recall)
	fi;
	if
	:: copy_gone(recall)
	:: copy_gone(filed)
	fi;
objects:
	if
	:: votes ! _pid, no
	:: copy_gone(recall)
	fi;
	copy_gone(recall)
}

inline tell_all(what)
{
	for (i : 0 .. PARTICIPANTS - 1) {
		desk[i] ! what
	}
	i = 0
}

inline forget_signatures()
{
	for (i : 0 .. PARTICIPANTS - 1) {
		signature[i] = false
	}
	i = 0;
	missing = PARTICIPANTS
}

active proctype Office()
{
	bool signature[PARTICIPANTS];
	byte missing = PARTICIPANTS;
	byte i, who;

circulation:
	tell_all(copy);

	do
	:: atomic {
		votes ? who, yes ->
		if
		:: !signature[who] -> signature[who] = true; missing--
		:: else
		fi;
		who = 0
	   }
	:: missing == 0 -> goto all_have_signed
	:: votes ? _, no -> break
	od;
#ifndef BROKEN
	atomic { forget_signatures() };
#endif
	tell_all(recall);
	goto circulation;

all_have_signed:
	archiving = true;
	atomic { archiving = false; forget_signatures() };
	tell_all(filed);
	goto circulation
}

#define FIRST_2  has_signed[0] && has_signed[1]
#define FIRST_3  FIRST_2 && has_signed[2]
#define FIRST_4  FIRST_3 && has_signed[3]
#define FIRST_5  FIRST_4 && has_signed[4]
#define FIRST_6  FIRST_5 && has_signed[5]
#define FIRST_7  FIRST_6 && has_signed[6]
#define FIRST_8  FIRST_7 && has_signed[7]
#define GLUE(n)  FIRST_##n
#define FIRST(n) GLUE(n)

ltl signed_by_all { [] (!archiving || (FIRST(PARTICIPANTS))) }
