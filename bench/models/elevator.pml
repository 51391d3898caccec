/* A lift with FLOORS floors and LIFTS cars. People press buttons at any time; a
   car keeps its direction while there are calls ahead and opens the door only when
   it stands. A call is answered by the car that comes first. */
#ifndef FLOORS
#define FLOORS 5
#endif
#ifndef LIFTS
#define LIFTS 2
#endif

typedef Lift { byte at; bool open; bool moving; bool up; bool stop[FLOORS] };
Lift lift[LIFTS];
bool call[FLOORS];

inline ahead(me, result) {
  /* whether a call or a stop lies before the car in its direction */
  k = lift[me].at; result = false;
  do
  :: lift[me].up && k + 1 < FLOORS ->
     k++; result = result || call[k] || lift[me].stop[k]
  :: !lift[me].up && k > 0 ->
     k--; result = result || call[k] || lift[me].stop[k]
  :: else -> break
  od;
  k = 0
}

active proctype People() {
  byte f;
  do
  :: f = 0;
     do
     :: f + 1 < FLOORS -> f++
     :: break
     od;
     atomic { !call[f] -> call[f] = true; f = 0 }
  od
}

proctype Car(byte me) {
  byte k;
  bool more;
  do
  :: atomic {
       !lift[me].moving && (call[lift[me].at] || lift[me].stop[lift[me].at]) ->
       call[lift[me].at] = false; lift[me].stop[lift[me].at] = false; lift[me].open = true
     }
     if   /* somebody may step in and choose a floor */
     :: lift[me].stop[0] = true
     :: lift[me].stop[FLOORS - 1] = true
     :: skip
     fi;
     lift[me].open = false
  :: atomic {
       !lift[me].moving && !lift[me].open && !call[lift[me].at] && !lift[me].stop[lift[me].at] ->
       d_step {
         ahead(me, more);
         if
         :: more
         :: else -> lift[me].up = !lift[me].up; ahead(me, more)
         fi;
         lift[me].moving = more; more = false
       }
     }
  :: atomic {
       lift[me].moving ->
       assert(!lift[me].open);
       if
       :: lift[me].up -> lift[me].at++
       :: else -> lift[me].at--
       fi;
       assert(lift[me].at < FLOORS);
       lift[me].moving = false
     }
  od
}

init {
  byte i;
  atomic {
    do
    :: i < LIFTS -> lift[i].up = true; run Car(i); i++
    :: else -> break
    od;
    i = 0
  }
}
