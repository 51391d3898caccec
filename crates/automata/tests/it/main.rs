//! Tests of the automata against definitions written for comparison.

mod ltl;
