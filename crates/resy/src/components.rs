//! The component automata of a subject.

use crate::composed;
use crate::control::{Control, Message, Stop};
use crate::model::Model;
use crate::subject::Subject;
use resy_automata::network::{Network, Reduction};
use resy_network::Manner;

/// Up to what components are reduced.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Strong bisimulation.
    Strong,
    /// Branching bisimulation: internal steps that change nothing are left out.
    Branching,
}

/// The components of a model, and where they are not exact; a message if they are out of reach.
/// With `strict`, the product is the state graph of the program exactly.
pub fn components(
    model: Model,
    strict: bool,
    budget: usize,
    control: &Control,
) -> Result<(Network, Vec<String>), String> {
    match model.subject() {
        Subject::Network(file) => return Ok((file.network.clone(), Vec::new())),
        Subject::Fsp(fsp) => {
            let network = composed::network(fsp, &model.selection.properties)?;
            return Ok((network, Vec::new()));
        }
        Subject::Program(_) => {}
    }
    let model = if strict { model.strict() } else { model };
    let manner = Manner { strict, ..Manner::default() };
    let cut = model.cut(&model.selection.properties, manner, budget, control);
    control.tell(&Message::Done);
    let (_, components) = cut?;
    let doubts = model.doubts(&components);
    Ok((components.network, doubts))
}

/// The network whose components are reduced, unless a limit comes first.
pub fn reduced(
    network: &Network,
    equivalence: Equivalence,
    control: &Control,
) -> Result<Network, Stop> {
    let reduction = match equivalence {
        Equivalence::Strong => Reduction::Strong,
        Equivalence::Branching => Reduction::Branching,
    };
    let reduced = network.reduced_while(reduction, &mut || control.may_go_on());
    reduced.ok_or_else(|| control.exceeded().unwrap_or(Stop::Cancelled))
}
