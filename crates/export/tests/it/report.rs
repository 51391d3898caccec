//! Laws of reports: names never become markup, nothing is loaded, and every step is shown.

use crate::common::program;
use proptest::prelude::*;
use resy_export::report::{
    Badge, FactTable, LineCoverage, ModelText, Page, PageSection, PropertyRow, TextLanguage,
};
use resy_export::run::{Run, ViolatedProperty};
use resy_system::{Control, Interpreter, Options, State, Step, System};
use std::path::Path;

const MODEL: &str = "
chan wire = [2] of { byte };
chan hand = [0] of { byte };
byte count;
active proctype Sender() {
    do
    :: count < 20 -> wire ! count; printf(\"sent\\n\"); count++; hand ! count
    od
}
active proctype Receiver() {
    byte value;
    do
    :: wire ? value; hand ? value
    od
}";

fn system() -> System {
    program("model.pml", MODEL.to_owned(), &[], Path::new(".")).expect("a program").system
}

/// The system with `more` appended to every name and text.
fn renamed(mut system: System, more: &str) -> System {
    let name = |text: &mut String| text.push_str(more);
    system.files.iter_mut().for_each(name);
    system.globals.variables.iter_mut().for_each(|variable| name(&mut variable.name));
    for proctype in system.proctypes.iter_mut() {
        name(&mut proctype.name);
        proctype.frame.variables.iter_mut().for_each(|variable| name(&mut variable.name));
        proctype.edges.iter_mut().flatten().for_each(|edge| name(&mut edge.text));
    }
    system
}

/// A walk that always takes the first enabled step.
fn walk(interpreter: &Interpreter<'_>, n_steps: usize) -> Vec<(State, Step)> {
    let mut state = interpreter.initial().expect("a first state");
    let mut walk = Vec::new();
    while walk.len() < n_steps {
        let Some(step) = interpreter.steps(&state, Control::Free).steps.into_iter().next() else {
            break;
        };
        let Some((next, _)) = step.next.clone() else { break };
        walk.push((std::mem::replace(&mut state, next), step));
    }
    walk
}

/// The report on a walk, with `more` appended to every text.
fn report(n_steps: usize, more: &str) -> String {
    let system = renamed(system(), more);
    let interpreter = Interpreter::new(&system, Options::default());
    let steps = walk(&interpreter, n_steps);
    let text = |word: &str| format!("{word}{more}");
    let why =
        ViolatedProperty { property: text("p"), kind: "end-state".into(), reason: text("stuck") };
    let run = Run::new(&interpreter, steps.iter().map(|(before, step)| (before, step)), why);
    let verdict = Badge::Fails;
    let judged = PropertyRow { name: text("p"), verdict, engine: text("e"), reason: text("r") };
    let page = Page {
        title: text("title"),
        verdict: Some(verdict),
        properties: vec![judged],
        facts: FactTable(vec![(text("what"), text("value"))]),
        runs: run.into_iter().collect(),
        sections: vec![PageSection {
            title: text("section"),
            sentences: vec![text("sentence")],
            columns: vec!["column"],
            rows: vec![vec![text("cell")]],
        }],
        sources: vec![
            // In a comment the colours do not depend on the words.
            ModelText {
                name: text("model.pml"),
                text: format!("{MODEL}\n/* {more} */"),
                language: TextLanguage::Promela,
                coverage: vec![LineCoverage::Executed, LineCoverage::Partly, LineCoverage::Never],
            },
            ModelText { name: text("model.net"), text: text("net"), ..ModelText::default() },
        ],
        made_by: text("made by"),
        ..Page::default()
    };
    page.to_html()
}

/// The contents of all tags.
fn tags(text: &str) -> Vec<&str> {
    text.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default()).collect()
}

/// The data that the script reads.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("<script type=\"application/json\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn names_never_become_markup(
        words in prop::collection::vec(prop::sample::select(vec![
            "<", ">", "&", "\"", "'", "&lt;", "</script>", "<!--", "]]>", "é", "漢", "x", " ", "\u{2028}", "\\",
        ]), 1..12),
        n_steps in 0..14_usize,
    ) {
        let nasty = words.concat();
        let plain = nasty.replace(['<', '>', '&', '"', '\''], "x");
        let (page, plain_page) = (report(n_steps, &nasty), report(n_steps, &plain));
        prop_assert_eq!(tags(&page), tags(&plain_page));
        let names = data(&page)["names"].clone();
        prop_assert!(names.as_array().is_some_and(|all| all.contains(&format!("count{nasty}").into())), "{}", names);
    }
}

#[test]
fn pages_need_no_network() {
    let page = report(6, "");
    let outside = ["http:", "https:", "//cdn", "@import", "src=", "<link"];
    let found: Vec<&str> = outside.into_iter().filter(|text| page.contains(text)).collect();
    assert_eq!(found, [""; 0]);
    assert_eq!(page.matches("url(").count(), page.matches("url(#head)").count());
    assert_eq!(page.matches("</style>").count(), 1, "a style says nothing that ends it");
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
}

#[test]
fn a_report_may_have_nothing_to_say() {
    let nothing = Page { verdict: Some(Badge::Unknown), ..Page::default() }.to_html();
    assert!(nothing.contains("There is no property to check.") && nothing.ends_with("</html>\n"));
}

#[test]
fn every_step_has_a_row_and_its_values() {
    for n_steps in [0, 1, 9, 40] {
        let page = report(n_steps, "");
        let table = page.split_once("class=\"pane steps\"").expect("a table").1;
        assert_eq!(table.matches("<tr data-step=").count(), n_steps + 1);
        let data = data(&page);
        assert_eq!(data["changes"].as_array().map(Vec::len), Some(n_steps + 1));
        let rebuilt = rebuilt(&data);
        let shown = page.split_once("<caption>Values at the end</caption>").expect("values").1;
        let shown = shown.split_once("</table>").expect("its end").0;
        assert_eq!(shown.matches("<tr>").count(), rebuilt.len(), "what the page shows at first");
        for (name, value) in rebuilt {
            assert!(
                shown.contains(&format!("<th scope=\"row\">{name}</th><td>{value}</td>")),
                "{name} = {value}"
            );
        }
    }
}

/// The values after the last step, reconstructed from the changes as the script does.
fn rebuilt(data: &serde_json::Value) -> Vec<(String, String)> {
    let names = data["names"].as_array().expect("names");
    let mut values = vec![None; names.len()];
    for change in data["changes"]
        .as_array()
        .expect("steps")
        .iter()
        .flat_map(|step| step.as_array().expect("changes"))
    {
        let number = change[0].as_u64().expect("a number") as usize;
        values[number] = change[1].as_str().map(str::to_owned);
    }
    let names = names.iter().map(|name| name.as_str().expect("a name").to_owned());
    names.zip(values).filter_map(|(name, value)| Some((name, value?))).collect()
}
