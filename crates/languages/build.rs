//! Compiles the part of `tree_sitter/budget.rs` that is C: only C leaves C where it stands.

fn main() {
    println!("cargo:rerun-if-changed=src/tree_sitter/budget.c");
    let mut build = cc::Build::new();
    build.std("c11").file("src/tree_sitter/budget.c");
    if let Ok(headers) = std::env::var("DEP_TREE_SITTER_INCLUDE") {
        build.include(headers);
    }
    build.compile("patois-tree-sitter-budget");
}
