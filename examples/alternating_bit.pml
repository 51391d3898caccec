/* The alternating bit protocol: messages arrive once each and in order, over
 * lines that lose some of them.
 *
 * The sender marks its messages with 0 and 1 in turn, and repeats one until it
 * has been acknowledged with the same mark.
 */
#define VALUES 4

chan data = [1] of { byte, bit };   /* a value and its mark */
chan acks = [1] of { bit };

active proctype Sender()
{
    byte value;
    bit mark, got;
    do
    :: data!value(mark)
    :: acks?got;
       if
       :: got == mark -> mark = 1 - mark; value = (value + 1) % VALUES
       :: else                              /* an old acknowledgement */
       fi
    od
}

active proctype Receiver()
{
    byte value, expected;
    bit mark, awaited;
    do
    :: data?value(mark);
       if
       :: mark == awaited ->
          assert(value == expected);
          expected = (expected + 1) % VALUES;
          awaited = 1 - awaited
       :: else                              /* a repetition */
       fi;
       acks!mark
    od
}

/* The lines lose what they like. */
active proctype Thief()
{
    do
    :: data?_(_)
    :: acks?_
    od
}
