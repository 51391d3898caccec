//! Tests of all renderings of a small requirement.

use super::*;
use crate::report::{FactTable, Page};
use proptest::prelude::*;
use resy_automata::lts::LtsBuilder;

fn described() -> Described {
    let mut builder = LtsBuilder::with_states(2);
    let state = |index| StateId::from_index(index);
    let label = |index| Label::Visible(ActionId::from_index(index));
    builder.add_transition(state(0), label(0), state(1));
    builder.add_transition(state(0), label(1), state(1));
    builder.add_transition(state(1), Label::Tau, state(1));
    let lts = builder.finish(state(0), [0, 1].map(ActionId::from_index).into_iter().collect());
    let actions = ["P: x:=1", "P>Q: c!2"].map(|name| Action { name: name.to_owned() });
    let states = [(1, StateMark::Plain), (6, StateMark::Unreachable)].map(|(n, mark)| {
        DescribedState { members: (1..=n).map(|line| format!("line {line}")).collect(), mark }
    });
    Described::new("P", &lts, &actions.into_iter().collect(), states.into())
}

#[test]
fn the_text_names_states_members_and_labels() {
    let expected = "\
0 (initial): line 1
    x:=1  →  1
    to Q: c!2  →  1
1 (unreachable): lines 1 to 6
    τ  →  1
";
    assert_eq!(described().to_text(), expected);
}

#[test]
fn words_say_what_must_come_first() {
    let words = described().to_words();
    let expected = "after `x:=1` or `to Q: c!2`, `x:=1` or `to Q: c!2` is forbidden for ever";
    assert_eq!(words, [expected]);
}

#[test]
fn each_rule_is_said_once() {
    // `a` and `b` in turns, and `c` only in between.
    let turns = of_arrows(&[(0, 1, 1), (1, 3, 1), (1, 2, 0)]).to_words();
    assert_eq!(
        turns,
        [
            "`a` and `b` take turns, beginning with the former",
            "`c` is permitted only between `a` and the next `b`",
        ]
    );
    // `d` may be repeated, but `a` has to come before each.
    let each = of_arrows(&[(0, 1, 1), (1, 1, 1), (1, 4, 0)]).to_words();
    assert_eq!(each, ["before each `d`, `a` is required"]);
    let once = of_arrows(&[(0, 1, 1), (1, 2, 0), (0, 2, 0)]).to_words();
    assert_eq!(once, ["between two `a`, `b` is required"]);
    let apart = of_arrows(&[(0, 1, 1), (0, 3, 0), (1, 1, 1), (1, 2, 0), (0, 2, 0)]).to_words();
    assert_eq!(apart, ["between `a` and the next `b`, `c` is forbidden"]);
}

#[test]
fn a_choice_is_one_list() {
    let choices = of_arrows(&[(0, 1, 1), (0, 2, 1), (1, 3, 0), (1, 4, 0)]).to_words();
    assert_eq!(choices, ["in turn: `a` or `b`, then `c` or `d`, and so on"]);
    let three = of_arrows(&[(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 4, 0)]).to_words();
    assert_eq!(three, ["in turn: `a`, `b` or `c`, then `d`, and so on"]);
}

#[test]
fn one_state_needs_one_sentence() {
    let mut one = of_arrows(&[(0, 1, 0), (0, 2, 0)]);
    one.states.truncate(1);
    assert_eq!(one.to_words(), ["every action above is permitted at any time"]);
    one.states[0].mark = StateMark::Error;
    assert_eq!(one.to_words(), ["nothing can be required: the property fails"]);
}

/// A requirement with five states and these arrows, each with one label.
fn of_arrows(arrows: &[(usize, usize, usize)]) -> Described {
    let mut builder = LtsBuilder::with_states(5);
    for &(from, label, to) in arrows {
        let label = match label {
            0 => Label::Tau,
            label => Label::Visible(ActionId::from_index(label - 1)),
        };
        builder.add_transition(StateId::from_index(from), label, StateId::from_index(to));
    }
    let actions = ["a", "b", "c", "d"].map(|name| Action { name: name.to_owned() });
    let lts = builder.finish(StateId::from_index(0), Default::default());
    let state = DescribedState { members: vec![], mark: StateMark::Plain };
    Described::new("P", &lts, &actions.into_iter().collect(), vec![state; 5])
}

