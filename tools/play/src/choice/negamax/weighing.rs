//! Weighing the moves of a position by what is behind them.

use crate::choice::rules::{percent, too_rare};
use crate::choice::{Candidate, Choice, FLOOR_SHARE, Figure, Judged, NegamaxOptions, Situation};
use crate::negamax::{
    Arena, DrawValue, End, GraphView, Paths, Proof, Solved, Unexpanded, Unit, Value, seen,
    variation,
};
use std::cmp::Ordering;
use tabia_games::{Game, Node, Side};

/// A position where a move is to be chosen, with all that is known behind it.
pub(super) struct Weighing<'a, G: Game> {
    pub at: &'a Situation<'a, G>,
    pub view: GraphView<'a>,
    pub solved: &'a Solved,
    pub options: &'a NegamaxOptions,
}

/// What is behind a candidate.
#[derive(Clone)]
struct Behind {
    /// The number of the position.
    to: u32,
    /// What it is worth to who chooses.
    value: Value,
    /// Why that says nothing, if so: it has too few games beside another.
    rare: Option<String>,
}

impl<G: Game> Weighing<'_, G> {
    pub fn choice(&self) -> Choice {
        let mut all: Vec<Option<Behind>> =
            self.at.candidates.iter().map(|candidate| self.behind(candidate)).collect();
        self.find_rare(&mut all);
        let judged = || {
            let both = self.at.candidates.iter().zip(&all);
            both.map(|(candidate, behind)| self.judged(candidate, behind.as_ref())).collect()
        };
        let counts = |behind: &Option<Behind>| behind.clone().filter(|one| one.rare.is_none());
        let behind: Vec<Option<Behind>> = all.iter().map(counts).collect();
        let none = |why: String| Choice { chosen: None, judged: judged(), why };
        let Some(best) = behind.iter().flatten().map(|behind| behind.value).max() else {
            let why = self.at.candidates.first().map_or("", |first| self.why_unknown(first));
            return none(format!("nothing is known by which to judge any move: {why}"));
        };
        let deviation = self.deviation().filter(|&deviation| deviation > best);
        let choice = match (deviation, self.options.epsilon) {
            _ if best == Value::LOSS && self.may_do_otherwise() => {
                none(format!("all moves of the book are worth {}", self.shown(best)))
            }
            (None, Some(epsilon)) => self.draw(&behind, best, epsilon, judged()),
            (None, None) => self.best(&behind, best, judged()),
            // Not worse than what could be reached at best in this game so far by more than that.
            (Some(deviation), Some(epsilon)) if best >= self.most(deviation).less(epsilon) => {
                self.draw(&behind, deviation, epsilon, judged())
            }
            (Some(deviation), _) => none(format!(
                "the position is worth {}, the best move of the book {}",
                self.worth(deviation),
                self.shown(best)
            )),
        };
        let is_won =
            |place: usize| behind[place].as_ref().is_some_and(|one| one.value == Value::WIN);
        let is_sure = choice.chosen.is_some_and(is_won);
        self.options.unknown.heeded(choice, self.at, |place| all[place].is_none() && !is_sure)
    }

    /// Marks what has too small a share of the games of another, where games are all that is known.
    fn find_rare(&self, all: &mut [Option<Behind>]) {
        if self.view.unit != Unit::Score {
            return;
        }
        let games: Vec<u64> = self.at.candidates.iter().map(Candidate::games_there).collect();
        let known = all.iter().zip(&games).filter(|(behind, _)| behind.is_some());
        let most = known.map(|(_, &games)| games).max().unwrap_or(0);
        let least = self.options.min_share.unwrap_or(FLOOR_SHARE);
        for (behind, games) in all.iter_mut().zip(games) {
            let Some(behind) = behind else { continue };
            let is_sure = self.view.graph.proof(behind.to).is_some()
                || self.view.unexpanded == Unexpanded::Own && behind.value.is_sure();
            behind.rare = (!is_sure).then(|| too_rare(least, games, most, "games")).flatten();
        }
    }

    fn side(&self) -> Side {
        self.view.side
    }

    fn here(&self) -> Option<u32> {
        let present = self.at.history.present();
        self.view.graph.find(present.key, present.position.side())
    }

    fn behind(&self, candidate: &Candidate<G::Move>) -> Option<Behind> {
        let next = self.at.history.present().after(&candidate.played);
        let to = self.view.graph.find(next.key, next.position.side())?;
        let value = self.solved.value_of_move(to, self.side())?;
        Some(Behind { to, value, rare: None })
    }

    /// What the moves are worth that the book lacks here, if its eval stands for them.
    fn deviation(&self) -> Option<Value> {
        let here = self.here().filter(|&here| {
            self.view.graph.proof(here).is_none() && self.view.own_is_a_move(here)
        })?;
        self.solved.own(&self.view, here, self.side())
    }

    /// Whether there are other moves, and the position isn't lost whatever is played.
    fn may_do_otherwise(&self) -> bool {
        let present = self.at.history.present();
        let legal = present.position.legal();
        let known = self.at.candidates;
        let lacks = |played: &G::Move| {
            known.binary_search_by_key(&present.code(played), |known| known.code).is_err()
        };
        let proof = self.here().and_then(|here| self.view.graph.proof(here));
        proof != Some(Proof::Loss) && legal.iter().any(lacks)
    }

    /// What could be reached at best in this game so far (Buro's v_max).
    fn most(&self, now: Value) -> Value {
        let find = |node: &Node<G>| self.view.graph.find(node.key, node.position.side());
        let earlier = self.at.history.own().filter_map(|node| self.reached(find(node)?));
        earlier.fold(now, Value::max)
    }

    /// What could be reached at best in a position of this side: what it is worth, or, where that is
    /// only the record of its games, the best of its moves.
    fn reached(&self, at: u32) -> Option<Value> {
        if self.view.graph.proof(at).is_some() || self.view.is_backed_up(at) {
            return self.solved.value(at, self.side());
        }
        let moves = self.view.playable(at);
        moves.filter_map(|played| self.solved.value_of_move(played.to, self.side())).max()
    }

    /// The best move.
    fn best(&self, behind: &[Option<Behind>], best: Value, mut judged: Vec<Judged>) -> Choice {
        let equal = || {
            (0..behind.len())
                .filter(|&place| behind[place].as_ref().is_some_and(|behind| behind.value == best))
        };
        let preferred = equal().min_by(|&a, &b| self.compare(behind, a, b));
        let is_deviation_better = |place: usize| {
            self.deviation() == Some(best)
                && self.at.history.times(self.at.candidates[place].key) > 0
        };
        if let Some(place) = preferred.filter(|&place| is_deviation_better(place)) {
            let why = format!(
                "moves that the book lacks are worth {} as well, and {} repeats a position",
                self.worth(best),
                self.notation(place)
            );
            return Choice { chosen: None, judged, why };
        }
        let count = equal().count();
        let why = match count {
            1 => format!("best by negamax, worth {}", self.worth(best)),
            _ => {
                format!("one of {count} moves that are best by negamax, worth {}", self.worth(best))
            }
        };
        self.add_line(preferred, behind, &mut judged);
        Choice { chosen: preferred, judged, why }
    }

    /// Of two moves that are worth the same, the better first.
    fn compare(&self, behind: &[Option<Behind>], a: usize, b: usize) -> Ordering {
        let steps =
            |place: usize| behind[place].as_ref().map_or(0, |behind| self.solved.steps(behind.to));
        let is_repetition =
            |place: usize| behind[place].as_ref().map(|one| one.value.cmp(&self.repetition()));
        let by_steps = match is_repetition(a) {
            Some(Ordering::Greater) => steps(a).cmp(&steps(b)),
            Some(Ordering::Less) => steps(b).cmp(&steps(a)),
            _ => Ordering::Equal,
        };
        let games = |place: usize| self.at.candidates[place].games();
        by_steps.then(games(b).cmp(&games(a))).then(a.cmp(&b))
    }

    /// What a repetition is worth to who chooses.
    fn repetition(&self) -> Value {
        seen(self.view.repetition(), self.side())
    }

    /// One of the lines that are good enough.
    fn draw(
        &self,
        behind: &[Option<Behind>],
        now: Value,
        epsilon: u16,
        mut judged: Vec<Judged>,
    ) -> Choice {
        let most = self.most(now);
        let is_lost_to = |aim: Value| behind.iter().flatten().all(|behind| behind.value < aim);
        let (top, is_anew) =
            if is_lost_to(most.less(epsilon)) { (now, true) } else { (most, false) };
        let mut paths = Paths::new(
            &self.view,
            self.solved,
            self.side(),
            Value::on_a_line(top.less(epsilon)..=top),
        );
        let counts: Vec<u128> =
            behind.iter().map(|one| one.as_ref().map_or(0, |one| paths.from(one.to))).collect();
        let most_bits = counts.iter().map(|count| 128 - count.leading_zeros()).max().unwrap_or(0);
        let weights: Vec<u64> =
            counts.iter().map(|count| (count >> most_bits.saturating_sub(64)) as u64).collect();
        let total: f64 = weights.iter().map(|&weight| weight as f64).sum();
        for ((judged, &count), &weight) in judged.iter_mut().zip(&counts).zip(&weights) {
            let count = u64::try_from(count).map_or(Figure::Value(count as f64), Figure::Count);
            judged
                .figures
                .extend([("paths", count), ("chance", Figure::Score(weight as f64 / total))]);
        }
        let chosen = self.at.seed.of_ply(self.at.history.plies()).weighted(&weights);
        self.add_line(chosen, behind, &mut judged);
        let since = if is_anew { "now" } else { "so far" };
        let why = format!(
            "drawn among the lines worth {} to {}, the best {since}",
            self.worth(top.less(epsilon)),
            self.shown(top)
        );
        Choice { chosen, judged, why }
    }

    /// Why a move has no value: what is known of the position behind it, and isn't asked for.
    fn why_unknown(&self, candidate: &Candidate<G::Move>) -> &'static str {
        let next = self.at.history.present().after(&candidate.played);
        let is_read = self.view.graph.find(next.key, next.position.side()).is_some();
        match (is_read, self.view.unit) {
            (false, _) if candidate.made.is_none() => "nobody played it (transpositions=no)",
            (false, _) => "the position behind it has fewer games than min-games",
            (true, Unit::Eval) => "the position behind it has no eval",
            (true, Unit::Score) => "no game came to the position behind it",
        }
    }

    fn judged(&self, candidate: &Candidate<G::Move>, behind: Option<&Behind>) -> Judged {
        let mut figures = vec![("games", Figure::Count(candidate.games_there()))];
        let Some(&Behind { to, value, ref rare }) = behind else {
            let out = Some(self.why_unknown(candidate).to_owned());
            return Judged { figures, out };
        };
        let told = match value.number() {
            None => Figure::Word(self.shown(value)),
            Some(number) if self.view.unit == Unit::Score => Figure::Score(Unit::part(number)),
            Some(number) => Figure::Value(f64::from(number)),
        };
        figures.push(("value", told));
        if value != self.repetition() {
            figures.push(("plies", Figure::Count(u64::from(self.solved.steps(to)) + 1)));
        }
        Judged { figures, out: rare.clone() }
    }

    /// A value in words, with what it is.
    fn worth(&self, value: Value) -> String {
        let what = match value.number() {
            None => "",
            Some(_) if self.view.unit == Unit::Score => "a score of ",
            Some(_) => "an eval of ",
        };
        format!("{what}{}", self.shown(value))
    }

    /// A value in words: where draws count as wins or losses it isn't sure which of them it is.
    fn shown(&self, value: Value) -> String {
        match value.number() {
            Some(number) if self.view.unit == Unit::Score => {
                return percent(Unit::part(number), 1);
            }
            Some(number) => return format!("{number:+}"),
            None => {}
        }
        let draws = &self.view.draws;
        let is_own = draws.side.is_none_or(|side| side == self.side());
        let counts_as = |value| draws.public == value || draws.private == value;
        let (won, lost) = if is_own {
            (DrawValue::Win, DrawValue::Loss)
        } else {
            (DrawValue::Loss, DrawValue::Win)
        };
        let is_open =
            value == Value::WIN && counts_as(won) || value == Value::LOSS && counts_as(lost);
        if is_open { format!("{value} or draw") } else { value.to_string() }
    }

    fn notation(&self, place: usize) -> String {
        self.at.history.present().position.notation(&self.at.candidates[place].played)
    }

    /// Says of the chosen move what is expected to be played, and why the book ends there.
    fn add_line(&self, chosen: Option<usize>, behind: &[Option<Behind>], judged: &mut [Judged]) {
        let Some(place) = chosen else { return };
        let Some(behind) = &behind[place] else { return };
        let variation = variation(&self.view, self.solved, behind.to);
        let mut words = vec![self.notation(place)];
        let mut node = self.at.history.present().after(&self.at.candidates[place].played);
        for pair in variation.positions.windows(2) {
            let edge = self.view.played(pair[0]).find(|played| played.to == pair[1]);
            // A board that is the image of one that the graph was found with has the same codes;
            // other boards of one key may not.
            let Some(played) = edge.and_then(|edge| node.move_of_code(edge.code)) else { break };
            words.push(node.position.notation(&played));
            node = node.after(&played);
        }
        let end = match variation.end {
            End::Leaf => "leaf",
            End::Deviation => "deviation",
            End::Repetition => "repetition",
        };
        let line = [("line", words.join(" ")), ("end", end.to_owned())];
        judged[place].figures.extend(line.map(|(name, word)| (name, Figure::Word(word))));
    }
}
