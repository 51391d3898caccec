//! What an action stands for, turn by turn.

use resy_network::{
    Budget, Manner, Meaning, NetworkSpec, Reply, Request, WatchedProperty, components,
};
use resy_system::{Interpreter, Options};
use resy_testkit::systems::system;

/// The names of the actions of a program, with what they mean.
fn meanings(text: &str) -> Vec<(String, Meaning)> {
    let system = system(text);
    let interpreter = Interpreter::new(&system, Options::default());
    let asked = NetworkSpec {
        manner: Manner::default(),
        monitors: Vec::new(),
        properties: vec![WatchedProperty::Assertions],
        budget: Budget::default(),
    };
    let (_, components) = components(&interpreter, &asked, &mut |_| true).expect("a network");
    let names = components.network.actions.iter().map(|action| action.name.clone());
    names.zip(components.meanings.iter().cloned()).collect()
}

#[test]
fn sender_and_receiver_have_their_own_exchanges() {
    let meanings = meanings(
        "chan rv = [0] of { byte }; byte x, y;
         active proctype S() { atomic { x = 1; rv!3 } }
         active proctype R() { byte v; atomic { rv?v; y = x; x = 2 } }
         active proctype E() { y = x }",
    );
    let (_, meaning) = meanings
        .iter()
        .find(|(name, m)| m.turns.len() == 2 && name.contains("rv!3") && name.contains("x:=1"))
        .expect("a rendezvous");
    let [sender, receiver] = &meaning.turns[..] else { panic!("two turns") };
    assert_eq!(sender.offer.as_ref().map(|offer| offer.message.clone()), Some(vec![3]));
    let told = |turn: &resy_network::StepTurn| {
        turn.exchanges.iter().map(|e| (e.request.clone(), e.reply.clone())).collect::<Vec<_>>()
    };
    assert!(matches!(told(sender)[..], [(Request::Store(_, 1), Reply::Done)]), "{sender:?}");
    // The receiver asks for x although the sender has written it: the answer is a new one.
    let asked = told(receiver);
    assert!(asked.contains(&(Request::Load(resy_system::Cell::Global(1)), Reply::Number(1))));
    assert!(asked.iter().any(|(request, _)| matches!(request, Request::Store(_, 2))));
    assert!(receiver.offer.is_none() && !meaning.fails);
    assert_eq!(meaning.sources.len(), 5, "{:?}", meaning.sources);
}

#[test]
fn a_failed_assertion_is_the_fault_of_a_turn() {
    let meanings =
        meanings("byte x; active proctype P() { assert(x == 0) } active proctype Q() { x = 1 }");
    let faulty = meanings.iter().filter(|(_, m)| !m.turns[0].faults.is_empty());
    assert_eq!(faulty.count(), 1);
}
