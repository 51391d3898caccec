//! The results of replacing processes in turn: a table, and a comparison of the orders.

use super::{ROUNDS, Replaced, ReplacementOrder, ReplacementStage};
use crate::tables::markdown::{NOTHING, number, text_table};

/// The verdicts that changed by replacement.
pub fn differences(all: &[Replaced]) -> Vec<String> {
    let wrong = |done: &&Replaced| {
        let said = done.stages.iter().map(|stage| &stage.verdict);
        said.into_iter().any(|verdict| *verdict != "unknown" && *verdict != done.subject.truth)
    };
    let describe = |done: &Replaced| {
        format!(
            "{}, replaced in the order {}: the verdict changes",
            done.subject.name,
            done.order.name()
        )
    };
    all.iter().filter(wrong).map(describe).collect()
}

const HEAD: &str = "\
# One process after another

The algorithm paper asks in which order processes should be replaced by their requirements, and whether it is worth to alternate. Here every component that moves, process or variable, is
replaced by its requirement with respect to all others as they are by then, in three orders: as given in the model, in reverse, and those with the fewest states first. *Round two* goes
through all of them again. *States* are those of the components, with the states of their product behind the equals sign; components with one state are left out. *Seconds* are those of
all requirements of both rounds, each a process of its own. The verdict of a search of the product is the same at all times, or this task fails.

";

/// The table, and the comparison.
pub fn in_turn(all: &[Replaced]) -> String {
    let headings = ["model", "order", "states", "round one", "round two", "seconds", "verdict"];
    let row = |done: &Replaced| {
        let mut cells = vec![done.subject.name.clone(), done.order.name().to_owned()];
        let stage = |number: usize| done.stages.get(number).map_or(NOTHING.to_owned(), stage_cell);
        cells.extend([0, 1, 2].map(stage));
        cells.push(number(done.seconds));
        let verdict = done.stages.last().map_or(NOTHING, |stage| &stage.verdict);
        cells.push(done.trouble.clone().unwrap_or_else(|| verdict.to_owned()));
        cells
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    format!("{HEAD}{}\n{}", text_table(&headings, &rows), findings(all))
}

/// Sizes in decreasing order, equal ones grouped: `9×3 7 = 425`.
fn stage_cell(stage: &ReplacementStage) -> String {
    let mut sizes = stage.sizes.clone();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let groups = sizes.chunk_by(|a, b| a == b).map(|group| match group.len() {
        1 => group[0].to_string(),
        n => format!("{}×{n}", group[0]),
    });
    let groups = groups.collect::<Vec<_>>().join(" ");
    let groups = if groups.is_empty() { "1".to_owned() } else { groups };
    format!("{groups} = {}", stage.product.map_or(NOTHING.to_owned(), |n| n.to_string()))
}

fn findings(all: &[Replaced]) -> String {
    let whole: Vec<&Replaced> = all.iter().filter(|done| done.stages.len() > ROUNDS).collect();
    let by_model: Vec<&[&Replaced]> =
        whole.chunk_by(|a, b| a.subject.name == b.subject.name).collect();
    let sum = |done: &Replaced, stage: usize| done.stages[stage].sizes.iter().sum::<u64>();
    let differ = by_model.iter().filter(|orders| {
        orders.iter().any(|done| done.stages[1].product != orders[0].stages[1].product)
    });
    let again = whole.iter().filter(|done| sum(done, 2) < sum(done, 1)).count();
    let mut text = format!(
        "- {} models, {} orders tried to the end, {} not.\n\
         - The order matters for the product after round one in {} models.\n\
         - Round two makes a component smaller in {again} of {} cases.\n",
        by_model.len(),
        whole.len(),
        all.len() - whole.len(),
        differ.count(),
        whole.len(),
    );
    for order in ReplacementOrder::ALL {
        let of_order = || whole.iter().filter(|done| done.order == order);
        let is_best = |done: &&&Replaced| {
            let rivals = whole.iter().filter(|rival| rival.subject.name == done.subject.name);
            let least = rivals.filter_map(|rival| rival.stages[1].product).min();
            done.stages[1].product == least
        };
        let best = of_order().filter(is_best).count();
        let seconds: f64 = of_order().map(|done| done.seconds).sum();
        let (name, n) = (order.name(), of_order().count());
        let seconds = number(seconds);
        text += &format!(
            "- *{name}*: the smallest product, or as small as any, in {best} of {n} models; {seconds} s in all.\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::ReplacedModel;
    use super::*;
    use std::path::PathBuf;

    fn subject(name: &str) -> ReplacedModel {
        ReplacedModel {
            name: name.to_owned(),
            path: PathBuf::new(),
            defines: Vec::new(),
            property: String::new(),
            truth: "holds".to_owned(),
        }
    }

    fn replaced(name: &str, order: ReplacementOrder, products: [u64; 3]) -> Replaced {
        let stage = |product: u64| ReplacementStage {
            sizes: vec![9, 7, product, 9],
            product: Some(product),
            verdict: "holds".to_owned(),
        };
        let stages = products.map(stage).to_vec();
        Replaced { subject: subject(name), order, stages, seconds: 0.5, trouble: None }
    }

    #[test]
    fn what_is_found_is_computed() {
        let all = [
            replaced("ring", ReplacementOrder::Given, [400, 40, 40]),
            replaced("ring", ReplacementOrder::Smallest, [400, 30, 20]),
            replaced("lock", ReplacementOrder::Given, [60, 6, 6]),
            replaced("lock", ReplacementOrder::Smallest, [60, 6, 6]),
        ];
        let text = in_turn(&all);
        assert!(text.contains("| ring | given | 400 9×2 7 = 400 | 40 9×2 7 = 40 |"), "{text}");
        assert!(text.contains("matters for the product after round one in 1 models"), "{text}");
        assert!(text.contains("smaller in 1 of 4 cases"), "{text}");
        assert!(
            text.contains("*given*: the smallest product, or as small as any, in 1 of 2"),
            "{text}"
        );
        assert!(
            text.contains("*smallest first*: the smallest product, or as small as any, in 2 of 2")
        );
        assert!(differences(&all).is_empty());
    }

    #[test]
    fn a_changed_verdict_is_a_difference_and_trouble_is_shown() {
        let mut bad = replaced("ring", ReplacementOrder::Given, [400, 40, 40]);
        bad.stages[2].verdict = "fails".to_owned();
        assert_eq!(differences(&[bad.clone()]).len(), 1);
        bad.stages.truncate(1);
        bad.trouble = Some("no requirement of P".to_owned());
        let text = in_turn(&[bad]);
        assert!(text.contains("| – | – | 0.50 | no requirement of P |"), "{text}");
        assert!(text.contains("0 orders tried to the end, 1 not"), "{text}");
    }
}
