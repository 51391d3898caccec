//! Escaping channels: which global channels other variables may hold.

use crate::access::each_command;
use crate::channels::{Channels, elements};
use resy_system::{
    CellInit, CellRef, CellType, ChannelType, Command, Expr, Frame, Pattern, ProctypeId, Scope,
    System,
};
use std::collections::HashSet;

/// For every number of a global channel, whether a variable that is assigned or received may hold it: if
/// the channel is loaded other than to be used, or if numbers are used as channels.
pub(crate) fn escapes(system: &System, channels: &Channels) -> Vec<bool> {
    let forged = is_forged(system, channels);
    let mut escapes = vec![forged; channels.n_global + 1];
    let made = system.globals.init.iter().filter_map(|init| match init {
        CellInit::Channel(cell, _) => Some(*cell as usize),
        CellInit::Value(..) => None,
    });
    for (i, cell) in made.enumerate() {
        // Its own variable may be overwritten: its value is unknown.
        escapes[i + 1] |= channels.number(cell).is_none();
    }
    let mut load = |place: &CellRef| {
        let cells = elements(place).into_iter().filter(|_| place.scope == Scope::Global);
        cells.filter_map(|c| channels.number(c)).for_each(|n| escapes[n] = true);
    };
    for proctype in &system.proctypes {
        for edge in proctype.edges.iter().flatten() {
            let used = operands(&edge.command);
            edge.command.walk(&mut |e| match e {
                Expr::Load(place) if !used.contains(&std::ptr::from_ref(e)) => load(place),
                _ => {}
            });
        }
    }
    for init in frames(system).flat_map(|frame| &frame.init) {
        if let CellInit::Value(_, expr) = init {
            expr.walk(&mut |e| {
                if let Expr::Load(place) = e {
                    load(place);
                }
            });
        }
    }
    escapes
}

fn frames(system: &System) -> impl Iterator<Item = &Frame> {
    system.proctypes.iter().map(|p| &p.frame).chain([&system.globals])
}

/// The expressions that are used as channels.
fn operands(command: &Command) -> HashSet<*const Expr> {
    let mut used: HashSet<*const Expr> = HashSet::new();
    each_command(command, &mut |command| {
        if let Command::Send { chan, .. } | Command::Receive { chan, .. } = command {
            used.insert(chan);
        }
    });
    command.walk(&mut |e| {
        if let Expr::Len(chan) | Expr::Probe(_, chan) | Expr::Poll { chan, .. } = e {
            used.insert(&**chan);
        }
    });
    used
}

/// Whether a channel variable may get its value from something other than a channel variable.
fn is_forged(system: &System, channels: &Channels) -> bool {
    let mut forged = false;
    for (id, proctype) in system.proctypes.iter_enumerated() {
        for edge in proctype.edges.iter().flatten() {
            each_command(&edge.command, &mut |c| forged |= forges(system, channels, id, c));
            edge.command.walk(&mut |e| {
                if let Expr::Run { proctype, args, .. } = e {
                    let cells = &system.proctypes[*proctype].frame.cells;
                    forged |= args.iter().zip(cells).any(|(arg, &cell)| makes(arg, cell));
                }
            });
        }
    }
    for frame in frames(system) {
        forged |= frame.init.iter().any(|init| match init {
            CellInit::Value(cell, expr) => makes(expr, frame.cells[*cell as usize]),
            CellInit::Channel(..) => false,
        });
    }
    forged
}

fn forges(system: &System, channels: &Channels, id: ProctypeId, command: &Command) -> bool {
    let field = |ty: &ChannelType, i: usize| ty.fields.get(i).copied();
    match command {
        Command::Assign(place, value) => makes(value, place.cell),
        Command::Send { chan, args, .. } => {
            let kinds = channels.kinds(system, id, chan);
            let into = |i| kinds.iter().filter_map(move |ty| field(ty, i));
            args.iter().enumerate().any(|(i, arg)| into(i).any(|cell| makes(arg, cell)))
        }
        Command::Receive { chan, patterns, .. } => {
            let kinds = channels.kinds(system, id, chan);
            let from = |i| kinds.iter().filter_map(move |ty| field(ty, i));
            patterns.iter().enumerate().any(|(i, pattern)| match pattern {
                Pattern::Bind(place) if place.cell == CellType::Chan => {
                    place.scope != Scope::Nowhere && from(i).any(|cell| cell != CellType::Chan)
                }
                _ => false,
            })
        }
        _ => false,
    }
}

/// Whether storing this value into a cell makes a channel of a plain number.
fn makes(value: &Expr, cell: CellType) -> bool {
    let is_channel = match value {
        Expr::Load(place) | Expr::RemoteLoad { place, .. } => place.cell == CellType::Chan,
        Expr::Const(0) => true,
        _ => false,
    };
    cell == CellType::Chan && !is_channel
}
