//! What is written can be read, and what nobody wrote does no harm.

use super::{choose, some};
use tabia_games::{Game, Trouble};
use tabia_testing::Rng;

pub fn set_up_leads_back<G: Game>(position: &G) {
    let text = position.setup();
    let again = position.set_up(&text).unwrap_or_else(|error| panic!("{error}"));
    let kept = "the key that was kept move by move is that of the position set up";
    assert_eq!(again.key(), position.key(), "{text}: {kept}");
    let said = |of: &G| (of.side(), of.name(), of.keys(), of.symmetries());
    assert_eq!(said(&again), said(position), "{text}");
    assert_eq!(again.setup(), text);
    assert_eq!(again.diagram(), position.diagram(), "{text}");
    let spaced = position.set_up(&format!("  {text} ")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(spaced.key(), position.key(), "`{text}` between spaces");
}

pub fn texts_lead_back<G: Game>(position: &G, played: &G::Move) {
    for text in [position.notation(played), position.coordinates(played)] {
        let (is_a_word, here) =
            (!text.is_empty() && !text.contains(char::is_whitespace), position.setup());
        assert!(is_a_word, "{here}: `{text}` is no word, so it can't stand in a list of moves");
        assert_eq!(position.read_move(text.as_bytes()).as_ref(), Ok(played), "{here}: `{text}`");
        let spaced = position.parse_move(&format!(" {text} "));
        assert_eq!(spaced.as_ref(), Ok(played), "{here}: `{text}`");
    }
}

/// Texts that nobody wrote are refused in words, or are what they say; nothing panics.
pub fn junk<G: Game>(start: &G, seeds: u64) {
    // The word `startpos` is the start everywhere.
    assert_eq!(start.set_up("startpos").map(|position| position.key()), Ok(start.key()));
    assert_eq!(start.read_move(b""), Err(Trouble::Unreadable));
    for seed in 0..seeds {
        let mut rng = Rng::new(seed ^ 0x6a75_6e6b);
        let position = wander(start, rng.index(30), &mut rng);
        for _ in 0..40 {
            junk_moves(&position, &mut rng);
            junk_set_ups(&position, &mut rng);
        }
    }
}

/// A position some random plies on.
fn wander<G: Game>(start: &G, plies: usize, rng: &mut Rng) -> G {
    (0..plies).fold(start.clone(), |position, _| {
        choose(rng, &position.legal())
            .map_or_else(|| position.clone(), |played| position.after(played))
    })
}

/// A text with some bytes changed, taken out or put in.
fn garbled(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    const BYTES: &[u8] = b"abcdefghijtxzABKNOPQRXZ0123456789 -+=/.:;#*()[]{}\t\n\0\x7f\x80\xc3\xff";
    let mut bytes = text.to_vec();
    for _ in 0..=rng.below(3) {
        let (at, byte) = (rng.index(bytes.len() + 1), *rng.pick(BYTES));
        match rng.below(4) {
            0 => bytes.insert(at, byte),
            1 => bytes.truncate(at),
            2 => bytes.extend_from_within(at..),
            _ => {
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
        }
    }
    bytes
}

fn junk_moves<G: Game>(position: &G, rng: &mut Rng) {
    let legal = position.legal();
    let text =
        choose(rng, &legal).map_or_else(|| "a1".to_owned(), |played| position.notation(played));
    let text = garbled(text.as_bytes(), rng);
    if let Ok(played) = position.read_move(&text) {
        let (here, text) = (position.setup(), String::from_utf8_lossy(&text));
        assert!(legal.contains(&played), "{here}: {text:?} was read as {played:?}");
    }
    if let Err(error) = position.parse_move(&String::from_utf8_lossy(&text)) {
        assert!(!error.to_string().is_empty());
    }
}

/// What a garbled set-up text describes, if it is anything, is a position like any other.
fn junk_set_ups<G: Game>(position: &G, rng: &mut Rng) {
    let text = garbled(position.setup().as_bytes(), rng);
    match position.set_up(&String::from_utf8_lossy(&text)) {
        Ok(other) => {
            set_up_leads_back(&other);
            let legal = other.legal();
            some(rng, &legal, 12).into_iter().for_each(|played| texts_lead_back(&other, played));
            set_up_leads_back(&wander(&other, 4, rng));
        }
        Err(error) => assert!(!error.why.is_empty() && !error.expected.is_empty()),
    }
}
