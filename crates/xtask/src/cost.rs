//! The cost of cutting a model into components, as the model grows.
//!
//! Families of models with `-DN=n`: the sizes of the components, against their product, which the
//! monolithic search counts as long as it can. The results are one table, one CSV file, and one picture
//! per family.

mod measure;
mod plot;

use crate::args::{TaskArgs, TaskFailure};
use crate::models;
use measure::{CostRow, CostTool};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const INTRODUCTION: &str = "\
# Components against their product

`resy lts` and `resy check --plain` on growing models (`bench/families`). *closure s* is the whole time
of `lts` in seconds, median of three runs; *largest* is the number of states of the largest
component. Where the last columns are empty, the product was too large for the time limit, or one
before it was.

";

/// The task `cost`; true if every network could be built.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let mut paths = args.positional().to_vec();
    if paths.is_empty() {
        paths.push("bench/families".to_owned());
    }
    let families = models::find(&paths)?;
    let limit: f64 = args.number("limit", 20.0)?;
    let limit = Duration::try_from_secs_f64(limit).map_err(|e| TaskFailure::new(e.to_string()))?;
    let max: u32 = args.number("count", 512)?;
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/cost"));
    std::fs::create_dir_all(&out)?;
    let tool = CostTool::new(&args.resy(), limit)?;
    let mut csv = format!("family,{}\n", CostRow::HEADING.join(","));
    let mut text = INTRODUCTION.to_owned();
    let mut complete = true;
    for file in &families {
        let family = name(file);
        let rows = grow(&tool, file, max)?;
        complete &= rows.iter().all(|row| row.network.is_some());
        for row in &rows {
            csv += &format!("{family},{}\n", row.cells().join(","));
        }
        let table = table(&family, &rows);
        print!("{table}");
        text += &table;
        std::fs::write(out.join(format!("cost-{family}.svg")), plot::picture(&family, &rows))?;
    }
    std::fs::write(out.join("cost.csv"), csv)?;
    std::fs::write(out.join("cost.md"), text)?;
    Ok(complete)
}

/// The rows of a family, for n = 2, 3, 4, 6, 8, 12, …; after the first product that is too large, no
/// further product is tried.
fn grow(tool: &CostTool, file: &Path, max: u32) -> Result<Vec<CostRow>, TaskFailure> {
    let mut rows: Vec<CostRow> = Vec::new();
    let powers = std::iter::successors(Some(2u32), |n| n.checked_mul(2));
    for n in powers.flat_map(|n| [n, n + n / 2]).take_while(|&n| n <= max) {
        let network = tool.network(file, n)?;
        let try_product = rows.last().is_none_or(|row| row.product.is_some());
        let product = if try_product { tool.product(file, n)? } else { None };
        rows.push(CostRow { n, network, product });
    }
    Ok(rows)
}

fn table(family: &str, rows: &[CostRow]) -> String {
    let mut text = format!("## {family}\n\n![{family}](cost-{family}.svg)\n\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {} |", CostRow::HEADING.join(" | "));
    let _ = writeln!(text, "|{}", "---:|".repeat(CostRow::HEADING.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.cells().join(" | "));
    }
    text.push('\n');
    text
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
