//! From rows to values: books of random graphs against brute force by the documented rules.

use crate::memory::Memory;
use crate::negamax::solving::{Tiny, TinyPlace, side};
use crate::negamax::toy::{Place, Toy, key};
use proptest::prelude::*;
use tabia::{Counts, Flags, Marks, MoveRow, PositionRow};
use tabia_games::{Outcome, Side};
use tabia_play::negamax::{
    DrawPolicy, DrawValue, Graph, GraphOptions, GraphView, Unexpanded, Unit, Value, solve,
};

/// A position and its rows.
#[derive(Clone, Debug)]
struct Drawn {
    place: Place,
    row: Option<(Option<i16>, Flags)>,
    /// Of each legal move, its marks if the book has it.
    moves: Vec<Option<Marks>>,
}

fn drawn(all: usize) -> impl Strategy<Value = Drawn> {
    let outcome = prop_oneof![
        Just(None),
        Just(Some(Outcome::FirstWins)),
        Just(Some(Outcome::Draw)),
        Just(Some(Outcome::SecondWins))
    ];
    let flags = prop_oneof![4 => Just(Flags::empty()), 3 => Just(Flags::EXPANDED), 2 => (0u8..32).prop_map(Flags::from_bits_truncate)];
    let row = prop::option::weighted(0.8, (prop::option::weighted(0.6, -2i16..3), flags));
    let mark = prop_oneof![5 => Just(Marks::empty()), 1 => Just(Marks::NEVER), 1 => Just(Marks::ALWAYS), 1 => Just(Marks::NEVER | Marks::ALWAYS), 1 => Just(Marks::GOOD)];
    let moves = prop::collection::vec((0..all, prop::option::weighted(0.8, mark)), 0..3);
    (side(), outcome, row, moves).prop_map(|(side, outcome, row, moves)| {
        let (to, moves): (Vec<usize>, Vec<Option<Marks>>) = moves.into_iter().unzip();
        let outcome = outcome.filter(|_| to.is_empty());
        Drawn { place: Place { side, moves: to, outcome }, row, moves }
    })
}

fn all_drawn() -> impl Strategy<Value = Vec<Drawn>> {
    (1usize..7).prop_flat_map(|all| (0..all).map(|_| drawn(all).boxed()).collect::<Vec<_>>())
}

fn memory(all: &[Drawn]) -> Memory {
    let mut memory = Memory::default();
    for (at, drawn) in all.iter().enumerate() {
        if let Some((eval, flags)) = drawn.row {
            let row = PositionRow::new(key(at), Counts::default()).with_flags(flags);
            memory.add_position(eval.map_or(row, |eval| row.with_eval(eval, 1)));
        }
        for (code, marks) in
            (0..).zip(&drawn.moves).filter_map(|(code, marks)| Some((code, (*marks)?)))
        {
            memory.add_move(MoveRow::new(key(at), code, Counts::new(1, 0, 0)).with_marks(marks));
        }
    }
    memory
}

