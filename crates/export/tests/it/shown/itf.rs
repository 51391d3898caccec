//! The Informal Trace Format according to its specification.

use serde_json::Value;

/// Checks a trace with this many states.
pub fn check(trace: &Value, n_states: usize) {
    assert_eq!(trace["#meta"]["format"], "ITF");
    let variables: Vec<&str> =
        trace["vars"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    let states = trace["states"].as_array().unwrap();
    assert_eq!(states.len(), n_states);
    let first = states[0].as_object().unwrap();
    for (number, state) in states.iter().enumerate() {
        let state = state.as_object().unwrap();
        assert_eq!(state["#meta"]["index"], number);
        assert_eq!(state.len(), variables.len() + 1, "all variables and nothing else");
        for variable in &variables {
            check_value(&state[*variable]);
            assert!(same_type(&state[*variable], &first[*variable]), "the type of {variable}");
        }
    }
}

fn check_value(value: &Value) {
    match value {
        Value::Bool(_) | Value::String(_) => {}
        Value::Number(n) => {
            assert!(n.as_i64().is_some_and(|n| n.abs() < 1 << 53), "{n} needs #bigint")
        }
        Value::Array(list) => list.iter().for_each(check_value),
        Value::Object(object) => {
            assert!(object.len() == 1 && object.contains_key("#tup"), "{value}");
            object["#tup"].as_array().unwrap().iter().for_each(check_value);
        }
        Value::Null => panic!("null is no value"),
    }
}

/// Lists have elements of one type; an empty list has any type.
fn same_type(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            let all: Vec<&Value> = a.iter().chain(b).collect();
            all.windows(2).all(|pair| same_type(pair[0], pair[1]))
        }
        (Value::Object(a), Value::Object(b)) => {
            let (a, b) = (a["#tup"].as_array().unwrap(), b["#tup"].as_array().unwrap());
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_type(a, b))
        }
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