proptest! {
    /// No run of the requirement violates a derived rule.
    #[test]
    fn rules_are_true(
        arrows in prop::collection::vec((0..5usize, 0..5usize, 0..5usize), 1..14),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 30),
    ) {
        let described = of_arrows(&arrows);
        let (mut state, mut run) = (described.initial, Vec::new());
        for choice in choices {
            let out = described.arrows.iter().filter(|arrow| arrow.from == state);
            let out = out.flat_map(|arrow| arrow.labels.iter().map(|label| (label.clone(), arrow.to)));
            let out: Vec<(String, usize)> = out.collect();
            if out.is_empty() {
                break;
            }
            let (label, to) = choice.get(&out).clone();
            run.push(label);
            state = to;
        }
        for rule in described.rules() {
            let is_in = |label: &String, all: &[Vec<String>]| all.iter().any(|l| l.contains(label));
            let starts = (0..=run.len()).filter(|&i| match i {
                0 => rule.after.is_empty(),
                i => is_in(&run[i - 1], &rule.after),
            });
            for start in starts {
                let Some(n) = run[start..].iter().position(|label| rule.what.contains(label)) else {
                    continue;
                };
                let between = &run[start..start + n];
                let has = |labels: &Vec<String>| between.iter().any(|label| labels.contains(label));
                prop_assert!(
                    match &rule.until {
                        Until::All(all) => all.iter().all(has),
                        Until::OneOf(some) => some.iter().any(has),
                        Until::Something => n > 0,
                        Until::Never => false,
                    },
                    "{rule:?} in {run:?}"
                );
            }
        }
    }
}

#[test]
fn programs_get_everything() {
    let json = described().to_json();
    assert_eq!(json["states"][1]["members"].as_array().map(Vec::len), Some(6));
    assert_eq!(json["states"][1]["mark"], "unreachable");
    assert_eq!(json["arrows"][0]["labels"][1], "P>Q: c!2");
}

/// A page that contains a requirement only.
fn page(described: &Described) -> String {
    Page { requirement: Some(described), ..Page::default() }.to_html()
}

/// Compares with a snapshot in `expect/`. `RESY_BLESS=1` rewrites the snapshot; read the difference
/// before committing it.
fn assert_file(name: &str, text: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/requirement/expect/");
    let file = format!("{folder}{name}");
    if std::env::var_os("RESY_BLESS").is_some() {
        std::fs::write(&file, text).expect("the file can be written");
    }
    assert_eq!(text, std::fs::read_to_string(&file).expect("the file is there"), "{name}");
}

#[test]
fn the_picture_looks_as_expected() {
    let svg = described().to_svg().expect("small enough");
    assert_file("small.svg", &svg);
}

#[test]
fn the_page_looks_as_expected() {
    let facts = FactTable(vec![("property".to_owned(), "p<q: holds".to_owned())]);
    let described = described();
    let title = "Requirement".to_owned();
    let page = Page { title, facts, requirement: Some(&described), ..Page::default() }.to_html();
    let (head, rest) = page.split_once("<style>").expect("a style");
    let (_, rest) = rest.split_once("</style>").expect("its end");
    let (body, rest) = rest.split_once("<script>").expect("a script");
    let (_, end) = rest.split_once("</script>").expect("its end");
    assert_file("small.html", &format!("{head}{body}{end}"));
}

#[test]
fn what_is_too_large_gets_a_sentence() {
    let mut large = described();
    large.states = vec![large.states[0].clone(); 5000];
    let sentence = "5000 states with 2 arrows are too many for a picture";
    assert_eq!(large.to_svg().map_err(|e| e.to_string()), Err(sentence.to_owned()));
    let page = page(&large);
    assert!(page.contains(sentence) && page.contains("id=\"state4999\""));
}

#[test]
fn members_are_summed_up_in_the_picture_and_listed_in_its_title() {
    let svg = described().to_svg().expect("small enough");
    assert!(svg.contains(">lines 1 to 6</tspan>"));
    assert!(svg.contains("<title>state 1, unreachable\nline 1\nline 2\n"));
    assert!(svg.contains("\nline 6</title>"));
}

