/* Transfers between accounts under two-phase locking; the clerk locks the account
   with the lower number first. With -DUNORDERED the source comes first, and clerks
   wait for each other. Structures in an array, one of them with a history. */
#ifndef CLERKS
#define CLERKS 3
#endif
#ifndef ACCOUNTS
#define ACCOUNTS 3
#endif
#ifndef COINS
#define COINS 3
#endif

typedef Account { int balance; bool locked; byte partner };
Account account[ACCOUNTS];
int total;

inline choose(x) {
  x = 0;
  do
  :: x + 1 < ACCOUNTS -> x++
  :: break
  od
}

proctype Clerk() {
  byte from, to;
  do
  :: atomic { choose(from); choose(to) }
     if
     :: from == to
     :: from != to ->
#ifdef UNORDERED
        atomic { !account[from].locked -> account[from].locked = true }
        atomic { !account[to].locked -> account[to].locked = true }
#else
        if
        :: from < to ->
           atomic { !account[from].locked -> account[from].locked = true }
           atomic { !account[to].locked -> account[to].locked = true }
        :: else ->
           atomic { !account[to].locked -> account[to].locked = true }
           atomic { !account[from].locked -> account[from].locked = true }
        fi;
#endif
        if
        :: account[from].balance > 0 ->
           account[from].balance--;
           account[to].balance++;
           account[to].partner = from;
           assert(account[from].balance >= 0)
        :: else
        fi;
        account[from].locked = false;
        account[to].locked = false
     fi
  od
}

init {
  byte i;
  atomic {
    do
    :: i < ACCOUNTS -> account[i].balance = COINS; total = total + COINS; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < CLERKS -> run Clerk(); i++
    :: else -> break
    od;
    i = 0
  }
}