/// The same as a graph of all positions, by the rules.
fn tiny(all: &[Drawn], draws: DrawPolicy, unexpanded: Unexpanded, transpositions: bool) -> Tiny {
    let player = draws.side.unwrap_or(Side::First);
    let draw = |worth| match (worth, player) {
        (DrawValue::Even, _) => Value::EVEN,
        (DrawValue::Win, Side::First) | (DrawValue::Loss, Side::Second) => Value::WIN,
        _ => Value::LOSS,
    };
    let place = |drawn: &Drawn| {
        let (side, known) = (drawn.place.side, drawn.row.map_or(Flags::empty(), |row| row.1));
        let by_first = |value: Value| if side == Side::First { value } else { -value };
        let is_in = |code: usize| {
            drawn.moves[code].is_some()
                || transpositions && all[drawn.place.moves[code]].row.is_some()
        };
        let book: Vec<usize> = (0..drawn.moves.len()).filter(|&code| is_in(code)).collect();
        let proof = match known & Flags::PROOFS {
            Flags::PROVEN_WIN => Some(by_first(Value::WIN)),
            Flags::PROVEN_LOSS => Some(by_first(Value::LOSS)),
            Flags::PROVEN_DRAW => Some(draw(if known.contains(Flags::PUBLIC_DRAW) {
                draws.public
            } else {
                draws.private
            })),
            _ => None,
        };
        let ended = drawn.place.outcome.filter(|_| book.is_empty()).map(|outcome| match outcome {
            Outcome::FirstWins => Value::WIN,
            Outcome::SecondWins => Value::LOSS,
            Outcome::Draw => {
                draw(if known.contains(Flags::PUBLIC_DRAW) { draws.public } else { draws.private })
            }
        });
        let sure = ended.or(proof);
        let own =
            sure.or_else(|| drawn.row.and_then(|row| row.0).map(|eval| by_first(Value::new(eval))));
        let always = |marks: Marks| marks & (Marks::ALWAYS | Marks::NEVER) == Marks::ALWAYS;
        let has_always = drawn.moves.iter().flatten().any(|&marks| always(marks));
        let may = |code: &usize| {
            let marks = drawn.moves[*code].unwrap_or_default();
            side == Side::Second || !marks.contains(Marks::NEVER) && (!has_always || always(marks))
        };
        // A position whose flag is honored: something is known behind each of its moves.
        let is_known = |(code, marks): (usize, &Option<Marks>)| {
            let to = drawn.place.moves[code];
            marks.is_none() || all[to].row.is_some() || all[to].place.outcome.is_some()
        };
        let is_expanded =
            known.contains(Flags::EXPANDED) && drawn.moves.iter().enumerate().all(is_known);
        let has_eval = drawn.row.is_some_and(|row| row.0.is_some());
        let is_backed_up = unexpanded == Unexpanded::Moves
            || is_expanded
            || has_eval
            || side == Side::First && has_always;
        let moves = if sure.is_some() || !is_backed_up {
            Vec::new()
        } else {
            book.into_iter().filter(may).map(|code| drawn.place.moves[code] as u32).collect()
        };
        let own_is_a_move =
            unexpanded == Unexpanded::Own && !is_expanded && !(side == Side::First && has_always);
        TinyPlace { side, moves, own, own_is_a_move }
    };
    Tiny { places: all.iter().map(place).collect(), repetition: draw(draws.private) }
}

fn worth() -> impl Strategy<Value = DrawValue> {
    prop_oneof![Just(DrawValue::Even), Just(DrawValue::Win), Just(DrawValue::Loss)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn values_are_those_of_the_rules(
        all in all_drawn(), public in worth(), private in worth(), of in prop::option::of(side()), own: bool, transpositions: bool,
    ) {
        let (toy, memory) = (Toy::new(all.iter().map(|drawn| drawn.place.clone()).collect()), memory(&all));
        let draws = DrawPolicy { public, private, side: of };
        let unexpanded = if own { Unexpanded::Own } else { Unexpanded::Moves };
        let reading = GraphOptions { transpositions: Some(transpositions), ..GraphOptions::default() };
        let mut graph = Graph::read(&memory, &toy.node(), reading).unwrap();
        // Starts that aren't reached from the first one are read in turn.
        for at in 1..all.len() {
            graph.grow(&memory, &toy.stand(at).node(), reading).unwrap();
        }
        prop_assert_eq!(graph.len() as usize, all.len());
        let view = GraphView { graph: &graph, unit: Unit::Eval, side: Side::First, draws, unexpanded, replies: None };
        let solved = solve(&view);
        let by_force = tiny(&all, draws, unexpanded, transpositions).by_force();
        for (at, by_force) in by_force.into_iter().enumerate() {
            let number = graph.find(key(at), all[at].place.side).unwrap();
            prop_assert_eq!(solved.value(number, Side::First), by_force.map(|(sure, _)| sure), "position {}", at);
        }
    }
}