/// Names with characters that have a meaning in markup.
fn name() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "<", ">", "&", "\"", "'", "&lt;", "</g>", "]]>", "é", "漢", "x", " ", "; ",
    ]);
    prop::collection::vec(word, 1..20).prop_map(|words| words.concat())
}

prop_compose! {
    fn any_described()(n_states in 1..12_usize)(
        initial in 0..n_states,
        states in prop::collection::vec((prop::collection::vec(name(), 1..7), 0..3_usize), n_states),
        arrows in prop::collection::btree_map((0..n_states, 0..n_states), prop::collection::vec(name(), 1..12), 0..30),
    ) -> Described {
        let marks = [StateMark::Plain, StateMark::Unreachable, StateMark::Error];
        let states = states.into_iter().map(|(members, mark)| DescribedState { members, mark: marks[mark] });
        let arrows = arrows.into_iter().map(|((from, to), labels)| Arrow { from, to, caption: labels.clone(), labels });
        Described { module: "P".to_owned(), initial, states: states.collect(), arrows: arrows.collect() }
    }
}

/// The same requirement with harmless names of equal width. Different names stay different, because equal members of a
/// state are described once.
fn harmless(described: &Described) -> Described {
    let plain = |texts: &mut Vec<String>| {
        for text in texts {
            for (from, to) in [('<', "^"), ('>', "%"), ('&', "@"), ('"', "#"), ('\'', "*")] {
                *text = text.replace(from, to);
            }
        }
    };
    let mut described = described.clone();
    described.states.iter_mut().for_each(|state| plain(&mut state.members));
    for arrow in &mut described.arrows {
        plain(&mut arrow.labels);
        plain(&mut arrow.caption);
    }
    described
}

/// The contents of all tags.
fn tags(text: &str) -> Vec<&str> {
    text.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default()).collect()
}

/// A page without its rules in words, and these: how many there are depends on which labels are equal.
fn parted(page: &str) -> (String, &str) {
    let Some((before, rest)) = page.split_once("<ul class=\"words\">") else {
        return (page.to_owned(), "");
    };
    let (words, after) = rest.split_once("</ul>").expect("the list ends");
    ([before, after].concat(), words)
}

/// The text between tags, unescaped.
fn read(text: &str) -> Vec<String> {
    let texts = text.split('<').map(|tag| tag.split_once('>').map_or("", |(_, text)| text));
    let meant = |text: &str| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        text.replace("&#39;", "'").replace("&amp;", "&")
    };
    texts.map(meant).collect()
}

proptest! {
    #[test]
    fn names_never_become_markup(described in any_described()) {
        let plain = harmless(&described);
        let (nasty, plain_svg) = (described.to_svg().unwrap(), plain.to_svg().unwrap());
        prop_assert_eq!(tags(&nasty), tags(&plain_svg));
        let (page, plain_page) = (page(&described), page(&plain));
        let ((rest, words), (plain_rest, _)) = (parted(&page), parted(&plain_page));
        prop_assert_eq!(tags(&rest), tags(&plain_rest));
        for tag in tags(words) {
            prop_assert!(["li", "/li", "code", "/code"].contains(&tag), "{tag}");
        }
        let texts = read(&page);
        for text in described.states.iter().flat_map(|state| &state.members) {
            prop_assert!(texts.contains(text), "{}", text);
        }
    }

    #[test]
    fn every_state_and_arrow_is_there_once(described in any_described()) {
        let svg = described.to_svg().unwrap();
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        prop_assert_eq!(svg.matches("<g class=\"state").count(), described.states.len());
        prop_assert_eq!(svg.matches("<g class=\"arrow").count(), described.arrows.len());
        for state in 0..described.states.len() {
            prop_assert_eq!(svg.matches(&format!("data-state=\"{state}\"")).count(), 1);
        }
        for Arrow { from, to, .. } in &described.arrows {
            let ends = format!("data-from=\"{from}\" data-to=\"{to}\"");
            prop_assert_eq!(svg.matches(&ends).count(), 1);
        }
        prop_assert_eq!(described.to_svg().unwrap(), svg);
    }
}
