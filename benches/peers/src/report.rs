//! The table, as Markdown: medians, ratios, budgets and whether they are met.

use std::fmt::Write as _;

/// Seconds of each round, ours and theirs.
#[derive(Default)]
pub struct Times {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Times {
    /// Enters a round.
    pub fn push(&mut self, ours: f64, theirs: f64) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// Ours over theirs, the median of all rounds: neighbours in time are compared, so that a slow
    /// minute harms both.
    fn cost(&self) -> f64 {
        median(self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs).collect())
    }
}

/// How ours compares with a rival.
#[derive(Clone, Copy)]
pub enum Compared {
    /// Our time as a multiple of theirs; at most the budget.
    Cost(Option<f64>),
    /// Our speed as a multiple of theirs; at least the budget.
    Speed(Option<f64>),
}

/// What ours is measured against.
#[derive(Clone)]
pub struct Rival {
    pub name: String,
    pub compared: Compared,
}

impl Rival {
    /// A rival.
    pub fn new(name: impl Into<String>, compared: Compared) -> Self {
        Self { name: name.into(), compared }
    }
}

/// All lines and notes.
#[derive(Default)]
pub struct Report {
    rows: Vec<[String; 7]>,
    notes: Vec<String>,
    seeds: u64,
    missed: usize,
}

const COLUMNS: [&str; 7] = ["what", "ours", "against", "theirs", "ratio", "budget", ""];

impl Report {
    /// A seed that was not given before.
    pub fn next_seed(&mut self) -> u64 {
        self.seeds += 1;
        self.seeds
    }

    /// Enters a line of times of something that takes no bytes worth telling.
    pub fn add(&mut self, what: impl Into<String>, rival: Rival, times: Times) {
        self.add_with(what, rival, times, duration);
    }

    /// Enters a line of times, shown in another way.
    pub fn add_with(
        &mut self,
        what: impl Into<String>,
        rival: Rival,
        times: Times,
        show: impl Fn(f64) -> String,
    ) {
        let spread = |values: &[f64]| {
            let (low, high) = (
                values.iter().copied().fold(f64::MAX, f64::min),
                values.iter().copied().fold(0.0, f64::max),
            );
            let percent = (high - low) / 2.0 / median(values.to_vec()) * 100.0;
            format!("{} ±{percent:.0}%", show(median(values.to_vec())))
        };
        let (ratio, budget, met) = judge(times.cost(), rival.compared);
        self.enter(
            [
                what.into(),
                spread(&times.ours),
                rival.name,
                spread(&times.theirs),
                ratio,
                budget,
                String::new(),
            ],
            met,
        );
    }

    /// Enters a line of plain figures, ours and theirs, where less is better.
    pub fn add_figures(
        &mut self,
        what: impl Into<String>,
        ours: f64,
        rival: Rival,
        theirs: f64,
        unit: &str,
    ) {
        let (ratio, budget, met) = judge(ours / theirs, rival.compared);
        let show = |value: f64| format!("{value:.4} {unit}").replace(".0000 ", " ");
        self.enter(
            [what.into(), show(ours), rival.name, show(theirs), ratio, budget, String::new()],
            met,
        );
    }

    /// Enters a line of bytes of whole files, ours and theirs, for each of so many positions.
    pub fn add_bytes(&mut self, what: &str, rows: u64, ours: u64, rival: Rival, theirs: u64) {
        let [ours, theirs] = [ours, theirs].map(|bytes| bytes as f64 / rows as f64);
        self.add_figures(what, ours, rival, theirs, "B");
    }

    /// Enters a line of one figure that has an absolute budget.
    pub fn add_absolute(
        &mut self,
        what: impl Into<String>,
        ours: String,
        budget: String,
        met: Option<bool>,
    ) {
        self.enter(
            [what.into(), ours, String::new(), String::new(), String::new(), budget, String::new()],
            met,
        );
    }

    fn enter(&mut self, mut row: [String; 7], met: Option<bool>) {
        row[6] = match met {
            None => "",
            Some(true) => "met",
            Some(false) => "MISSED",
        }
        .to_owned();
        self.missed += usize::from(met == Some(false));
        eprintln!("{}", row.join(" | "));
        self.rows.push(row);
    }

    /// Enters a remark.
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        eprintln!("- {note}");
        self.notes.push(note);
    }

    /// The table, and all notes.
    pub fn markdown(&self) -> String {
        let mut text = format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | ").replace("MISSED", "**MISSED**"));
        }
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "- {note}");
        }
        let _ = writeln!(text, "- Budgets missed: {}.", self.missed);
        text
    }
}

/// The ratio and the budget as text, and whether it is met.
fn judge(cost: f64, compared: Compared) -> (String, String, Option<bool>) {
    let (value, budget, sign, met) = match compared {
        Compared::Cost(budget) => (cost, budget, "≤", budget.map(|budget| cost <= budget)),
        Compared::Speed(budget) => {
            (1.0 / cost, budget, "≥", budget.map(|budget| 1.0 / cost >= budget))
        }
    };
    let kind = if matches!(compared, Compared::Cost(_)) { "cost" } else { "speed" };
    (
        format!("{value:.2} x {kind}"),
        budget.map_or(String::new(), |budget| format!("{sign} {budget} x")),
        met,
    )
}

/// A time in its natural unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1e-6 => format!("{:.1} ns", seconds * 1e9),
        _ if seconds < 1e-3 => format!("{:.2} µs", seconds * 1e6),
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// A time, and the speed at which so many bytes passed in it.
pub fn with_speed(bytes: u64) -> impl Fn(f64) -> String {
    move |seconds| format!("{} ({:.2} GB/s)", duration(seconds), bytes as f64 / seconds / 1e9)
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) {
        (values[middle - 1] + values[middle]) / 2.0
    } else {
        values[middle]
    }
}
