//! Measures one size of a family: its components, and their product.

use resy_testkit::process::{self, Ending};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The measurements for one size.
pub struct CostRow {
    /// The size.
    pub n: u32,
    /// The components, if they were built within the time limit.
    pub network: Option<NetworkCost>,
    /// Their product, if it was searched within the time limit.
    pub product: Option<ProductCost>,
}

/// The total size of a model's components.
pub struct NetworkCost {
    /// The number of components.
    pub components: u64,
    /// The number of their states.
    pub states: u64,
    /// The number of their transitions.
    pub transitions: u64,
    /// The number of labels.
    pub labels: u64,
    /// The number of states of the largest component.
    pub largest: u64,
    /// The running time.
    pub seconds: f64,
}

/// The size of a model's state space.
pub struct ProductCost {
    /// The number of states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The running time of the search.
    pub seconds: f64,
}

impl CostRow {
    /// The names of the columns.
    pub const HEADING: [&str; 10] = [
        "n",
        "components",
        "largest",
        "sum of states",
        "sum of transitions",
        "labels",
        "closure s",
        "product states",
        "product transitions",
        "search s",
    ];

    /// The cells of the row; empty where a number is unknown.
    pub fn cells(&self) -> Vec<String> {
        let network = self.network.as_ref().map(|n| {
            let counts = [n.components, n.largest, n.states, n.transitions, n.labels];
            counts.map(|c| c.to_string()).into_iter().chain([format!("{:.4}", n.seconds)]).collect()
        });
        let product = self.product.as_ref().map(|p| {
            vec![p.states.to_string(), p.transitions.to_string(), format!("{:.3}", p.seconds)]
        });
        let mut cells = vec![self.n.to_string()];
        cells.extend(network.unwrap_or_else(|| vec![String::new(); 6]));
        cells.extend(product.unwrap_or_else(|| vec![String::new(); 3]));
        cells
    }
}

/// The command that is measured.
pub struct CostTool {
    binary: PathBuf,
    limit: Duration,
}

impl CostTool {
    /// Fails if the binary does not exist.
    pub fn new(binary: &Path, limit: Duration) -> io::Result<Self> {
        let binary = binary.canonicalize().map_err(|e| {
            io::Error::new(e.kind(), format!("resy binary {}: {e}", binary.display()))
        })?;
        Ok(Self { binary, limit })
    }

    /// The components of one size; the time is the median of three runs.
    pub fn network(&self, file: &Path, n: u32) -> io::Result<Option<NetworkCost>> {
        let mut found = Vec::new();
        for _ in 0..3 {
            let network = self.ask(&["lts", "--json"], file, n)?.and_then(|j| read_network(&j));
            let Some(network) = network else { return Ok(None) };
            found.push(network);
        }
        found.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Ok(Some(found.swap_remove(1)))
    }

    /// The product of one size.
    pub fn product(&self, file: &Path, n: u32) -> io::Result<Option<ProductCost>> {
        let options = ["check", "--plain", "--exhaustive", "--threads", "1", "--json"];
        Ok(self.ask(&options, file, n)?.and_then(|json| read_product(&json)))
    }

    /// The JSON answer, if there is one within the time limit.
    fn ask(&self, options: &[&str], file: &Path, n: u32) -> io::Result<Option<Value>> {
        let folder = Scratch::new("cost")?;
        let mut command = Command::new(&self.binary);
        command.args(options).arg(format!("-DN={n}")).arg(file);
        let output = process::run(&mut command, folder.path(), self.limit)?;
        match output.ending {
            Ending::Exit(0 | 1) => Ok(serde_json::from_str(&output.stdout).ok()),
            Ending::Exit(2) => Err(io::Error::other(output.stderr)),
            _ => Ok(None),
        }
    }
}

fn read_network(json: &Value) -> Option<NetworkCost> {
    let components = json["components"].as_array()?;
    let counts = |key: &str| -> Option<Vec<u64>> {
        components.iter().map(|component| component[key].as_u64()).collect()
    };
    let states = counts("states")?;
    Some(NetworkCost {
        components: components.len() as u64,
        states: states.iter().sum(),
        transitions: counts("transitions")?.iter().sum(),
        labels: json["actions"].as_u64()?,
        largest: states.into_iter().max()?,
        seconds: json["seconds"].as_f64()?,
    })
}

fn read_product(json: &Value) -> Option<ProductCost> {
    let stats = &json["stats"];
    Some(ProductCost {
        states: stats["states"].as_u64()?,
        transitions: stats["transitions"].as_u64()?,
        seconds: stats["seconds"].as_f64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn components_are_added_up_and_gaps_stay_empty() {
        let json = json!({
            "components": [
                {"states": 3, "transitions": 4},
                {"states": 5, "transitions": 1},
            ],
            "actions": 7,
            "seconds": 0.5,
        });
        let network = read_network(&json);
        let cells = CostRow { n: 2, network, product: None }.cells();
        assert_eq!(cells, ["2", "2", "5", "8", "5", "7", "0.5000", "", "", ""]);
        assert!(read_network(&json!({"components": [{}]})).is_none());
        assert!(read_product(&json!({})).is_none());
    }
}
