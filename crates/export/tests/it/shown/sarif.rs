//! The requirements of SARIF 2.1.0 and of GitHub's code scanning.

use serde_json::Value;

/// Checks a log with one result whose run has this many steps.
pub fn check(log: &Value, n_steps: usize) {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].is_string());
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "resy");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    for result in results {
        let rule = &driver["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!rule["shortDescription"]["text"].as_str().unwrap().is_empty());
        assert_eq!(result["level"], "error");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        check_location(&result["locations"][0]);
        if n_steps == 0 {
            assert!(result["codeFlows"].is_null());
            continue;
        }
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
        assert_eq!(steps.len(), n_steps);
        for step in steps {
            check_location(&step["location"]);
            assert!(step["location"]["message"]["text"].is_string());
        }
    }
}

fn check_location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(!uri.contains([' ', '\\', '#']), "{uri}");
    assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
    assert!(place["region"].get("startColumn").is_none_or(|c| c.as_u64() >= Some(1)));
}
