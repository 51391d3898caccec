//! Searches for cycles in pieces, by hosts and for several formulas, against one search by one thread.

use crate::common::subject;
use crate::liveness::claims;
use resy::{Control, Fairness, Question, SearchOptions, Truth, check};
use resy_engine::search::workers::{Hosts, Workers};
use resy_engine::search::{
    CycleKeeper, CycleSearch, Identity, Limits, Stopped, StorePolicy, Task, Threads, search_cycles,
    search_cycles_among, search_cycles_kept,
};
use resy_system::{LivenessClaim, System};
use resy_testkit::cyclic::{CyclicProgram, RENDEZVOUS};
use resy_testkit::scratch::Scratch;
use std::cell::Cell;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

/// What must not depend on who searches, and how often the search is ended.
fn found(search: &CycleSearch) -> (u64, u64, u64, String) {
    (search.states, search.transitions, search.depth, format!("{:?}", search.found))
}

/// Resumes a search until it is complete. Each time the limits are asked once more before they end it, so that it comes to
/// its end. Also the number of times.
fn in_pieces(
    system: &System,
    claim: &LivenessClaim,
    fairness: Fairness,
    store: StorePolicy,
) -> (CycleSearch, u32) {
    let scratch = Scratch::new("cycles").expect("a folder");
    let folder = scratch.path().join("saved");
    let identity = || Identity::default().fact("claim", claim.name.clone());
    for n in 0.. {
        let every = Duration::from_secs(1000);
        let keeper = match n {
            0 => CycleKeeper::create(&folder, identity(), every),
            _ => CycleKeeper::open(&folder, identity(), every),
        };
        let mut keeper = keeper.expect("a folder to save to");
        let left = Cell::new(n + 1);
        let goes_on = || {
            left.set(left.get() - 1);
            left.get() > 0
        };
        let limits = Limits { goes_on: Some(&goes_on), ..Limits::default() };
        let task = Task::new(system).compiled(false).store(store).limits(limits);
        let search = search_cycles_kept(&task, claim, fairness, &mut keeper).expect("a start");
        assert!(keeper.failure().is_none(), "{:?}", keeper.failure());
        if search.stopped != Some(Stopped::Interrupt) {
            return (search, n);
        }
    }
    unreachable!("the loop has no end")
}

#[test]
fn a_saved_search_for_cycles_goes_on_where_it_was() {
    let stores = [usize::MAX, 0, 33_000].map(StorePolicy::FlatUpTo);
    let mut n_resumed = 0;
    for seed in 0..8 {
        let subject = subject(&CyclicProgram::new(seed).with_formulas());
        let system = subject.system().expect("a program");
        for (i, claim) in claims(system).iter().enumerate() {
            let fairness = Fairness::ALL[(seed as usize + i) % 3];
            let store = stores[i % 3];
            let task = Task::new(system).compiled(false).store(store);
            let whole = search_cycles(&task, claim, fairness).expect("a start");
            let (pieces, n) = in_pieces(system, claim, fairness, store);
            assert_eq!(found(&pieces), found(&whole), "{seed} {} {fairness}", claim.name);
            n_resumed += n;
        }
    }
    eprintln!("{n_resumed} times resumed");
    assert!(n_resumed > 60, "{n_resumed}");
}

#[test]
fn another_search_is_not_resumed() {
    let subject =
        subject("byte x; active proctype P() { do :: x = 1 - x od } ltl f { []<> (x == 1) }");
    let system = subject.system().expect("a program");
    let claim = &claims(system)[0];
    let scratch = Scratch::new("other").expect("a folder");
    let folder = scratch.path().join("saved");
    let (every, identity) = (Duration::ZERO, |what| Identity::default().fact("claim", what));
    let mut keeper = CycleKeeper::create(&folder, identity("f"), every).expect("a new folder");
    let task = Task::new(system).compiled(false);
    search_cycles_kept(&task, claim, Fairness::None, &mut keeper).expect("a start");
    drop(keeper);
    let error = CycleKeeper::open(&folder, identity("g"), every).err().expect("another search");
    assert!(error.to_string().contains("the claim was `f` and is `g`"), "{error}");
    assert!(CycleKeeper::create(&folder, identity("f"), every).is_err(), "it holds a search");
}

/// What a tree learns anew while states wait to be stored does not change them.
#[test]
fn a_tree_is_learned_between_two_steps() {
    let counter = |p: &str, x: &str| {
        format!("byte {x}; active proctype {p}() {{ do :: {x} = ({x} + 1) % 33 od }}\n")
    };
    let program = counter("A", "a") + &counter("B", "b") + &counter("C", "c");
    let subject = subject(&(program + "ltl f { [] (a == 50 -> <> (b == 1)) }"));
    let system = subject.system().expect("a program");
    let claim = &claims(system)[0];
    let with = |store| {
        let task = Task::new(system).store(store);
        found(&search_cycles(&task, claim, Fairness::None).expect("a start"))
    };
    let flat = with(StorePolicy::FlatUpTo(usize::MAX));
    assert_eq!(flat.0, 33 * 33 * 33);
    assert_eq!(with(StorePolicy::FlatUpTo(0)), flat);
}

