//! Room for the stack in WebAssembly: a text is nested up to a limit, and the front end descends into it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-bins=-zstack-size=16777216");
    }
}
