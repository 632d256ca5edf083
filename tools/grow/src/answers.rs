//! What becomes of answers: rows of the book.

use crate::expansion::{Asked, Expansion, Target};
use crate::growing_book::Addition;
use crate::task::{Answer, Valued};
use std::collections::HashSet;
use tabia::{Counts, Flags, Key, MoveRow, PositionRow};
use tabia_engines::{Ending, Eval, EvalUnit};
use tabia_play::choice::RowLookup;

/// Why an answer doesn't fit its question; none if it does.
pub fn misfit(asked: &[Asked], answers: &[Answer]) -> Option<String> {
    if answers.len() != asked.len() {
        let (wanted, got) = (asked.len(), answers.len());
        return Some(format!("{got} answers to {wanted} questions"));
    }
    asked.iter().zip(answers).find_map(|(asked, answer)| misfit_of(asked, answer))
}

fn misfit_of(asked: &Asked, answer: &Answer) -> Option<String> {
    let question = &asked.question;
    let wanted = question.count.min(question.among.len());
    let got = answer.moves.len();
    let is_enough = got == question.among.len() || got >= wanted && !is_decided(&answer.moves);
    if got < wanted || !is_enough {
        return Some(format!("{got} moves where {wanted} were wanted, one of them not decided"));
    }
    let mut named = HashSet::new();
    answer.moves.iter().find_map(|valued| {
        if !question.among.contains(&valued.played) {
            Some(format!("the move `{}`", crate::error::shown(&valued.played)))
        } else if !named.insert(&valued.played) {
            Some(format!("the move `{}` twice", valued.played))
        } else {
            absurd(valued)
        }
    })
}

/// Whether it is sure how the game ends behind all of these moves, and none of them wins.
pub fn is_decided(moves: &[Valued]) -> bool {
    moves.iter().all(|valued| matches!(valued.sure, Some(Ending::Loss | Ending::Draw)))
}

/// Scores that no game has.
fn absurd(valued: &Valued) -> Option<String> {
    const MOST: u32 = 10_000_000;
    match valued.eval {
        Eval::Hundredths(hundredths) if hundredths.unsigned_abs() > MOST => {
            Some(format!("a score of {hundredths} hundredths for `{}`", valued.played))
        }
        Eval::Mate(moves) if moves.unsigned_abs() > MOST => {
            Some(format!("a mate in {moves} by `{}`", valued.played))
        }
        _ => None,
    }
}

/// The rows that answers which fit bring to a book that has these rows by now.
pub fn rows(
    expansion: &Expansion,
    answers: &[Answer],
    unit: EvalUnit,
    book: &dyn RowLookup,
) -> tabia::Result<Addition> {
    let mut addition = Addition::default();
    for found in &expansion.ends {
        let flags = Flags::from_bits_retain(found.target.ended);
        addition.positions.push(row(found.target.key).with_flags(flags));
        addition.moves.push(MoveRow::new(found.from, found.target.code, Counts::default()));
    }
    for (asked, answer) in expansion.asked.iter().zip(answers) {
        for valued in &answer.moves {
            let Some(place) = asked.question.among.iter().position(|word| *word == valued.played)
            else {
                continue;
            };
            let target = &asked.targets[place];
            addition.positions.push(reached(target, valued, unit, book)?);
            if asked.is_new {
                addition.moves.push(MoveRow::new(asked.from, target.code, Counts::default()));
            }
        }
    }
    let expanded = expansion.expanded.iter().map(|&key| row(key).with_flags(Flags::EXPANDED));
    addition.positions.extend(expanded);
    Ok(addition)
}

fn row(key: Key) -> PositionRow {
    PositionRow::new(key, Counts::default())
}

/// The row of a position that a move leads to. An eval or a proof that the book has by now stays.
fn reached(
    target: &Target,
    valued: &Valued,
    unit: EvalUnit,
    book: &dyn RowLookup,
) -> tabia::Result<PositionRow> {
    let known = book.position(target.key)?.unwrap_or_else(|| row(target.key));
    let mut new = row(target.key);
    if !known.flags().intersects(Flags::PROOFS) {
        new = new.with_flags(flags(target, valued.sure));
    }
    if known.eval().is_none() && target.ended == 0 {
        let seen = if target.turns { valued.eval.behind() } else { valued.eval };
        let depth = valued.depth.unwrap_or(0).saturating_sub(1).min(255) as u8;
        new = new.with_eval(unit.row_eval(seen), depth);
    }
    Ok(new)
}

/// How the game ends from a position on, as the side to move there sees it.
fn flags(target: &Target, sure: Option<Ending>) -> Flags {
    if target.ended != 0 {
        return Flags::from_bits_retain(target.ended);
    }
    match (sure, target.turns) {
        (None, _) => Flags::empty(),
        (Some(Ending::Draw), _) => Flags::PROVEN_DRAW,
        (Some(Ending::Win), true) | (Some(Ending::Loss), false) => Flags::PROVEN_LOSS,
        (Some(Ending::Loss), true) | (Some(Ending::Win), false) => Flags::PROVEN_WIN,
    }
}
