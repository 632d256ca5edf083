//! What a book knows of a position, which move a rule plays there, and the best games behind it.

use super::{Asked, asked};
use crate::games::top;
use crate::query::{self, Request};
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use serde::Serialize;
use tabia_gamefile::GameLookup;
use tabia_games::{Game, Known, KnownMove, Node, Outcome};
use tabia_play::choice::{GameHistory, Limits, Player, RuleSpec, Seed};
use tabia_play::explore::{Answer, Decided, Explorable, ListedGames, Named, Share};
use tabia_play::{GameFormat, game_text};

/// What is answered: what `tabia explore --json` prints, and what a board needs besides.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    book: &'a str,
    game: &'static str,
    /// The side to move: 0 or 1.
    side: usize,
    sides: [&'static str; 2],
    /// The moves played from the first position on.
    line: Vec<Named>,
    /// The position that the line starts from.
    from: String,
    legal: Vec<Legal>,
    /// How the game ended, if the rules say that it is over here: `first`, `second` or `draw`.
    outcome: Option<&'static str>,
    /// What the moves' games are shares of.
    whole: u64,
    /// Whose games these are: `position` or `moves`.
    whole_of: &'static str,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Debug, Serialize)]
struct Legal {
    #[serde(flatten)]
    name: Named,
    /// Its code in the book: moves that are images of each other have one.
    code: u16,
    /// Whether the same side moves again behind it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    again: bool,
}

pub fn explore(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let history = query::history(request, asked.game, asked.books.header().keyed)?;
    Ok(Reply::json(&Shown::new(&asked, &history)?)?.of_books(&asked.books))
}

impl<'a> Shown<'a> {
    fn new(asked: &Asked<'a>, history: &GameHistory<Known>) -> Result<Self, Refusal> {
        let answer = Answer::new(&asked.books, history, asked.names)?;
        let (node, position) = (history.present(), &history.present().position);
        let whole = answer.explored.whole();
        Ok(Self {
            book: asked.name,
            game: asked.game.name(),
            side: position.side().index(),
            sides: position.sides(),
            line: history
                .moves()
                .iter()
                .zip(history.nodes())
                .map(|(played, before)| Named::of(&before.position, played))
                .collect(),
            from: history.nodes()[0].position.setup(),
            legal: position.legal().iter().map(|played| Legal::new(node, played)).collect(),
            outcome: position.outcome().map(|outcome| match outcome {
                Outcome::FirstWins => "first",
                Outcome::SecondWins => "second",
                Outcome::Draw => "draw",
            }),
            whole: whole.games,
            whole_of: if whole.of == Share::OfPosition { "position" } else { "moves" },
            answer,
        })
    }
}

impl Legal {
    fn new(node: &Node<Known>, played: &KnownMove) -> Self {
        let position = &node.position;
        let again = position.after(played).side() == position.side();
        Self { name: Named::of(position, played), code: node.code(played), again }
    }
}

/// The rule where none is asked for: that of `tabia play`.
const RULE: &str = "games";

pub fn play(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let rule = request.text("rule").unwrap_or(RULE);
    let rule: RuleSpec = rule.parse().map_err(|error| Refusal::Bad(format!("rule: {error}")))?;
    if reads_whole(&rule) {
        return Err(Refusal::Bad(
            "rule: negamax reads a book whole: it is for `tabia play`".to_owned(),
        ));
    }
    let history = query::history(request, asked.game, asked.books.header().keyed)?;
    let rows = asked.books.rows();
    let seed = Seed { seed: request.number("seed", 1)?, game: 0 };
    let player = Player::new(rows, rule.prepare(rows, None, &history.nodes()[0])?, seed);
    let decision = player.decide(&history, &Limits::default())?;
    Ok(Reply::json(&Decided::new(&rule, &history, &decision))?.of_books(&asked.books))
}

/// Whether a rule reads all of a book before it can choose.
fn reads_whole(rule: &RuleSpec) -> bool {
    match rule {
        RuleSpec::Negamax(_) => true,
        RuleSpec::Exploring { rule, .. } => reads_whole(rule),
        RuleSpec::First(rules) => rules.iter().any(reads_whole),
        RuleSpec::Policy(_) | RuleSpec::Mixture(_) | RuleSpec::Always => false,
    }
}

/// How many games are told where the client doesn't say, and the most.
const GAMES: [usize; 2] = [8, 100];

/// The best games that pass a position.
pub fn games(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let count = request.number("top", GAMES[0])?.min(GAMES[1]);
    let books = &asked.books;
    let files = books.games()?;
    if files.is_empty() && books.first.game_files()?.is_empty() {
        return Err(Refusal::Missing("no games are beside this book".to_owned()));
    }
    let history = query::history(request, asked.game, books.header().keyed)?;
    let found = top(books, &files, history.present(), count)?;
    Ok(Reply::json(&ListedGames::new(history.present(), &found, true))?.of_books(books))
}

/// A game, in the notation that is usual for it.
pub fn game(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let files = asked.books.games()?;
    let missing = || Refusal::Missing("there is no such game".to_owned());
    let id = request.part("id")?.parse().map_err(|_| missing())?;
    let found = files.with_id(id)?;
    let game = found.first().ok_or_else(missing)?;
    let text = game_text(asked.game, game, GameFormat::of(asked.game.name()));
    let text = text.map_err(Refusal::failed)?;
    Ok(Reply::new("text/plain; charset=utf-8", text).of_books(&asked.books))
}
