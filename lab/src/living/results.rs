//! The measured times of all apps, and the tables of them.

use super::apps::LivingApp;
use super::floor::{Floor, Floors};
use crate::peers::results::{Cell, Grouped, format_times};
use crate::peers::tools::Peer;
use crate::report;

/// The measures of a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    Navigate,
    FirstLook,
    SecondLook,
    Click,
    Open,
    Close,
    /// The longest block of the page's main thread while nobody looks.
    Alone,
    /// The same during a look.
    Block,
    /// How long the server's process computes during a look.
    Cpu,
}

impl Measure {
    pub const ALL: [Measure; 9] = [
        Measure::Navigate,
        Measure::FirstLook,
        Measure::SecondLook,
        Measure::Click,
        Measure::Open,
        Measure::Close,
        Measure::Alone,
        Measure::Block,
        Measure::Cpu,
    ];

    /// Returns the title of its table.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Navigate => "Navigate to the first useful answer",
            Measure::FirstLook => "First look",
            Measure::SecondLook => "Second look, 1 s later",
            Measure::Click => "Click with its answer",
            Measure::Open => "Open a dialog",
            Measure::Close => "Close the dialog",
            Measure::Alone => "Longest block of the page's main thread in 1 s without a look",
            Measure::Block => "Longest block of the page's main thread during a look",
            Measure::Cpu => "Processor time of the server per look",
        }
    }

    /// Returns whether its answers are printed for an agent.
    fn has_tokens(self) -> bool {
        !matches!(self, Measure::Alone | Measure::Block | Measure::Cpu)
    }
}

/// The load of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Load {
    Quiet,
    /// One spinning process per core beside the tools.
    Busy,
}

/// Which cell: the app's name, the load, the tool and what is measured.
pub type CellKey = (&'static str, Load, Peer, Measure);

#[derive(Default)]
pub struct LivingResults {
    cells: Vec<(CellKey, Cell)>,
    floors: Vec<(&'static str, Floors)>,
}

impl LivingResults {
    /// Returns a cell, to add to it.
    pub fn cell(&mut self, key: CellKey) -> &mut Cell {
        let known = self.cells.iter().position(|(one, _)| *one == key);
        let index = known.unwrap_or_else(|| {
            self.cells.push((key, Cell::default()));
            self.cells.len() - 1
        });
        &mut self.cells[index].1
    }

    /// Returns a cell, if something was measured or failed there.
    pub fn get(&self, key: CellKey) -> Option<&Cell> {
        Some(&self.cells.iter().find(|(one, _)| *one == key)?.1)
    }

    /// Returns the median of a cell in milliseconds.
    pub fn median(&self, key: CellKey) -> Option<f64> {
        self.get(key)?.median()
    }

    /// Adds measured floors of an app.
    pub fn add_floors(&mut self, app: &'static str, floors: Vec<Floor>) {
        match self.floors.iter_mut().find(|(name, _)| *name == app) {
            Some((_, known)) => known.0.extend(floors),
            None => self.floors.push((app, Floors(floors))),
        }
    }

    /// Returns the median floor of an app in milliseconds.
    pub fn floor(&self, app: &str) -> Option<f64> {
        self.floors.iter().find(|(name, _)| *name == app)?.1.total()
    }

    /// Prints all tables of a load.
    pub fn print(&self, apps: &[&LivingApp], peers: &[Peer], load: Load) {
        if load == Load::Quiet {
            self.print_floors();
        }
        for measure in Measure::ALL {
            let title = measure.title();
            println!("\n## {title} ({load:?}; ms, median / best)\n");
            self.print_rows(apps, peers, |name, peer| {
                self.get((name, load, peer, measure)).map(|cell| format_times(&cell.times))
            });
            for (key, cell) in &self.cells {
                let (name, of, peer, what) = *key;
                if let (true, Some(failure)) =
                    ((of, what) == (load, measure), cell.failures.first())
                {
                    let count = cell.failures.len();
                    println!("\n{name}, {}, failed {count} times: {failure}", peer.name());
                }
            }
        }
        for measure in Measure::ALL.into_iter().filter(|measure| measure.has_tokens()) {
            println!("\n## {} ({load:?}; tokens of the answers)\n", measure.title());
            self.print_rows(apps, peers, |name, peer| {
                let cell = self.get((name, load, peer, measure))?;
                (!cell.times.is_empty()).then(|| Grouped(cell.tokens).to_string())
            });
        }
    }

    fn print_rows(
        &self,
        apps: &[&LivingApp],
        peers: &[Peer],
        text: impl Fn(&'static str, Peer) -> Option<String>,
    ) {
        let names: Vec<&str> = peers.iter().map(|peer| peer.name()).collect();
        report::table(&format!("app | {}", names.join(" | ")));
        for app in apps {
            let texts = peers.iter().map(|peer| text(app.name, *peer));
            let texts: Vec<String> = texts.map(|text| text.unwrap_or("–".to_owned())).collect();
            println!("| {} | {} |", app.name, texts.join(" | "));
        }
    }

    fn print_floors(&self) {
        println!("\n## The pages of components, and the floor of a look (ms, median)\n");
        report::table("app | elements | roots | in view | walk | hit tests | floor");
        for (name, floors) in &self.floors {
            let count = |part| Grouped(floors.median(part) as usize).to_string();
            println!(
                "| {name} | {} | {} | {} | {:.0} | {:.0} | {:.0} |",
                count(|floor| floor.elements as f64),
                count(|floor| floor.roots as f64),
                count(|floor| floor.tests as f64),
                floors.median(|floor| floor.walk),
                floors.median(|floor| floor.hits),
                floors.total().unwrap_or_default()
            );
        }
    }
}
