//! The requirements of all processes of a model, one after the other. The model is cut once.

use super::{AssumeOptions, Assumed, NoRequirement, of_problem};
use crate::control::Control;
use crate::model::Model;
use crate::problem::Problem;
use crate::subject::Subject;
use resy_automata::network::ComponentId;
use resy_index::Id;

/// Synthesises a requirement of every process of a program or FSP, or of every component of a network file, and tells
/// `each` the name of the module and the result. The modules that a limit has left without an attempt are returned.
pub fn assume_each<'a>(
    model: &'a Model,
    options: &AssumeOptions,
    control: &Control,
    mut each: impl FnMut(&str, Result<&Assumed<'a>, NoRequirement>),
) -> Result<Vec<String>, NoRequirement> {
    let cut = || {
        let properties = &model.selection.properties;
        Problem::without_module(model, properties, options.budget, control)
    };
    let mut problem = Some(cut()?);
    let modules = problem.as_ref().map(modules).unwrap_or_default();
    for (i, module) in modules.iter().enumerate() {
        // Beyond the limit every attempt would still prepare its own.
        if i > 0 && !control.may_go_on() {
            return Ok(modules[i..].to_vec());
        }
        let mut chosen = match problem.take() {
            Some(problem) => problem,
            // A failed attempt has kept it.
            None => cut()?,
        };
        let names = std::slice::from_ref(module);
        if let Err(why) = chosen.choose(names, control) {
            each(module, Err(why.into()));
            problem = Some(chosen);
            continue;
        }
        match of_problem(chosen, options, control) {
            Ok(assumed) => {
                each(module, Ok(&assumed));
                problem = Some(assumed.problem);
            }
            Err(why) => each(module, Err(why)),
        }
    }
    Ok(Vec::new())
}

/// The modules of a problem for which one by one a requirement can be asked for.
fn modules(problem: &Problem<'_>) -> Vec<String> {
    let is_process = |id: ComponentId| match (&problem.source, problem.model.subject()) {
        (Some(source), _) => source.cut.parts[source.components.parts[id]].process.is_some(),
        // Behind the processes stand the properties.
        (None, Subject::Fsp(fsp)) => id.index() < fsp.composition.components.len(),
        (None, _) => true,
    };
    let components = problem.network.components.iter_enumerated();
    let modules = components.filter(|(id, _)| is_process(*id));
    modules.map(|(_, component)| component.name.clone()).collect()
}
