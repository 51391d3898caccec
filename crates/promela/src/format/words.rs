//! What the reserved words mean for the layout.

/// How a word behaves towards its neighbours.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum WordClass {
    /// A name or a word that stands for a value.
    Operand,
    /// Takes arguments in parentheses, like a function.
    Function,
    /// Stands apart; what follows begins something new.
    Keyword,
    /// Ends a statement.
    End,
}

/// The class of a word outside formulas.
pub(super) fn class(word: &str) -> WordClass {
    match word {
        "assert" | "empty" | "enabled" | "eval" | "full" | "get_priority" | "len" | "nempty"
        | "nfull" | "pc_value" | "printf" | "printm" | "set_priority" => WordClass::Function,
        "fi" | "od" | "else" => WordClass::End,
        "if" | "do" | "for" | "select" | "unless" | "atomic" | "d_step" | "return" | "run"
        | "goto" => WordClass::Keyword,
        "of" | "proctype" | "D_proctype" | "active" | "init" | "never" | "trace" | "notrace"
        | "inline" | "typedef" | "ltl" | "hidden" | "show" | "local" | "provided" | "priority"
        | "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track" | "xr" | "xs" => {
            WordClass::Keyword
        }
        "bit" | "bool" | "byte" | "pid" | "short" | "int" | "unsigned" | "mtype" | "chan" => {
            WordClass::Keyword
        }
        _ => WordClass::Operand,
    }
}

/// Whether the word is an operator in formulas.
pub(super) fn is_temporal(word: &str) -> bool {
    matches!(
        word,
        "always"
            | "eventually"
            | "X"
            | "next"
            | "U"
            | "until"
            | "stronguntil"
            | "W"
            | "weakuntil"
            | "V"
            | "release"
            | "implies"
            | "equivalent"
    )
}

/// Whether the word is followed by C in braces.
pub(super) fn opens_c(word: &str) -> bool {
    matches!(word, "c_code" | "c_decl" | "c_expr")
}
