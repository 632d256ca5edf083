//! Rules that draw: their chances, and that the same seed draws the same.

use crate::memory::{Memory, history, judged};
use crate::shared::{name, player};
use std::collections::BTreeMap;
use tabia::format::Keyed;
use tabia_games::{Chess, Game};
use tabia_play::choice::{Figure, Limits, Mixture, Player, RuleSpec, Seed};

fn book() -> Memory {
    Memory::default().made("e4 5/2/0, d4 1/0/9, c4 0/4/0, a4 0/0/7")
}

fn chance(book: &Memory, rule: &str, name: &str) -> Option<f64> {
    let decision = book.decided(rule, "");
    judged(&decision, name).figures.iter().find_map(|(figure, value)| match value {
        Figure::Score(chance) if *figure == "chance" => Some(*chance),
        _ => None,
    })
}

/// How often each move is chosen in so many games.
fn drawn(book: &Memory, rule: &str, games: u64) -> BTreeMap<String, u64> {
    let history = history("", Keyed::Position);
    let mut player = player(book, rule, &history);
    let mut drawn = BTreeMap::new();
    for game in 0..games {
        player.seed = Seed { seed: 3, game };
        let decision = player.decide(&history, &Limits::default()).unwrap();
        let name = name(&history, &decision).unwrap_or_else(|| "none".to_owned());
        *drawn.entry(name).or_default() += 1;
    }
    drawn
}

#[test]
fn random_goes_by_points_as_polyglot_does_or_by_games() {
    let chances = |rule| ["e4", "d4", "c4", "a4"].map(|name| chance(&book(), rule, name).unwrap());
    assert_eq!(chances("random"), [12.0 / 18.0, 2.0 / 18.0, 4.0 / 18.0, 0.0]);
    assert_eq!(chances("random(games)"), [7.0 / 28.0, 10.0 / 28.0, 4.0 / 28.0, 7.0 / 28.0]);
    let drawn = drawn(&book(), "random", 9000);
    // Four standard deviations: 179, 120, 158.
    assert!(
        drawn["e4"].abs_diff(6000) < 179
            && drawn["d4"].abs_diff(1000) < 120
            && drawn["c4"].abs_diff(2000) < 158,
        "{drawn:?}"
    );
    assert!(!drawn.contains_key("a4") && drawn.len() == 3);
    let why = book().chosen("random", "").1;
    assert!(why.starts_with("drawn from 3 moves with a chance of "), "{why}");
    let few = Memory::default().made("e4 0/0/3");
    few.refuses("random", "", "points is 0 for all moves");
    let why = few.made("d4 1/0/0").chosen("random", "").1;
    assert_eq!(why, "the only move that can be drawn");
}

#[test]
fn softmax_is_boltzmanns() {
    let scores = [("e4", 6.0 / 7.0), ("d4", 0.1), ("c4", 0.5), ("a4", 0.0f64)];
    for t in [0.05, 0.1, 0.7, 100.0] {
        let total: f64 = scores.iter().map(|(_, score)| (score / t).exp()).sum();
        for (name, score) in scores {
            let found = chance(&book(), &format!("softmax(t={t}),min-games=0"), name).unwrap();
            assert!((found - (score / t).exp() / total).abs() < 1e-12, "{name} at {t}: {found}");
        }
    }
    let got = drawn(&book(), "softmax(t=0.000001),min-games=0", 50);
    assert_eq!(got, BTreeMap::from([("e4".to_owned(), 50)]));
    let evals = Memory::default().evals("e4 10, d4 0, c4 -32767");
    let found = chance(&evals, "softmax(t=10,of=eval)", "d4").unwrap();
    assert!((found - 1.0 / (1.0 + 1f64.exp())).abs() < 1e-12);
    assert_eq!(chance(&evals, "softmax(t=10,of=eval)", "c4"), Some(0.0));
}

#[test]
fn a_margin_gives_each_near_move_the_same_chance() {
    let evals = Memory::default().evals("e4 30, d4 20, c4 10");
    let chances = |rule| ["e4", "d4", "c4"].map(|name| chance(&evals, rule, name).unwrap());
    assert_eq!(chances("eval(margin=9)"), [1.0, 0.0, 0.0]);
    assert_eq!(chances("eval(margin=10)"), [0.5, 0.5, 0.0]);
    assert_eq!(chances("eval(margin=20)"), [1.0 / 3.0; 3]);
    assert_eq!(chance(&book(), "q,min=none,margin=35.7", "c4"), Some(0.0));
    assert_eq!(chance(&book(), "q,min=none,margin=35.72", "c4"), Some(0.5));
}

