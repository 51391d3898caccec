//! `resy check --on`: one command starts a search on several machines.
//!
//! This process reads the model, starts a process on each machine and one here, tells all of them what to search, and
//! passes on what they say. It does not search itself: if a host is lost, it starts the hosts that it still reaches
//! again, and they go on with what was saved.

mod host;
mod places;
mod protocol;

pub use host::{Seat, run as serve};
pub use places::{Place, parse_place};

use crate::args::{Check, Common};
use crate::check::VERSION;
use crate::tell::{self, bad_input};
use crate::{Exit, control, load, print, texts};
use protocol::{Hello, Job};
use resy::{Control, HostsKey};
use std::io::{BufRead, BufReader, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A host must answer within this time.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time that the other hosts have to end after the first one.
const FAREWELL: Duration = Duration::from_secs(5);
/// How often a search is started again after a loss.
const TIMES: usize = 10;
const GLANCE: Duration = Duration::from_millis(50);

/// Runs the command.
pub fn run(check: &Check) -> Exit {
    lead(check).unwrap_or_else(|exit| exit)
}

fn lead(check: &Check) -> Result<Exit, Exit> {
    let control = control::of(&check.resources, &check.common).map_err(bad_input)?;
    texts::note();
    // An error in the model needs no hosts. The first host tells what else there is to say.
    let quiet = Common { quiet: true, ..check.common.clone() };
    load::load(&check.file, &quiet, Some(&check.properties), None, &control)?;
    let mut job = Job {
        args: arguments().map_err(bad_input)?,
        texts: texts::read_so_far(),
        hosts: String::new(),
        index: 0,
        threads: 1,
        key: HostsKey::draw().map_err(bad_input)?,
        resumes: check.resume.is_some(),
    };
    for time in 0..TIMES {
        let team = Team::start(check, time > 0, &control)?;
        let exit = team.work(&mut job);
        if exit != Some(Exit::HostLost as i32) {
            tell::answered_elsewhere();
            return Ok(exit_of(exit));
        }
        if check.saves_to().is_none() {
            let help = "with --checkpoint the search would go on from the last save";
            return Err(tell::out_of_reach(format!("a host was lost; {help}")));
        }
        tell::warning("a host was lost; the search goes on from the last save");
        job.resumes = true;
    }
    Err(tell::out_of_reach(format!("hosts were lost {TIMES} times")))
}

fn arguments() -> Result<Vec<String>, String> {
    let text = |arg: std::ffi::OsString| {
        arg.into_string().map_err(|arg| format!("{} is not UTF-8", arg.display()))
    };
    std::env::args_os().map(text).collect()
}

fn exit_of(code: Option<i32>) -> Exit {
    match code {
        Some(0) => Exit::Holds,
        Some(1) => Exit::Fails,
        Some(2) => Exit::BadInput,
        _ => Exit::Unknown,
    }
}

/// A process that is to be started.
struct Plan {
    name: String,
    is_here: bool,
    threads: usize,
    command: Command,
}

/// A process that was started.
struct Process {
    /// The name of its machine.
    name: String,
    is_here: bool,
    threads: usize,
    child: Child,
    input: ChildStdin,
    /// Closed when all that it complains about has been passed on.
    complaints: mpsc::Receiver<()>,
}

/// A process that has answered.
struct Member {
    process: Process,
    output: BufReader<ChildStdout>,
    hello: Hello,
}

/// The processes of a search, the first one of this machine.
struct Team(Vec<Member>);

impl Team {
    /// Starts all processes. If some are lost before, those that do not answer are left out.
    fn start(check: &Check, again: bool, control: &Control) -> Result<Self, Exit> {
        let is_saved = check.saves_to().is_some();
        let mut far = Vec::new();
        for place in check.on.iter().filter(|place| !place.is_here()) {
            let (n, threads) = place.processes(is_saved);
            let plan = || {
                let command = place.command(&check.rsh, &check.remote);
                Plan { name: place.name.clone(), is_here: false, threads, command }
            };
            far.extend(std::iter::repeat_with(plan).take(n));
        }
        let far = meet(far, again, control)?;
        // This machine takes part in any case.
        let n = check.on.iter().filter(|p| p.is_here()).map(|p| p.n).sum::<usize>().max(1);
        let (n, threads) = Place { name: String::new(), n }.processes(is_saved);
        let address = address_here(&far);
        let plan = |_| {
            let (name, command) = ("localhost".to_owned(), places::here(address)?);
            Ok(Plan { name, is_here: true, threads, command })
        };
        let here = (0..n).map(plan).collect::<std::io::Result<Vec<_>>>();
        let here = here.map_err(|error| bad_input(format!("cannot start again: {error}")))?;
        let mut team = meet(here, false, control)?;
        team.extend(far);
        Ok(Self(team))
    }

    /// Lets all search; the exit code of the first one.
    fn work(self, job: &mut Job) -> Option<i32> {
        let lists: Vec<String> = (0..self.0.len()).map(|index| self.hosts_for(index)).collect();
        let mut processes = Vec::new();
        for (index, (member, hosts)) in self.0.into_iter().zip(lists).enumerate() {
            (job.index, job.hosts, job.threads) = (index, hosts, member.process.threads);
            let Member { mut process, output, .. } = member;
            // Who does not listen any more is lost, which the others notice.
            let _ = job.write(&mut process.input);
            let shown = index == 0;
            processes.push((process, thread::spawn(move || pass_on(output, shown))));
        }
        let mut processes = processes.into_iter();
        let (mut first, shown) = processes.next()?;
        let code = first.child.wait().ok().and_then(|status| status.code());
        let _ = shown.join();
        let others: Vec<Process> = processes.map(|(process, _)| process).collect();
        others.into_iter().for_each(Process::end);
        code
    }

    /// The addresses of all as one of them sees them: this machine may have several.
    fn hosts_for(&self, index: usize) -> String {
        let reader = &self.0[index];
        let line = |member: &Member| {
            let port = member.hello.address.port();
            let ip = match (member.process.is_here, reader.process.is_here) {
                (true, false) => reader.hello.caller.unwrap_or(member.hello.address.ip()),
                (true, true) if member.hello.address.ip().is_unspecified() => {
                    IpAddr::V4(Ipv4Addr::LOCALHOST)
                }
                _ => member.hello.address.ip(),
            };
            format!("{}\n", SocketAddr::new(ip, port))
        };
        self.0.iter().map(line).collect()
    }
}

/// Where the processes of this machine listen: where the others see it.
fn address_here(far: &[Member]) -> IpAddr {
    let mut seen = far.iter().filter_map(|member| member.hello.caller);
    match seen.next() {
        None => IpAddr::V4(Ipv4Addr::LOCALHOST),
        Some(first) if seen.all(|other| other == first) => first,
        Some(IpAddr::V4(_)) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        Some(IpAddr::V6(_)) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

/// Starts processes and waits until they answer.
fn meet(plans: Vec<Plan>, may_miss: bool, control: &Control) -> Result<Vec<Member>, Exit> {
    let (tell, told) = mpsc::channel();
    let mut waiting = Vec::new();
    for (number, plan) in plans.into_iter().enumerate() {
        let (process, output) = Process::start(plan)?;
        waiting.push(Some(process));
        let tell = tell.clone();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let hello = Hello::read(&mut output);
            // If nobody waits any more, the process is ended.
            let _ = tell.send((number, hello.map(|hello| (hello, output))));
        });
    }
    drop(tell);
    let (mut met, deadline) = (Vec::new(), Instant::now() + PATIENCE);
    while waiting.iter().any(Option::is_some) && Instant::now() < deadline && control.may_go_on() {
        let Ok((number, answer)) = told.recv_timeout(GLANCE) else { continue };
        let Some(process) = waiting[number].take() else { continue };
        match answer {
            Ok((hello, output)) => met.push((number, Member { process, output, hello })),
            Err(_) => absent(process, may_miss)?,
        }
    }
    waiting.into_iter().flatten().try_for_each(|process| absent(process, may_miss))?;
    met.sort_by_key(|&(number, _)| number);
    let met: Vec<Member> = met.into_iter().map(|(_, member)| member).collect();
    match met.iter().find(|member| member.hello.version != VERSION) {
        Some(Member { process, hello, .. }) => {
            let (name, version) = (&process.name, &hello.version);
            Err(bad_input(format!("{name} has resy {version}, and this is {VERSION}")))
        }
        None => Ok(met),
    }
}

/// A process did not answer.
fn absent(process: Process, may_miss: bool) -> Result<(), Exit> {
    let name = process.name.clone();
    process.end();
    match may_miss {
        true => tell::warning(format!("{name} does not answer; the search goes on without it")),
        false => return Err(bad_input(format!("resy could not be started on {name}"))),
    }
    Ok(())
}

impl Process {
    /// Starts a process; what it complains about is passed on.
    fn start(plan: Plan) -> Result<(Self, ChildStdout), Exit> {
        let Plan { name, is_here, threads, mut command } = plan;
        // Ctrl-C is for the processes here; they tell the others.
        #[cfg(unix)]
        if !is_here {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        let program = command.get_program().display().to_string();
        let started = command.spawn();
        let mut child =
            started.map_err(|error| bad_input(format!("cannot start {program}: {error}")))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (open, complaints) = mpsc::channel();
        if let Some(errors) = child.stderr.take() {
            let prefix = format!("{name}: ");
            thread::spawn(move || {
                complain(errors, &prefix);
                drop(open);
            });
        }
        match (input, output) {
            (Some(input), Some(output)) => {
                Ok((Self { name, is_here, threads, child, input, complaints }, output))
            }
            _ => Err(bad_input(format!("{program} has no standard input and output"))),
        }
    }

    /// Lets a process end, and ends it if it does not.
    fn end(self) {
        let Self { mut child, input, complaints, .. } = self;
        drop(input);
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            match child.try_wait() {
                Ok(None) => thread::sleep(GLANCE),
                // Its last words may still be on their way.
                _ => {
                    let _ = complaints.recv_timeout(FAREWELL);
                    return;
                }
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Passes on what a process complains about.
fn complain(errors: impl Read, prefix: &str) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while errors.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        eprintln!("{prefix}{}", String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
        line.clear();
    }
}

/// Passes on what a process prints, if it is shown.
fn pass_on(mut output: impl Read, shown: bool) {
    let mut bytes = [0; 1 << 16];
    while let Ok(n @ 1..) = output.read(&mut bytes) {
        if shown {
            print::document(&bytes[..n]);
        }
    }
}