/// What each of several hosts on this machine finds.
fn by_hosts(
    n: usize,
    system: &System,
    claim: &LivenessClaim,
    fairness: Fairness,
) -> Vec<CycleSearch> {
    let listeners: Vec<Arc<TcpListener>> =
        (0..n).map(|_| Arc::new(TcpListener::bind("127.0.0.1:0").expect("a port"))).collect();
    let address = |l: &Arc<TcpListener>| l.local_addr().expect("an address").to_string();
    let addresses: Vec<String> = listeners.iter().map(address).collect();
    std::thread::scope(|scope| {
        let host = |(index, listener): (usize, Arc<TcpListener>)| {
            let addresses = addresses.clone();
            scope.spawn(move || {
                let hosts = Hosts { addresses, index, key: None, listener: Some(listener) };
                let (inside, hosts) = (Threads::new(1), Some(hosts));
                let workers = Workers { threads: 1, inside, hosts, alone: 0 };
                let task = Task::new(system).compiled(false);
                search_cycles_among(&task, claim, fairness, &workers, &|_| {}).expect("a start")
            })
        };
        let threads: Vec<_> = listeners.into_iter().enumerate().map(host).collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    })
}

/// Hosts that decide in rounds have one thread's verdicts, states and transitions, and its runs.
#[test]
fn hosts_find_what_one_thread_finds() {
    let (mut n_by_rounds, mut n_failing) = (0, 0);
    for seed in (0..10).chain(RENDEZVOUS..RENDEZVOUS + 4) {
        let subject = subject(&CyclicProgram::new(seed).with_formulas());
        let system = subject.system().expect("a program");
        for (i, claim) in claims(system).iter().enumerate() {
            let fairness = Fairness::ALL[(seed as usize + i) % 3];
            let task = Task::new(system).compiled(false);
            let one = search_cycles(&task, claim, fairness).expect("a start");
            for several in by_hosts(2 + i % 2, system, claim, fairness) {
                let what = format!("{seed} {} {fairness}", claim.name);
                let run = |search: &CycleSearch| format!("{:?}", search.found);
                assert_eq!(run(&several), run(&one), "{what}");
                if several.found.is_none() {
                    let counts = |s: &CycleSearch| (s.states, s.transitions, s.stopped);
                    assert_eq!(counts(&several), counts(&one), "{what}");
                }
                n_by_rounds += usize::from(several.by_others);
                n_failing += usize::from(several.found.is_some());
            }
        }
    }
    eprintln!("{n_by_rounds} decided in rounds, {n_failing} violations");
    assert!(n_by_rounds > 20 && n_failing > 20, "{n_by_rounds} {n_failing}");
}

/// A ring with one edge that has the mark: it may lead from one host to another.
#[test]
fn a_mark_between_two_hosts_is_not_lost() {
    let ring = "byte x; active proctype P() { do :: x = (x + 1) % 60 od }";
    for n in (2..58).step_by(7) {
        let subject = subject(&format!("{ring} ltl f {{ <>[] (x != {n}) }}"));
        let system = subject.system().expect("a program");
        for search in by_hosts(2, system, &claims(system)[0], Fairness::None) {
            assert!(search.found.is_some(), "{n}");
        }
    }
}

/// Formulas that are decided in one search have the verdicts that each has by itself.
#[test]
fn formulas_in_one_search_have_their_verdicts() {
    let (mut n_together, mut n_failing) = (0, 0);
    for seed in 0..40 {
        let program = CyclicProgram::new(seed);
        let waiting = "ltl w0 { [] (x == 1 -> <> (x == 0)) } ltl w1 { []<> (x != 1) }
            ltl w2 { [] (y == 1 -> <> (x == 1)) }
            ltl w3 { [] (y == 1 -> (<>[] (x == 0) || <>[] (y == 0))) }";
        let subject = subject(&format!("{}\n{waiting}\n", program.text));
        for fairness in Fairness::ALL {
            let decide = |property: Option<&str>| {
                let search = SearchOptions { plain: true, ..SearchOptions::default() };
                let property = property.map(str::to_owned);
                let question = Question {
                    property,
                    fairness,
                    exhaustive: true,
                    search,
                    ..Question::default()
                };
                check(Arc::clone(&subject), &question, &Control::unlimited())
                    .expect("it is decided")
            };
            let together = decide(None);
            n_together += usize::from(together.notes.iter().any(|n| n.contains("in one search")));
            for name in ["w0", "w1", "w2", "w3"] {
                let answer = together.answers.iter().find(|a| a.property.name() == name);
                let truth = answer.expect("it is asked for").verdict.truth();
                assert_eq!(truth, decide(Some(name)).total, "{seed} {name} {fairness}");
                n_failing += usize::from(truth == Truth::Fails);
            }
        }
    }
    eprintln!("{n_together} times together, {n_failing} violations");
    assert!(n_together > 50 && n_failing > 50, "{n_together} {n_failing}");
}
