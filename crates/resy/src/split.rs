//! Which components are the module, from the names that the user gives.

use resy_automata::lts::ActionId;
use resy_automata::network::{ComponentId, Network};
use resy_fsp::Composition;
use resy_index::{Id as _, IndexVec};
use resy_network::{Components, Cut};

/// The components of the module that these names stand for: a proctype stands for all its
/// processes, `NAME[pid]` for one of them, and any component for itself. Objects that only they
/// use belong to them.
pub fn of_model(
    cut: &Cut<'_>,
    components: &Components,
    names: &[String],
) -> Result<Vec<ComponentId>, String> {
    let stands_for = |name: &str, id: ComponentId| {
        let process = cut.parts[components.parts[id]].process;
        let proctype = process.map(|pid| cut.proctype_name(pid));
        let instance = process.map(|pid| format!("{}[{pid}]", cut.proctype_name(pid)));
        [proctype, instance.as_deref(), Some(&components.network.components[id].name)]
            .contains(&Some(name))
    };
    let module = named(&components.network, names, stands_for)?;
    Ok(with_private(cut, components, module))
}

/// The process that shares the fewest actions with others, and the objects that it alone uses.
pub fn smallest_interface(cut: &Cut<'_>, components: &Components) -> Vec<ComponentId> {
    let network = &components.network;
    let is_process = |id: &ComponentId| cut.parts[components.parts[*id]].process.is_some();
    let interface = |id: &ComponentId| network.components[*id].lts.alphabet().len();
    let smallest = network.components.ids().filter(is_process).min_by_key(interface);
    with_private(cut, components, smallest.into_iter().collect())
}

/// The components of the module that these names stand for.
pub fn of_network(network: &Network, names: &[String]) -> Result<Vec<ComponentId>, String> {
    named(network, names, |name, id| network.components[id].name == name)
}

/// The components of the module that these names stand for in a composition: a part, a composite
/// inside it with all its parts, or a process with all its copies.
pub fn of_composition(
    composition: &Composition,
    network: &Network,
    names: &[String],
) -> Result<Vec<ComponentId>, String> {
    let is_member = |name: &str, id: ComponentId| {
        composition.groups.iter().any(|group| group.name == name && group.members.contains(&id))
    };
    let is_copy = |name: &str, id: ComponentId| {
        let whole = &network.components[id].name;
        let plain = whole.rsplit(':').next().unwrap_or(whole);
        plain == name || plain.split(['(', '#']).next() == Some(name)
    };
    let is_process = |id: ComponentId| id.index() < composition.components.len();
    named(network, names, |name, id| {
        let exact = network.components.iter().any(|component| component.name == name);
        let is_named = match exact {
            true => network.components[id].name == name,
            false => is_member(name, id) || is_copy(name, id),
        };
        is_named && is_process(id)
    })
}

/// The process that shares the fewest actions with others.
pub fn smallest_process(composition: &Composition) -> Option<ComponentId> {
    let interface = |id: &ComponentId| composition.components[*id].lts.alphabet().len();
    composition.components.ids().min_by_key(interface)
}

fn named(
    network: &Network,
    names: &[String],
    stands_for: impl Fn(&str, ComponentId) -> bool,
) -> Result<Vec<ComponentId>, String> {
    let mut module = Vec::new();
    for name in names {
        let n_before = module.len();
        module.extend(network.components.ids().filter(|&id| stands_for(name, id)));
        if module.len() == n_before {
            let known: Vec<&str> = network.components.iter().map(|c| c.name.as_str()).collect();
            return Err(unknown("module", name, &known));
        }
    }
    module.sort_unstable();
    module.dedup();
    Ok(module)
}

/// The message that a name is not known, with the names that are, and perhaps the one that was meant.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    // `Client` stands for `Client[0]` and `Client[1]`.
    let all = known.iter().copied();
    let proctypes = known.iter().filter_map(|name| Some(name.split_once('[')?.0));
    let meant = resy_promela::similar(name, all.chain(proctypes));
    let meant = meant.map_or(String::new(), |meant| format!("did you mean `{meant}`? "));
    let known = known.join(", ");
    format!("there is no {what} `{name}`\n  = help: {meant}there are {known}")
}

/// The module with the variables and channels that no other process uses.
fn with_private(
    cut: &Cut<'_>,
    components: &Components,
    mut module: Vec<ComponentId>,
) -> Vec<ComponentId> {
    let network = &components.network;
    let mut users: IndexVec<ActionId, Vec<ComponentId>> =
        network.actions.iter().map(|_| Vec::new()).collect();
    for (id, component) in network.components.iter_enumerated() {
        component.lts.alphabet().iter().for_each(|action| users[action].push(id));
    }
    let is_process = |id: &ComponentId| cut.parts[components.parts[*id]].process.is_some();
    // Objects stay candidates until another process is found to use them.
    let mut private: Vec<ComponentId> =
        network.components.ids().filter(|id| !is_process(id) && !module.contains(id)).collect();
    loop {
        let n_before = private.len();
        let inside = |id: &ComponentId| module.contains(id) || private.contains(id);
        let shared = |action: ActionId| !users[action].iter().all(inside);
        let theirs: Vec<ComponentId> = private
            .iter()
            .copied()
            .filter(|&id| !network.components[id].lts.alphabet().iter().any(shared))
            .collect();
        private = theirs;
        if private.len() == n_before {
            break;
        }
    }
    module.append(&mut private);
    module.sort_unstable();
    module
}
