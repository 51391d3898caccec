//! Reads a never claim: locations are numbered in the order of discovery, conditions become
//! formulas over propositions.

use super::never::{Location, Move, VIOLATED};
use super::refusal::RefusalReason;
use super::test::{Code, Start, Test, mentions};
use crate::{Command, DStep, DStepGuard, Expr, Formula, Instruction, LocationId, Proctype};
use resy_index::IndexVec;

/// Reads a claim, location by location.
pub(super) struct Reader<'a> {
    claim: &'a Proctype,
    /// The discovered locations; their position is their number.
    pub locations: Vec<LocationId>,
    numbers: IndexVec<LocationId, Option<usize>>,
    pub propositions: Vec<Expr>,
}

impl<'a> Reader<'a> {
    pub fn new(claim: &'a Proctype) -> Self {
        Self {
            claim,
            locations: Vec::new(),
            numbers: claim.edges.iter().map(|_| None).collect(),
            propositions: Vec::new(),
        }
    }

    /// The location as a set; the end of the claim is a violation.
    pub fn enter(&mut self, at: LocationId) -> Result<u64, RefusalReason> {
        if self.claim.end_locations[at] {
            return Ok(VIOLATED);
        }
        let number = match self.numbers[at] {
            Some(number) => number,
            None if self.locations.len() == 63 => return Err(RefusalReason::Locations),
            None => {
                self.locations.push(at);
                *self.numbers[at].insert(self.locations.len() - 1)
            }
        };
        Ok(1 << number)
    }

    pub fn location(&mut self, at: LocationId) -> Result<Location, RefusalReason> {
        let claim = self.claim;
        let mut location = Location::default();
        for edge in &claim.edges[at] {
            let test = self.test(&edge.command, &edge.text, &mut location.looks_at)?;
            let target = edge.target.map_or(Ok(VIOLATED), |target| self.enter(target))?;
            location.successors |= target;
            location.moves.push(Move { test, target, atomic: edge.atomic, escape: edge.escape });
        }
        Ok(location)
    }

    fn test(
        &mut self,
        command: &Command,
        text: &str,
        looks_at: &mut u64,
    ) -> Result<Test, RefusalReason> {
        Ok(match command {
            Command::Skip | Command::Print(_) => Test::Holds(Formula::Bool(true)),
            Command::Else => Test::Else,
            Command::Guard(e) => Test::Holds(self.condition(e, looks_at)),
            Command::Assert(e, _) => Test::Assert(self.condition(e, looks_at)),
            Command::DStep(d_step) => self.d_step(d_step, text, looks_at)?,
            _ => return Err(RefusalReason::Statement(text.into())),
        })
    }

    fn d_step(
        &mut self,
        d_step: &DStep,
        text: &str,
        looks_at: &mut u64,
    ) -> Result<Test, RefusalReason> {
        let guard = match &d_step.guard {
            DStepGuard::Always => Start::Always,
            DStepGuard::Else => Start::Else,
            DStepGuard::AnyOf(commands) => {
                let tests = commands.iter().map(|c| self.test(c, text, looks_at));
                Start::AnyOf(tests.collect::<Result<_, _>>()?)
            }
        };
        let mut code = Vec::new();
        for instruction in &d_step.code {
            code.push(match instruction {
                Instruction::Run { command, next, .. } => {
                    Code::Run(self.test(command, text, looks_at)?, *next)
                }
                Instruction::Choose(options, _) => {
                    let mut choices = Vec::new();
                    for option in options {
                        let guard = option.guard.as_ref();
                        let guard = guard.map(|c| self.test(c, text, looks_at)).transpose()?;
                        choices.push((guard, option.next));
                    }
                    Code::Choose(choices)
                }
                Instruction::Jump(next) => Code::Jump(*next),
                Instruction::End => Code::End,
            });
        }
        Ok(Test::DStep { guard, code })
    }

    fn condition(&mut self, expr: &Expr, looks_at: &mut u64) -> Formula {
        let formula = Formula::of_expr(expr, &mut self.propositions);
        *looks_at |= mentions(&formula);
        formula
    }
}
