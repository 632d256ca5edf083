//! What a book says of how its archives were read: the options that change what counts, where they
//! aren't what they are by default.
//!
//! So books of equal games are equal however they came to be: built at once, merged, added to.

use crate::dedup::SameBy;
use crate::error::{BuildError, Result};
use crate::plan::BuildPlan;
use tabia::Fact;
use tabia::format::{Digest, Keyed, Source};
use tabia_archives::filter::{Filter, RatingOf, TimeClass};
use tabia_archives::{Format, Scored, UnknownResults, Wanted};
use tabia_games::{Game, Known, Outcome, Side, is_chess};

/// The option that says which copies of games are left out.
pub(crate) const DEDUP: &str = "dedup";

/// Options and their values.
#[derive(Debug, Default)]
pub(crate) struct PlanFacts(pub Vec<(&'static str, String)>);

/// The option that says how many plies of a game count.
pub(crate) const MAX_PLY: &str = "max-ply";

/// The facts of a book that was built by this plan from these archives, whose games are kept in a file
/// beside it or aren't.
pub(crate) fn facts_of(plan: &BuildPlan, sources: &[Source], kept: bool) -> Result<Vec<Fact>> {
    let mut facts = PlanFacts::of(plan).facts(sources)?;
    for source in sources.iter().filter(|_| kept) {
        facts.push(fact(source.digest, Fact::GAMES.to_owned(), "kept".to_owned())?);
    }
    for (source, slice) in sources.iter().zip(plan.read.slice.iter().cycle()) {
        facts.push(fact(source.digest, Fact::SLICE.to_owned(), slice.to_string())?);
    }
    facts.extend(of_evals(plan)?);
    Ok(facts)
}

impl PlanFacts {
    /// What is asked for beyond what is done by default.
    pub fn of(asked: &BuildPlan) -> Self {
        let (mut plan, game, wanted) = (Self::default(), &asked.read.game, &asked.read.wanted);
        plan.of_game(game, wanted);
        plan.of_filter(game, &wanted.filter);
        plan.some("side", asked.side.map(|side| color(game, side)));
        plan.some(MAX_PLY, asked.max_ply);
        plan.some("min-games", Some(asked.min_games).filter(|&games| games > 1));
        plan.some("join-split", (!asked.read.join_split).then_some("off"));
        plan.some("lines", (asked.read.format == Some(Format::Lines)).then_some("yes"));
        let counts = wanted.unknown_results == UnknownResults::Count;
        plan.some("results", counts.then_some("unknown"));
        if let Some((dedup, by)) = asked.dedup {
            plan.some(DEDUP, Some(dedup));
            plan.some("dedup-by", Some(by).filter(|&by| by != SameBy::Moves));
        }
        plan
    }

    /// What is only said of some games, and what their rows are of.
    fn of_game(&mut self, game: &Known, wanted: &Wanted) {
        let usual = Known::all().find(|known| known.name() == game.name());
        let is_usual = usual.is_some_and(|usual| usual.is_game_of(game));
        let images = match game.keys() {
            "zobrist" => "none",
            "zobrist-16" => "colors",
            _ => "board",
        };
        self.some("images", (!is_usual).then_some(images));
        self.some("keyed", (wanted.keyed == Keyed::Line).then_some("line"));
        self.some("variations", wanted.variations.then_some("yes"));
        self.some("set-up", wanted.set_up.then_some("yes"));
        self.some("corners", wanted.corners);
        self.some("komi", wanted.komi);
        self.some("area-score", Some(wanted.scored).filter(|&scored| scored != Scored::Finished));
    }

    fn of_filter(&mut self, game: &Known, filter: &Filter) {
        self.some("min-rating", filter.ratings.min);
        self.some("max-rating", filter.ratings.max);
        let is_said = |&of: &RatingOf| of != RatingOf::Both && filter.ratings.is_set();
        self.some("rating-of", Some(filter.ratings.of).filter(is_said));
        self.some("since", filter.dates.since);
        self.some("until", filter.dates.until);
        self.one_of("time-control", TimeClass::ALL, &filter.time_controls, |class| class.name());
        for player in &filter.players {
            self.some("player", Some(player));
        }
        self.some("color", filter.color.map(|side| color(game, side)));
        let outcomes = [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins];
        self.one_of("result", outcomes, &filter.results, |outcome| ending(game, outcome));
        self.some("variant", filter.variant);
        self.some("min-plies", Some(filter.min_plies).filter(|&plies| plies > 0));
    }

    fn some(&mut self, option: &'static str, value: Option<impl ToString>) {
        self.0.extend(value.map(|value| (option, value.to_string())));
    }

    /// An option of which some of all values are asked for, in their own order.
    fn one_of<T: Copy + PartialEq>(
        &mut self,
        option: &'static str,
        all: impl IntoIterator<Item = T>,
        some: &[T],
        name: impl Fn(T) -> &'static str,
    ) {
        let names: Vec<_> =
            all.into_iter().filter(|value| some.contains(value)).map(name).collect();
        self.some(option, (!names.is_empty()).then(|| names.join(",")));
    }

    /// The facts of a book that say so of these archives.
    fn facts(&self, sources: &[Source]) -> Result<Vec<Fact>> {
        let all = sources
            .iter()
            .flat_map(|source| self.0.iter().map(move |option| (source.digest, option)));
        all.map(|(archive, (option, value))| {
            fact(archive, format!("{}{option}", Fact::PLAN), value.clone())
        })
        .collect()
    }
}

/// What a book says of evals that came from archives; nothing, if such games have none.
fn of_evals(plan: &BuildPlan) -> Result<Option<Fact>> {
    let Some(unit) = eval_unit(plan.read.game.name()) else { return Ok(None) };
    let has_evals = plan.read.wanted.evals && plan.tables.positions;
    let value = || format!("engine=annotations; limit=as annotated; unit={unit}");
    has_evals.then(|| fact(Digest::NONE, Fact::EVALS.to_owned(), value())).transpose()
}

/// What evals of the game of this name are counted in; none if they are not known to have a unit.
pub(crate) fn eval_unit(game: &str) -> Option<&'static str> {
    match game {
        "othello" => Some("discs"),
        "checkers" | "draughts-10" => Some("centipawns"),
        game => is_chess(game).then_some("centipawns"),
    }
}

fn fact(subject: Digest, name: String, value: String) -> Result<Fact> {
    Fact::new(subject, name, value).map_err(|why| BuildError::Plan(why.to_owned()))
}

pub(crate) fn color(game: &Known, side: Side) -> String {
    game.sides()[side.index()].to_lowercase()
}

/// An outcome as the option --result has it: White's points first.
pub(crate) fn ending(game: &Known, outcome: Outcome) -> &'static str {
    match outcome.winner().map(|winner| game.sides()[winner.index()]) {
        None => "1/2-1/2",
        Some("White") => "1-0",
        Some(_) => "0-1",
    }
}

