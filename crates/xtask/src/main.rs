//! The command line of the development tasks.

use resy_xtask::args::{TaskArgs, TaskFailure};
use resy_xtask::{
    assumptions, bench, campaign, compare, cost, coverage, cycles, directed, fsp, fuzz, grammar,
    kill, links, modules, mutants, network, peers, race, requirements, same, solver, symmetry,
    synthesis, tables, tidy,
};
use std::process::ExitCode;

const HELP: &str = "\
Development tasks of resy. All but `synthesis` and some campaigns talk to resy through its command line.

  assumptions      the laws of learned and abstracted assumptions on generated networks
      --count N        networks for each law (20000)
  campaign NAME    many cases of one kind, each compared with an oracle (docs/campaigns.md):
                   programs, networks, forged, kill, strangers, fuzz
      --from SEED --count N   the seeds SEED..SEED+N (0, as many as the aim of the campaign)
      --seconds S          no case starts later
      --out FILE           the numbers that were reached, as Markdown
      --keep DIR           where inputs with wrong answers go, programs in a smaller form (target/campaign)
      --jobs N             threads (1)
      --only NAMES         kill: models; fuzz: targets
      --runs N             strangers: callers of a session (200); fuzz: executions of a case (1000)
  compare PATHS…   run spin and resy on every Promela file below the paths
      --timeout S      seconds for each tool and model (20)
      --csv FILE       write one row for each model
  coverage LIST DIR   which public models of a list (bench/runs/*/coverage.csv) become a network; DIR has the texts
      --limit S        seconds for each model (20)
      --out FILE       the list with the new results
  cycles           formulas about infinite runs (bench/cycles.toml): the search for cycles against the safety search, two
                   threads against one, and spin's verifier with -a and -f
      --only MODELS        some of them, with commas
      --limit S            seconds for each run (120)
      --out FILE           the table as Markdown
  symmetry         states and time with symmetry and without (bench/symmetry.toml), or --count N random programs
  directed         states, steps and time until a violation is found, in every order of resy and pan (bench/directed.toml)
      --limit S        seconds for each search (60)
  fsp              the laws of FSP on generated files: components against composites, written and read back
      --count N        files for each law (5000)
      --models DIR     public models with LTSA's answers (verdicts-dev.tsv), each through the command
      --ltsa DIR       ltsa.jar and ltl2buchi.jar: progress of the public models, and generated files against LTSA
      --seed S --runs N    the generated files S..S+N (0, 1000)
      --limit S        seconds for each question to LTSA (20)
      --out FILE       what was found, as Markdown
  fuzz             compare on random programs, shrink the differences
      --seed S --count N   the seeds S..S+N (0, 500)
      --out DIR            where shrunk differences go (target/fuzz)
      --cache DIR          keep spin's outcomes, so that a rerun needs no spin
      --shrink N           shrink at most so many differences (20)
      --spin-only          no resy: statistics of the generator
  grammar          write the grammars of the extension for editors (editors/vscode/syntaxes)
  links            check the links and anchors of all pages
  mutants DIR      apply each DIR/*.patch to a copy, see whether fuzz programs notice
      --seed S --count N --cache DIR   as for fuzz (0, 500, target/fuzz-cache)
  bench            measure spin and resy side by side on the models of bench/models.toml
      --only NAMES --class CLASSES   some of them (small, medium, large, extra), with commas
      --extra DIR          and the models below this folder
      --ask QUESTIONS      verdict, plain, memory, reduced (all)
      --runs N --limit S   measurements of each, seconds until one is killed (5, 300)
      --out DIR            raw.csv, summary.md and README.md (target/bench)
  cost [FAMILIES…]   components against their product on scalable models (bench/families)
      --count N        up to -DN=N (512)
      --limit S        seconds for each network and each product (20)
      --out DIR        cost.csv, cost.md and a picture for each family (target/cost)
  kill MODEL [-DNAME=VALUE …]   kill -9 a saved search at random moments, go on, compare the counts
      --seed S --count N   the moments, and how many rounds (0, 20)
      --threads N --hosts N   who searches; with hosts, one process is killed (1, 1)
  modules          `assume` for one process of each family as it grows, with its certificate
      --only FAMILIES      some of them, with commas
      --limit S            seconds for each command (20)
      --out DIR            modules.md and modules.svg (target/modules)
  network          how far spin and each engine come on the families of bench/families.toml
      --only FAMILIES      some of them, with commas
      --quick              10 s for each run of spin instead of 60
      --out DIR, -o DIR    network.csv, network.md and a picture for each family (target/network)
  peers            the papers' tables on learned and abstracted assumptions, with our numbers (models/case_studies)
      --only FILES         some of them, with commas
      --quick              no balanced splits, no growth
      --models DIR         also the public models of a folder with LTSA's answers (see fsp)
      --limit S            seconds of processor time for each run (10)
      --cache FILE         what was measured, so that a comparison that was stopped goes on
      --out FILE           the tables as Markdown, and a picture of the growth beside it (target/peers.md)
  race [PATHS…]    what --engine auto costs on small models, compared to the search alone (models)
      --runs N         runs of each (11)
  requirements [PATHS…]   `assume` for every process of every model, against the time of the search (models)
      --runs N         measurements of each (3)
      --count N        at most so many processes of each model (all)
      --limit S        seconds for each command (20)
      --out FILE       counts and exceptions as Markdown
  same OLD NEW     compare the answers of two binaries on models, examples and docs/examples; the
                   differences that are meant are in bench/same.toml
      --only NAMES     models whose path contains one of these words, with commas
  solver           the embedded decision procedure on random queries of every kind, against another solver
      --cases N        queries (100000), from --seed S (0)
      --solver COMMAND   any SMT-LIB 2 solver (z3)
      --only KINDS     some kinds only: Integers, Equations, Rationals, Connectives, Arrays, ArrayEqualities, Divisions
      --quick          instead, the cost of 10^4 queries of both
  synthesis [M E]  requirements of modules and environments of growing size, or of one size
      --count N        modules of up to N states (1000000)
      --out DIR        synthesis.csv and synthesis.md (target/synthesis)
  tables           the papers' case studies (bench/case_studies.toml): their tables, figures and claims with our numbers
      --all                all sizes, not only the papers'
      --quick              one run of the smallest sizes, under two minutes
      --only ROWS          some of them, with commas ('SW 3/2/A,Elevator 4')
      --runs N             measurements of each (3)
      --limit S            seconds for each command (20 for resy, 60 for spin)
      --out DIR, -o DIR    raw.csv, tables as Markdown, figures as SVG (target/tables)
      --from DIR           no runs: the tables and figures of this folder again, from its raw.csv
  show SEED        print the program of a seed
  tidy             check the dependencies of the crates and the heads of the files

All: --resy PATH (target/release/resy), --jobs N (2).
Exit: 0 agreement, 1 differences, 2 the call or the machine is wrong.
";

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() {
        words.push("help".to_owned());
    }
    let task = words.remove(0);
    match TaskArgs::parse(words).and_then(|args| run(&task, &args)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("xtask {task}: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run(task: &str, args: &TaskArgs) -> Result<bool, TaskFailure> {
    match task {
        "assumptions" => assumptions::run(args),
        "bench" => bench::run(args),
        "campaign" => campaign::run(args),
        "synthesis" => synthesis::run(args),
        "tables" => tables::run(args),
        "compare" => compare::run(args),
        "cost" => cost::run(args),
        "coverage" => coverage::run(args),
        "cycles" => cycles::run(args),
        "directed" => directed::run(args),
        "symmetry" => symmetry::run(args),
        "fsp" => fsp::run(args),
        "fuzz" => fuzz::run(args),
        "grammar" => grammar::run(args),
        "kill" => kill::run(args),
        "links" => links::run(args),
        "modules" => modules::run(args),
        "mutants" => mutants::run(args),
        "network" => network::run(args),
        "peers" => peers::run(args),
        "race" => race::run(args),
        "requirements" => requirements::run(args),
        "same" => same::run(args),
        "solver" => solver::run(args),
        "show" => {
            let seed = args.positional().first().and_then(|s| s.parse().ok());
            let seed = seed.ok_or_else(|| TaskFailure::new("show needs a seed"))?;
            let program = resy_testkit::generate::generate(seed);
            print!("{}", resy_testkit::generate::print(&program));
            Ok(true)
        }
        "tidy" => {
            let findings = tidy::check(&tidy::workspace_root())?;
            findings.iter().for_each(|finding| println!("{finding}"));
            Ok(findings.is_empty())
        }
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(true)
        }
        _ => Err(TaskFailure::new("unknown task, see `help`")),
    }
}
