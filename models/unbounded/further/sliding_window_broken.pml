/* A sliding window whose receiver acknowledges what it has not got. */
int WINDOW;		/*@ parameter WINDOW >= 1 */
int acked, sent, got;	/*@ unbounded acked, sent, got */
int frame, reply;	/*@ unbounded frame, reply */
bool has_frame, has_reply;

active proctype Sender()
{
	do
	:: atomic { sent - acked < WINDOW && !has_frame; frame = sent; sent++; has_frame = true }
	:: atomic { sent > acked && !has_frame; frame = acked; has_frame = true }
	:: atomic { has_reply; acked = (reply > acked -> reply : acked); has_reply = false }
	od
}

active proctype Receiver()
{
	do
	:: atomic { has_frame && frame == got; got++; reply = got; has_reply = true; has_frame = false }
	:: atomic { has_frame && frame != got; reply = frame + 1; has_reply = true; has_frame = false }
	od
}

active proctype Loss() { do :: atomic { has_frame; has_frame = false } :: atomic { has_reply; has_reply = false } od }

ltl order { [] (acked <= got && got <= sent && sent - acked <= WINDOW) }