#[cfg(all(test, feature = "default"))]
pub(crate) mod tests {
    use super::*;
    use crate::dedup::Dedup;
    use tabia_archives::Options;
    use tabia_archives::filter::{Dates, RatingRange, Variant};
    use tabia_games::{Chess, Othello};

    fn plan(read: Options) -> BuildPlan {
        BuildPlan { read, ..BuildPlan::new(Known::Chess(Chess::start())) }
    }

    fn of(read: Options) -> Vec<(&'static str, String)> {
        PlanFacts::of(&plan(read)).0
    }

    #[test]
    fn what_is_done_by_default_is_not_said() {
        assert_eq!(of(Options::default()), []);
        for game in Known::all() {
            let usual = Known::all().find(|known| known.name() == game.name());
            let is_usual = usual.is_some_and(|usual| usual.is_game_of(&game));
            assert_eq!(of(Options { game, ..Options::default() }).is_empty(), is_usual);
        }
        let source = Source { digest: Digest([7; 16]), games: 1, name: String::new() };
        assert!(PlanFacts::default().facts(&[source]).is_ok_and(|facts| facts.is_empty()));
    }

    /// A plan with everything that changes what counts.
    pub fn everything() -> BuildPlan {
        let filter = Filter {
            ratings: RatingRange { min: Some(2600), max: Some(2900), of: RatingOf::Average },
            dates: Dates { since: "2020.05".parse().ok(), until: "2021".parse().ok() },
            time_controls: vec![TimeClass::Rapid, TimeClass::Blitz],
            players: vec!["Carlsen, M".parse().unwrap(), "Tal".parse().unwrap()],
            color: Some(Side::Second),
            results: vec![Outcome::SecondWins, Outcome::Draw],
            variant: Some(Variant::Chess960),
            min_plies: 9,
        };
        let unknown_results = UnknownResults::Count;
        let wanted = Wanted {
            filter,
            keyed: Keyed::Line,
            unknown_results,
            set_up: true,
            variations: true,
            corners: Some(11),
            ..Wanted::default()
        };
        let wanted = Wanted { scored: Scored::All, komi: "6.5".parse().ok(), ..wanted };
        let game = Known::Othello(Othello::without_symmetry());
        let mut plan = plan(Options {
            game,
            wanted,
            join_split: false,
            format: Some(Format::Lines),
            ..Options::default()
        });
        (plan.side, plan.max_ply, plan.min_games) = (Some(Side::First), Some(40), 3);
        plan.dedup = Some((Dedup::Prefix, SameBy::MovesAndPlayers));
        plan
    }

    #[test]
    fn every_option_that_changes_what_counts_is_said() {
        let plan = PlanFacts::of(&everything()).0;
        let mut said: Vec<_> =
            plan.iter().map(|(option, value)| format!("{option}={value}")).collect();
        said.sort();
        let expected = "area-score=all|color=white|corners=11|dedup-by=moves+players|dedup=prefix|\
            images=none|join-split=off|keyed=line|komi=6.5|lines=yes|max-ply=40|max-rating=2900|\
            min-games=3|min-plies=9|min-rating=2600|player=carlsen, m|player=tal|\
            rating-of=average|result=1/2-1/2,1-0|results=unknown|set-up=yes|side=black|\
            since=2020.05|time-control=blitz,rapid|until=2021|variant=chess960|variations=yes";
        assert_eq!(said.join("|"), expected);
    }

    #[test]
    fn evals_are_annotations_in_the_unit_of_the_game() {
        let options = |game, evals| {
            plan(Options {
                game,
                wanted: Wanted { evals, ..Wanted::default() },
                ..Options::default()
            })
        };
        let value = |plan: BuildPlan| {
            of_evals(&plan).ok().flatten().map(|fact| (fact.is_of_book(), fact.value().to_owned()))
        };
        let chess = || Known::Chess(Chess::start());
        assert_eq!(value(options(chess(), false)), None);
        let said = |unit: &str| {
            Some((true, format!("engine=annotations; limit=as annotated; unit={unit}")))
        };
        assert_eq!(value(options(chess(), true)), said("centipawns"));
        assert_eq!(value(options(Known::Othello(Othello::start()), true)), said("discs"));
    }
}
