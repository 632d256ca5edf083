//! Laws that hold in every game, checked on random games from a start position: what books,
//! archives and walks rely on, whatever the rules are.
//!
//! None of them asks the game for the right answer: each compares two ways to the same place.

mod images;
mod texts;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use tabia_games::{Game, Line, line_next, set_bits};
use tabia_testing::Rng;

/// How many of a position's moves are looked at one by one, where all would take long.
const SAMPLE: usize = 12;

pub fn codes<G: Game>(position: &G) -> BTreeSet<u16> {
    position.legal().iter().map(|played| position.code(played)).collect()
}

/// One of these, if there are any.
fn choose<'a, T>(rng: &mut Rng, of: &'a [T]) -> Option<&'a T> {
    (!of.is_empty()).then(|| rng.pick(of))
}

/// `count` of these, or all if there are fewer.
fn some<'a, T>(rng: &mut Rng, of: &'a [T], count: usize) -> Vec<&'a T> {
    if of.len() > count { (0..count).map(|_| rng.pick(of)).collect() } else { of.iter().collect() }
}

/// Checks all laws on a random game for each seed, each of `plies` plies at most.
///
/// # Panics
/// At the first law that doesn't hold, with the position's set-up text.
pub fn laws<G: Game>(start: &G, plies: usize, seeds: u64) {
    names(start);
    laws_from(start, plies, seeds);
    images::images(start, plies, seeds);
    texts::junk(start, seeds);
}

/// Checks the laws that hold from any position on.
pub fn laws_from<G: Game>(position: &G, plies: usize, seeds: u64) {
    let mut seen = Seen::default();
    walks(position, plies, seeds, |walk, rng| walk.check(&mut seen, rng));
}

fn walks<G: Game>(start: &G, plies: usize, seeds: u64, mut look: impl FnMut(&Walk<G>, &mut Rng)) {
    for seed in 0..seeds {
        let (mut rng, mut walk) = (Rng::new(seed), Walk::from(start.clone()));
        for _ in 0..=plies {
            look(&walk, &mut rng);
            let Some(played) = choose(&mut rng, &walk.legal).cloned() else { break };
            walk.play(&played);
        }
    }
}

/// Names are such as books can store, and such as a person can tell apart.
fn names<G: Game>(start: &G) {
    for name in [start.name(), start.keys()] {
        assert!(name.parse::<tabia::format::Name>().is_ok(), "`{name}` is no name for a book");
    }
    let [first, second] = start.sides();
    assert!(!first.is_empty() && !second.is_empty() && first != second);
    assert!(!start.examples().is_empty());
}

/// A random game on its way, and the line it follows.
struct Walk<G: Game> {
    position: G,
    line: Line,
    legal: Vec<G::Move>,
}

impl<G: Game> Walk<G> {
    fn from(position: G) -> Self {
        let (line, legal) = (Line::start(&position), position.legal());
        Self { position, line, legal }
    }

    fn play(&mut self, played: &G::Move) {
        self.line = self.line.after(&self.position, played);
        self.position.play(played);
        self.position.legal_moves(&mut self.legal);
    }

    fn check(&self, seen: &mut Seen, rng: &mut Rng) {
        let here = self.position.setup();
        self.check_ends(&here);
        texts::set_up_leads_back(&self.position);
        self.check_codes(&here);
        self.check_lines(&here);
        for played in some(rng, &self.legal, SAMPLE) {
            self.check_way_back(played, &here);
            texts::texts_lead_back(&self.position, played);
        }
        self.check_foreign_codes(rng);
        seen.check(&self.position, &here);
    }

    /// Where there is nothing to play the game is over; what was in the list before is gone.
    fn check_ends(&self, here: &str) {
        let mut again = self.legal.clone();
        again.extend(self.legal.iter().cloned());
        self.position.legal_moves(&mut again);
        assert_eq!(again, self.legal, "{here}: the same moves, in the same order, and no others");
        let distinct: std::collections::HashSet<_> = self.legal.iter().collect();
        assert_eq!(distinct.len(), self.legal.len(), "{here}: a move is there twice");
        let is_over = self.position.outcome().is_some();
        let ends = is_over || !self.legal.is_empty();
        assert!(ends, "{here}: nothing can be played, and it isn't over");
    }

    /// Codes tell moves apart except by a symmetry of the position.
    fn check_codes(&self, here: &str) {
        let symmetries = self.position.symmetries();
        assert_ne!(symmetries, 0, "{here}: some symmetry leads to the canonical board");
        for symmetry in set_bits(symmetries) {
            let images: BTreeSet<u16> =
                self.legal.iter().map(|played| self.position.image(played, symmetry)).collect();
            let law = format!("{here}: two moves have one image under symmetry {symmetry}");
            assert_eq!(images.len(), self.legal.len(), "{law}");
        }
        let mut by_code: HashMap<u16, u64> = HashMap::new();
        for played in &self.legal {
            let (code, next) = (self.position.code(played), self.position.after(played).key());
            let least =
                set_bits(symmetries).map(|symmetry| self.position.image(played, symmetry)).min();
            assert_eq!(Some(code), least, "{here} {played:?}: the code is the least image");
            let other = *by_code.entry(code).or_insert(next);
            let law = "moves of one code lead to positions of one key";
            assert_eq!(other, next, "{here} {played:?}: {law}");
        }
    }

