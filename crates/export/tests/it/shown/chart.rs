//! Expands the loops of charts.

use resy_export::run::{Chart, ChartMark, ChartRow};

/// The rows with all iterations of all loops.
pub fn unfolded(chart: &Chart) -> Vec<ChartRow> {
    let in_loop = |row: usize| chart.loops.iter().find(|rows| rows.contains(&row)).cloned();
    // The row and the iteration.
    let mut order = Vec::new();
    let mut at = 0;
    while at < chart.rows.len() {
        let rows = in_loop(at).unwrap_or(at..at + 1);
        let n_rounds = chart.rows[at].steps.len().max(1);
        order.extend((0..n_rounds).flat_map(|round| rows.clone().map(move |row| (row, round))));
        at = rows.end;
    }
    let whereabouts = |place| order.iter().position(|p| *p == place).expect("a row");
    let unfold = |(number, &(row, round)): (usize, &(usize, usize))| {
        let ChartRow { steps, mark, label, each, statement } = &chart.rows[row];
        let mark = match *mark {
            ChartMark::Receive { from, to, sent, round } => {
                // At the same distance as in the first iteration.
                let distance = whereabouts((row, 0)) - whereabouts((sent, round));
                ChartMark::Receive { from, to, sent: number - distance, round: 0 }
            }
            other => other,
        };
        ChartRow {
            steps: steps.get(round).copied().into_iter().collect(),
            mark,
            label: each.get(round).unwrap_or(label).clone(),
            each: Vec::new(),
            statement: *statement,
        }
    };
    order.iter().enumerate().map(unfold).collect()
}
