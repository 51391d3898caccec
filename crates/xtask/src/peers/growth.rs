//! How far each engine comes as the gas station and the users of MER grow.

use super::case::PeerRow;
use super::child::Children;
use super::engine::{Measured, PeerEngine};
use crate::args::TaskFailure;
use crate::plot::{Axis, Curve, Panel, Scale, picture};
use resy_compose::agar::AgarEdges;
use resy_compose::alphabet::{AlphabetChoice, AlphabetStart};
use std::path::Path;

/// The families.
const FAMILIES: [&str; 2] = ["gas station", "MER"];

/// The sizes that are tried.
const SIZES: [usize; 7] = [2, 4, 6, 10, 16, 30, 50];

const ENGINES: [PeerEngine; 8] = [
    PeerEngine::Tree(AlphabetChoice::Backward, AlphabetStart::Empty),
    PeerEngine::Agar(AgarEdges::Plain, AlphabetChoice::Backward),
    PeerEngine::Weakest,
    PeerEngine::Levels(AlphabetChoice::Backward),
    PeerEngine::Ours,
    PeerEngine::Network,
    PeerEngine::Requirement,
    PeerEngine::Product,
];

/// A family, an engine, and what it took at each size until it failed.
pub(super) struct Growth {
    pub family: &'static str,
    pub engine: PeerEngine,
    pub sizes: Vec<(usize, Measured)>,
}

/// Measures both families. An engine that has reached the limit is not asked again.
pub(super) fn measure_growth(
    folder: &Path,
    children: &mut Children,
) -> Result<Vec<Growth>, TaskFailure> {
    let mut all = Vec::new();
    for family in FAMILIES {
        let mut engines: Vec<Growth> =
            ENGINES.iter().map(|&engine| Growth { family, engine, sizes: Vec::new() }).collect();
        for size in SIZES {
            let goes_on = |growth: &Growth| growth.sizes.iter().all(|(_, m)| m.holds());
            if !engines.iter().any(goes_on) {
                break;
            }
            let row = row(folder, family, size);
            for growth in engines.iter_mut().filter(|growth| goes_on(growth)) {
                let measured = children.run(&row, growth.engine)?;
                println!("{family} {size} {}: {:?}", growth.engine.name(), measured.elapsed);
                growth.sizes.push((size, measured));
            }
        }
        all.extend(engines);
    }
    Ok(all)
}

/// Seconds by size, both logarithmic: a straight line is a polynomial.
pub(super) fn plot(growth: &[Growth]) -> String {
    let axis = |title: &str| Axis { title: title.to_owned(), scale: Scale::Log };
    let panel = |family: &str| {
        let curves = growth.iter().filter(|growth| growth.family == family).enumerate();
        let curve = |(style, growth): (usize, &Growth)| {
            let decided = growth.sizes.iter().filter(|(_, measured)| measured.holds());
            let seconds = |measured: &Measured| measured.elapsed.as_secs_f64().max(1e-6);
            let points = decided.map(|(size, measured)| (*size as f64, seconds(measured)));
            Curve { name: growth.engine.name(), style, points: points.collect() }
        };
        let (x, y, curves) = (axis("n"), axis("seconds"), curves.map(curve).collect());
        Panel { title: family.to_owned(), x, y, curves }
    };
    picture(&FAMILIES.map(panel))
}

fn row(folder: &Path, family: &str, size: usize) -> PeerRow {
    let (file, property, module) = match family {
        "MER" => {
            let users = (size / 2 + 1..=size).map(|user| format!("USER({user})"));
            let module: Vec<String> = users.chain(["ARBITER".to_owned()]).collect();
            // The product of half of the users would be the whole difficulty: the last one will do.
            let module = if size > 6 { module[module.len() - 2..].to_vec() } else { module };
            ("mer.lts", "EXCLUSIVE", module.join(" "))
        }
        _ => ("gas_station.lts", "CHANGE(1)", "PUMP(1) OPERATOR".to_owned()),
    };
    let (file, property) = (folder.join(file).display().to_string(), property.to_owned());
    PeerRow { file, size: size.to_string(), composite: "-".to_owned(), property, module }
}
