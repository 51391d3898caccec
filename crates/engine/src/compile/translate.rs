//! Translating a system to machine code.

use super::advance::{straight, unseen};
use super::chunks::{MOST_EDGES, chunks};
use super::emit::{Emit, Helpers};
use super::facts::Facts;
use super::native::{self, AdvanceFn, CompiledFn, Functions, StepFn, ValuationFn};
use super::proctype::starts_with_receive;
use crate::vector::{Layout, Shapes};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, FuncRef, InstBuilder, Signature, Type, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use resy_index::IndexVec;
use resy_system::{Command, Expr, Interpreter, ProctypeId};
use std::ops::Range;

/// Why there is no code: the compiler does not support the machine, or memory is short.
pub type Failure = Box<dyn std::error::Error>;

/// Owns the memory of the code.
pub struct CompiledCode(Option<JITModule>);

impl Drop for CompiledCode {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            native::free(module);
        }
    }
}

/// A system as machine code.
pub struct Translated {
    pub functions: IndexVec<ProctypeId, Functions>,
    pub accepts: IndexVec<ProctypeId, Vec<bool>>,
    pub valuation: Option<ValuationFn>,
    pub uses_timeout: bool,
    pub code: CompiledCode,
}

/// Compiles all proctypes and the propositions, while `go_on` permits it.
pub fn translate(
    interpreter: &Interpreter<'_>,
    layout: &Layout,
    shapes: &Shapes,
    propositions: &[Expr],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Translated, Failure> {
    let system = interpreter.system();
    let mut facts = Facts::new(system, shapes);
    let mut straight: IndexVec<ProctypeId, _> =
        system.proctypes.ids().map(|proctype| straight(system, &facts, proctype)).collect();
    // An advance function is one piece of code, which takes ever longer to compile.
    let long = straight.iter_mut().filter(|s| s.iter().filter(|&&s| s).count() > MOST_EDGES);
    long.for_each(|straight| straight.iter_mut().for_each(|s| *s = false));
    straight
        .iter_enumerated()
        .for_each(|(p, straight)| facts.leave_out(p, &unseen(&system.proctypes[p], straight)));
    let mut work = Work::new(interpreter, layout, &facts)?;
    let mut made = Vec::new();
    for (proctype, straight) in straight.iter_enumerated() {
        let step = work.in_chunks(proctype, go_on, |emit, locations| {
            emit.step_function(proctype, locations);
        })?;
        let accept = work.in_chunks(proctype, go_on, |emit, locations| {
            emit.accept_function(proctype, locations);
        })?;
        let advance = straight.iter().any(|&s| s).then(|| {
            work.function::<AdvanceFn>(Some(proctype), |emit, _| {
                emit.advance_function(proctype, straight);
            })
        });
        made.push((step, accept, advance.transpose()?));
    }
    let valuation = match propositions {
        [] => None,
        _ if propositions.len() > 64 => None,
        _ => Some(work.function::<ValuationFn>(None, |emit, last| {
            emit.valuation_function(propositions, last);
        })?),
    };
    let mut module = work.module;
    module.finalize_definitions()?;
    let functions = made.iter().map(|&(step, accept, advance)| Functions {
        step: native::finished(&module, step),
        accept: native::finished(&module, accept),
        advance: advance.map(|id| native::finished(&module, id)),
    });
    Ok(Translated {
        functions: IndexVec::from_vec(functions.collect()),
        accepts: accepting(interpreter),
        valuation: valuation.map(|id| native::finished(&module, id)),
        uses_timeout: facts.uses_timeout,
        code: CompiledCode(Some(module)),
    })
}

/// The locations at which a process can accept an offer.
fn accepting(interpreter: &Interpreter<'_>) -> IndexVec<ProctypeId, Vec<bool>> {
    let accepts = |command: &Command| match command {
        Command::Receive { .. } => true,
        Command::DStep(d) => starts_with_receive(&d.guard),
        _ => false,
    };
    let of = |p: &resy_system::Proctype| {
        p.edges.iter().map(|edges| edges.iter().any(|e| accepts(&e.command))).collect()
    };
    IndexVec::from_vec(interpreter.system().proctypes.iter().map(of).collect())
}

struct Work<'a> {
    interpreter: &'a Interpreter<'a>,
    layout: &'a Layout,
    facts: &'a Facts,
    module: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    /// The Rust functions that compiled code calls: offer, create, exit, remove, insert.
    helpers: [FuncId; 5],
}