    /// A code leads back to the move or to one that is as good, at the position and in the line.
    fn check_way_back(&self, played: &G::Move, here: &str) {
        let after = |played| self.position.after(played).key();
        let (code, key) = (self.position.code(played), after(played));
        let Some(found) = self.position.move_of_code(code) else {
            panic!("{here} {played:?}: its code {code} leads to no move")
        };
        assert!(self.legal.contains(&found), "{here}: {found:?} isn't legal");
        assert_eq!((self.position.code(&found), after(&found)), (code, key), "{here} {played:?}");
        let (code, next) =
            (self.line.code(&self.position, played), self.line.after(&self.position, played).key());
        let Some(found) = self.line.move_of_code(&self.position, code) else {
            panic!("{here} {played:?}: no move of the line")
        };
        assert_eq!(self.line.after(&self.position, &found).key(), next, "{here} {played:?}");
    }

    /// Likewise for the codes of a line.
    fn check_lines(&self, here: &str) {
        let mut by_code: HashMap<u16, u64> = HashMap::new();
        for played in &self.legal {
            let (code, after) =
                (self.line.code(&self.position, played), self.line.after(&self.position, played));
            let next = self.position.after(played).key();
            let law = |law: &str| format!("{here} {played:?}: {law}");
            let follows = law("the key of a line follows from its codes");
            assert_eq!(after.key(), line_next(self.line.key(), code), "{follows}");
            let gained = after.symmetries() & !self.line.symmetries();
            assert_eq!(gained, 0, "{}", law("a line never gains symmetries"));
            assert_ne!(after.symmetries(), 0, "{here} {played:?}");
            let known = *by_code.entry(code).or_insert(next);
            assert_eq!(known, next, "{}", law("one line, one position"));
        }
    }

    /// Codes that no legal move has lead to no move.
    fn check_foreign_codes(&self, rng: &mut Rng) {
        let codes = codes(&self.position);
        for code in [0, 1, u16::MAX, rng.bits() as u16, rng.below(600) as u16] {
            let is_move = self.position.move_of_code(code).is_some();
            assert_eq!(is_move, codes.contains(&code), "{}: code {code}", self.position.setup());
        }
    }
}

/// What was seen of each key, whatever game it came from: how often each letter stands in the
/// diagram, most often first. Images of a board have that in common.
#[derive(Default)]
struct Seen(HashMap<u64, Vec<usize>>);

impl Seen {
    fn check<G: Game>(&mut self, position: &G, here: &str) {
        let mut letters: BTreeMap<char, usize> = BTreeMap::new();
        position.diagram().chars().for_each(|letter| *letters.entry(letter).or_default() += 1);
        let mut letters: Vec<usize> = letters.into_values().collect();
        letters.sort_unstable();
        let known = self.0.entry(position.key()).or_insert_with(|| letters.clone());
        assert_eq!(*known, letters, "{here}: another position has its key");
    }
}

/// Checks that positions of one key have one set of codes: not in Go, for ko and passes.
pub fn one_key_has_one_set_of_codes<G: Game>(start: &G, plies: usize, seeds: u64) {
    let mut seen: HashMap<u64, BTreeSet<u16>> = HashMap::new();
    walks(start, plies, seeds, |walk, _| {
        let codes = codes(&walk.position);
        let known = seen.entry(walk.position.key()).or_insert_with(|| codes.clone());
        assert_eq!(*known, codes, "{}", walk.position.setup());
    });
}

/// Checks that a game is over exactly where nothing can be played: not in chess, for draws.
pub fn ends_where_nothing_can_be_played<G: Game>(start: &G, plies: usize, seeds: u64) {
    walks(start, plies, seeds, |walk, _| {
        let is_over = walk.position.outcome().is_some();
        assert_eq!(walk.legal.is_empty(), is_over, "{}", walk.position.setup());
    });
}

/// Checks that each board has a key of its own in random games; how many boards there were.
/// `canonical` gives a text that a board and its images have, made apart from the game.
pub fn keys_are_of_one_board<G: Game>(
    start: &G,
    plies: usize,
    seeds: u64,
    canonical: impl Fn(&G) -> String,
) -> usize {
    let (mut boards, mut keys) = (HashMap::new(), HashMap::new());
    walks(start, plies, seeds, |walk, _| {
        let (board, key) = (canonical(&walk.position), walk.position.key());
        assert_eq!(*boards.entry(key).or_insert_with(|| board.clone()), board);
        assert_eq!(*keys.entry(board).or_insert(key), key, "{}", walk.position.setup());
    });
    boards.len()
}

/// Checks that a book sees one position in a board and its image, which a test made apart.
pub fn are_one<G: Game>(game: &G, image: &G) {
    let here = format!("{} and {}", game.setup(), image.setup());
    assert_eq!(game.key(), image.key(), "{here}");
    assert_eq!(codes(game), codes(image), "{here}");
    for code in codes(game) {
        let after = |game: &G| game.after(&game.move_of_code(code).expect("a legal move")).key();
        assert_eq!(after(game), after(image), "{here}: code {code}");
    }
}