/// Machines and later versions shall draw the same. The moves expected are those of another
/// implementation (SplitMix64 and the weights in Python).
#[test]
fn the_same_dice_draw_the_same() {
    let moves = |rule: &str, seed| {
        let names = (0..12).map(|game| {
            let decision = book().drawn(rule, "", Seed { seed, game });
            Chess::start().notation(decision.played().unwrap())[..1].to_owned()
        });
        names.collect::<String>()
    };
    let found = [
        moves("random", 1),
        moves("random", 2),
        moves("random(games)", 1),
        moves("softmax(t=0.5),min-games=0", 1),
    ];
    assert_eq!(found, DRAWN);
    assert_eq!(found[0], moves("random", 1));
}

const DRAWN: [&str; 4] = ["cceceeeedcee", "eceeeecdeece", "addddacaadde", "ceaececddcdc"];

/// A player who draws the rules of each side by these weights.
fn mixed<'a>(book: &'a Memory, sides: [&[(&str, u64)]; 2]) -> Player<'a, Chess> {
    let rule = |&(name, weight): &(&str, u64)| (name.parse().unwrap(), weight);
    let sides = sides.map(|side| side.iter().map(rule).collect());
    let spec = RuleSpec::Mixture(Mixture { sides });
    let start = history("", Keyed::Position);
    Player::new(book, spec.prepare(book, None, start.present()).unwrap(), Seed { seed: 5, game: 0 })
}

#[test]
fn a_mixture_draws_once_a_game_for_each_side() {
    let book = book().made("g3 e5 1/0/0");
    let sides: [&[_]; 2] = [&[("q", 3), ("games", 1), ("best", 0)], &[("q", 1), ("games", 1)]];
    let mut player = mixed(&book, sides);
    let courses = ["", "g3"].map(|moves| history(moves, Keyed::Position));
    let drawn = (0..4000).map(|game| {
        player.seed.game = game;
        let of = |course| player.decide(course, &Limits::default()).unwrap().choice.why;
        courses.each_ref().map(|course| of(course).split(',').next().unwrap().to_owned())
    });
    let drawn: Vec<[String; 2]> = drawn.collect();
    let count = |test: &dyn Fn(&[String; 2]) -> bool| drawn.iter().filter(|it| test(it)).count();
    // Four standard deviations: 110, 127; both at once 3/8, if they are drawn independently: 122.
    assert!(count(&|[white, _]| white == "q").abs_diff(3000) < 110);
    assert!(count(&|[_, black]| black == "q").abs_diff(2000) < 127);
    assert!(count(&|both| both == &["q", "q"]).abs_diff(1500) < 122);
    assert_eq!(count(&|[white, _]| white == "best"), 0);
    let none = mixed(&book, [&[], &[]]).decide(&courses[0], &Limits::default()).unwrap();
    assert_eq!(none.choice.why, "the mixture has no strategy for White");
}

/// Of 10,000 games 500 are expected, give or take twice 22; which they are follows from the seed.
#[test]
fn exploring_rejects_moves_in_its_share_of_the_turns() {
    let often = |rule: &str| drawn(&book(), rule, 10_000);
    let none = |rule: &str| often(rule).get("none").copied().unwrap_or(0);
    let shares = ["games", "games,explore=0", "games,explore=5", "games,explore=100"].map(none);
    assert_eq!(shares, [0, 0, 542, 10_000]);
    assert_eq!(none("random,explore=5"), none("games,explore=5"), "whatever the rule");
    // What is chosen otherwise is chosen as without it.
    let (with, without) = (often("random,explore=50"), often("random"));
    let nearly = |name: &str| with[name].abs_diff(without[name] / 2) < without[name] / 10;
    assert!(["e4", "d4", "c4"].into_iter().all(nearly), "{with:?} {without:?}");
    book().refuses("games,explore=100", "", "exploring: in 100 % of its turns");
}

/// A turn is drawn for by itself, the same each time.
#[test]
fn exploring_is_drawn_by_ply() {
    let decided = |ply: usize| Seed { seed: 11, game: 4 }.of_exploring(ply).below(100) < 20;
    let plies: Vec<usize> = (0..40).filter(|&ply| decided(ply)).collect();
    assert_eq!(plies, (0..40).filter(|&ply| decided(ply)).collect::<Vec<_>>());
    assert_eq!(plies, [5, 11, 13, 31, 34]);
}

#[test]
fn exploring_is_written_behind_any_rule() {
    for (text, written) in [
        ("games,explore=5,min-games=3", "games,min-games=3,explore=5"),
        ("lcb,min-games=5,explore=2.5", "lcb,min-games=5,explore=2.5"),
        ("negamax(epsilon=50),explore=5", "negamax(epsilon=50),explore=5"),
    ] {
        assert_eq!(text.parse::<RuleSpec>().map(|rule| rule.to_string()), Ok(written.to_owned()));
    }
    for (text, why) in [
        ("games,explore=101", "give a percentage"),
        ("games,explore=1,explore=2", "explore is given twice"),
        ("negamax,min-games=5,explore=2", "`min-games=5` behind negamax"),
    ] {
        let refused = text.parse::<RuleSpec>().unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}