impl<'a> Work<'a> {
    fn new(
        interpreter: &'a Interpreter<'a>,
        layout: &'a Layout,
        facts: &'a Facts,
    ) -> Result<Self, Failure> {
        let mut flags = settings::builder();
        // Optimisation costs more instructions than it saves, even with a million states.
        flags.set("opt_level", "none")?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })?;
        let isa = cranelift_native::builder()?.finish(settings::Flags::new(flags))?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        let symbols: [(&str, *const u8); 5] = [
            ("offer", native::offer as *const u8),
            ("create", native::create as *const u8),
            ("exit_process", native::exit as *const u8),
            ("remove_message", native::remove as *const u8),
            ("insert_sorted", native::insert_sorted as *const u8),
        ];
        symbols.iter().for_each(|&(name, address)| {
            builder.symbol(name, address);
        });
        let mut module = JITModule::new(builder);
        let (p, i) = (types::I64, types::I32);
        let signatures: [(&[Type], &[Type]); 5] = [
            (&[p, p, i], &[i]),
            (&[p, i], &[i]),
            (&[p], &[]),
            (&[p, i, i, i], &[]),
            (&[p, i, i], &[]),
        ];
        let mut helpers = Vec::new();
        for ((name, _), (params, returns)) in symbols.iter().zip(signatures) {
            let signature = signature(&module, params, returns);
            helpers.push(module.declare_function(name, Linkage::Import, &signature)?);
        }
        let context = module.make_context();
        let helpers = [helpers[0], helpers[1], helpers[2], helpers[3], helpers[4]];
        let builder = FunctionBuilderContext::new();
        Ok(Self { interpreter, layout, facts, module, context, builder, helpers })
    }

    /// Compiles the steps or answers of a proctype: one function for each [chunk](super::chunks) of its
    /// locations, and, if there are several, one that calls them.
    fn in_chunks(
        &mut self,
        proctype: ProctypeId,
        go_on: &mut dyn FnMut() -> bool,
        mut body: impl FnMut(&mut Emit<'_, '_>, &Range<usize>),
    ) -> Result<FuncId, Failure> {
        let chunks = chunks(&self.interpreter.system().proctypes[proctype]);
        let mut made = Vec::new();
        for chunk in &chunks {
            if !go_on() {
                return Err("a limit was reached".into());
            }
            made.push(self.function::<StepFn>(Some(proctype), |emit, _| body(emit, chunk))?);
        }
        match made[..] {
            [only] => Ok(only),
            _ => self.calling::<StepFn>(&made, Some(proctype), |emit, callees| {
                emit.dispatch_function(&chunks, callees);
            }),
        }
    }

    /// Compiles one function: the steps or answers of a proctype, or the propositions, whose last argument
    /// is the address of the result.
    fn function<F: CompiledFn>(
        &mut self,
        proctype: Option<ProctypeId>,
        body: impl FnOnce(&mut Emit<'_, '_>, Value),
    ) -> Result<FuncId, Failure> {
        self.calling::<F>(&[], proctype, |emit, _| {
            let last = emit.record_at;
            body(emit, last);
        })
    }

    /// Compiles a function that calls others.
    fn calling<F: CompiledFn>(
        &mut self,
        callees: &[FuncId],
        proctype: Option<ProctypeId>,
        body: impl FnOnce(&mut Emit<'_, '_>, &[FuncRef]),
    ) -> Result<FuncId, Failure> {
        self.context.func.signature = signature(&self.module, F::PARAMS, &[types::I32]);
        let id = self.module.declare_anonymous_function(&self.context.func.signature)?;
        let helpers =
            self.helpers.map(|h| self.module.declare_func_in_func(h, &mut self.context.func));
        let [offer, create, exit, remove, insert_sorted] = helpers;
        let callees: Vec<FuncRef> = callees
            .iter()
            .map(|&id| self.module.declare_func_in_func(id, &mut self.context.func))
            .collect();
        let mut b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let args = b.block_params(entry).to_vec();
        let zero = b.ins().iconst(types::I32, 0);
        let bail = b.create_block();
        b.set_cold_block(bail);
        let mut emit = Emit {
            b: &mut b,
            system: self.interpreter.system(),
            options: self.interpreter.options(),
            layout: self.layout,
            facts: self.facts,
            helpers: Helpers { offer, create, exit, remove, insert_sorted },
            proctype,
            context: args[0],
            state: args[1],
            record_at: args[2],
            pid: args.get(3).copied().unwrap_or(zero),
            timeout: args.get(4).copied().unwrap_or(zero),
            first_edge: 0,
            bail,
            vector: args[1],
        };
        body(&mut emit, &callees);
        b.seal_all_blocks();
        b.finalize(self.module.target_config());
        self.module.define_function(id, &mut self.context)?;
        self.module.clear_context(&mut self.context);
        Ok(id)
    }
}

fn signature(module: &JITModule, params: &[Type], returns: &[Type]) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend(params.iter().map(|&t| AbiParam::new(t)));
    signature.returns.extend(returns.iter().map(|&t| AbiParam::new(t)));
    signature
}
