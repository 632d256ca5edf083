//! What is served under a name: a book, or a shelf, the sums of whose books answer for any choice of
//! speeds, ratings and months.

use crate::query::Request;
use crate::reply::Refusal;
use crate::selection::Selection;
use crate::source::Source;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use tabia::TableKind;
use tabia_archives::filter::TimeClass;
use tabia_build::shelf::{Facets, Month, RATINGS, rating_group};
use tabia_games::{Game, Known};
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::Explorable;

/// A slice of a shelf.
pub struct Slice {
    /// What its games have in common.
    pub facets: Facets,
    /// Its book.
    pub source: Arc<Source>,
}

/// The slices of a shelf, of one game; or a book, which is one slice of all games.
pub struct Shelf {
    pub(crate) name: String,
    /// At least one.
    slices: Vec<Slice>,
    is_book: bool,
}

impl From<Arc<Source>> for Shelf {
    /// A book.
    fn from(source: Arc<Source>) -> Self {
        let name = source.name.clone();
        Self { name, slices: vec![Slice { facets: Facets::default(), source }], is_book: true }
    }
}

/// Why books are no shelf.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadShelf {
    /// There is none.
    #[error("a shelf has no books")]
    Empty,
    /// They aren't of one game, are sliced differently, or don't know the same of their games.
    #[error("the books of a shelf are of one game, and each says the same of its games")]
    Unlike,
}

impl Shelf {
    /// A shelf with this name.
    pub fn new(name: String, slices: Vec<Slice>) -> Result<Self, BadShelf> {
        let first = slices.first().ok_or(BadShelf::Empty)?;
        let kind = |slice: &Slice| {
            let Facets { speed, rating, month } = &slice.facets;
            let sliced = (speed.is_some(), rating.is_some(), month.is_some());
            let snapshot = slice.source.now();
            let header = snapshot.book.header();
            let known = (header.keyed, header.results, header.columns(TableKind::Moves));
            (sliced, slice.source.game.name(), slice.source.game.keys(), known)
        };
        if slices.iter().any(|slice| kind(slice) != kind(first)) {
            return Err(BadShelf::Unlike);
        }
        Ok(Self { name, slices, is_book: false })
    }

    /// Its game.
    pub fn game(&self) -> &Known {
        &self.slices[0].source.game
    }

    /// Names of its openings.
    pub fn names(&self) -> &OpeningNames {
        &self.slices[0].source.names
    }

    /// What its slices are told apart by.
    pub fn facets(&self) -> &Facets {
        &self.slices[0].facets
    }

    /// What there is to choose from.
    pub fn offered(&self) -> Offered {
        let all = || self.slices.iter().map(|slice| &slice.facets);
        let speeds: BTreeSet<_> = all().filter_map(|facets| facets.speed).collect();
        let ratings: BTreeSet<_> = all().filter_map(|facets| facets.rating).collect();
        Offered {
            speeds: speeds.into_iter().map(TimeClass::name).collect(),
            ratings: ratings.into_iter().collect(),
            since: all().filter_map(|facets| facets.month).min(),
            until: all().filter_map(|facets| facets.month).max(),
        }
    }

    /// Its books.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &Arc<Source>> {
        self.slices.iter().map(|slice| &slice.source)
    }

    /// The book, if it is one, and no shelf.
    pub fn book(&self) -> Option<&Source> {
        self.is_book.then(|| &*self.slices[0].source)
    }

    /// The books of the slices that a choice wants, as they are now, as far as it is sliced by what
    /// the choice is made by.
    pub fn chosen(&self, choice: &Choice) -> Selection {
        let wanted = self.slices.iter().filter(|slice| choice.wants(&slice.facets));
        let books = wanted.map(|slice| (slice.source.now(), slice.facets.clone()));
        Selection::new(books, || self.slices[0].source.now())
    }

    /// The same, refused if it isn't sliced by something that the choice is made by; `prefix` is what
    /// goes before the names of the choice's parameters.
    pub fn select(&self, choice: &Choice, prefix: &str) -> Result<Selection, Refusal> {
        if let Some(parameter) = choice.beyond(self.facets()).first() {
            return Err(Refusal::Bad(format!(
                "{prefix}{parameter}: {} isn't sliced by this: it knows its games together only",
                self.name.escape_debug()
            )));
        }
        Ok(self.chosen(choice))
    }
}

/// What the slices of a shelf are of, by the names of the parameters that choose from it; empty, or
/// none, what it is not sliced by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// How fast games are, the fastest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub speeds: Vec<&'static str>,
    /// The groups of ratings, by the least rating of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<u16>,
    /// The first month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Month>,
    /// The last month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Month>,
}

/// Which games are asked for; all, where a list is empty or a bound isn't there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub speeds: Vec<TimeClass>,
    pub ratings: Vec<u16>,
    pub since: Option<Month>,
    pub until: Option<Month>,
}

/// The last year that explorers' clients may ask for.
const LAST_YEAR: u16 = 3000;

/// What lists clients send where their user chose nothing: lichess's own pages and en-croissant
/// leave out ultrabullet and players below 1000, openingtree ultrabullet and players below 1600.
const USUAL_SPEEDS: &[TimeClass] = TimeClass::ALL.split_first().expect("there are speeds").1;
const USUAL_RATINGS: [&[u16]; 2] = [RATINGS.split_at(1).1, RATINGS.split_at(4).1];

impl Choice {
    /// The choice that is made by years alone, in `since` and `until`.
    pub fn of_years(request: &Request) -> Result<Self, Refusal> {
        let bound = |name, month| {
            let read = |text| {
                let year = number(text, 4).filter(|year| (1..=LAST_YEAR).contains(year));
                year.and_then(|year| Month::new(year, month))
                    .ok_or_else(|| no_such(name, text, "year: write 2014"))
            };
            request.text(name).map(read).transpose()
        };
        Ok(Self { since: bound("since", 1)?, until: bound("until", 12)?, ..Self::default() })
    }

    /// The choice that a request's parameters `speeds`, `ratings`, `since` and `until` are, whose names
    /// may have something before: `by_speeds` and so on. A list of all speeds or of all ratings chooses
    /// nothing.
    pub fn of(request: &Request, prefix: &str) -> Result<Self, Refusal> {
        let named = |name| format!("{prefix}{name}");
        // As the public explorer reads them: 2014-05, 2014-5, 2014/5.
        let month = |name| {
            let name = named(name);
            let read = |text: &str| {
                let (year, month) = text.split_once(['-', '/'])?;
                let year = number(year, 4).filter(|year| (1..=LAST_YEAR).contains(year))?;
                Month::new(year, u8::try_from(number(month, 2)?).ok()?)
            };
            let text = request.text(&name);
            text.map(|text| read(text).ok_or_else(|| no_such(&name, text, "month: write 2014-05")))
                .transpose()
        };
        let speed = |text: &str| {
            let found =
                TimeClass::ALL.into_iter().find(|class| class.name().eq_ignore_ascii_case(text));
            found.ok_or_else(|| no_such(&named("speeds"), text, "speed"))
        };
        let group = |text: &str| {
            let rating: u32 =
                text.parse().map_err(|_| no_such(&named("ratings"), text, "rating"))?;
            Ok::<_, Refusal>(rating_group(rating))
        };
        let speeds = request.list(&named("speeds")).into_iter().map(speed);
        let ratings = request.list(&named("ratings")).into_iter().map(group);
        Ok(Self {
            speeds: partial(speeds.collect::<Result<_, _>>()?, &TimeClass::ALL),
            ratings: partial(ratings.collect::<Result<_, _>>()?, &RATINGS),
            since: month("since")?,
            until: month("until")?,
        })
    }

    /// Whether the list of this parameter is one that clients send where their user chose nothing.
    pub fn is_usual(&self, parameter: &str) -> bool {
        match parameter {
            "speeds" => is_same_set(&self.speeds, USUAL_SPEEDS),
            "ratings" => USUAL_RATINGS.iter().any(|usual| is_same_set(&self.ratings, usual)),
            _ => false,
        }
    }

    /// The names of its parameters that a shelf sliced like this, or a book, can't obey.
    pub fn beyond(&self, sliced: &Facets) -> Vec<&'static str> {
        let parameters = [
            ("speeds", !self.speeds.is_empty(), sliced.speed.is_some()),
            ("ratings", !self.ratings.is_empty(), sliced.rating.is_some()),
            ("since", self.since.is_some(), sliced.month.is_some()),
            ("until", self.until.is_some(), sliced.month.is_some()),
        ];
        let beyond =
            parameters.into_iter().filter(|(_, is_given, is_sliced)| *is_given && !is_sliced);
        beyond.map(|(name, ..)| name).collect()
    }

    /// Whether the games of such a slice are wanted.
    pub fn wants(&self, facets: &Facets) -> bool {
        let Facets { speed, rating, month } = facets;
        speed.is_none_or(|speed| self.speeds.is_empty() || self.speeds.contains(&speed))
            && rating.is_none_or(|rating| self.ratings.is_empty() || self.ratings.contains(&rating))
            && month.is_none_or(|month| {
                self.since.is_none_or(|since| since <= month)
                    && self.until.is_none_or(|until| month <= until)
            })
    }
}

/// A list of some of all there are; empty if it has all.
fn partial<T: PartialEq>(list: Vec<T>, all: &[T]) -> Vec<T> {
    if is_same_set(&list, all) { Vec::new() } else { list }
}

fn is_same_set<T: PartialEq>(list: &[T], other: &[T]) -> bool {
    list.iter().all(|one| other.contains(one)) && other.iter().all(|one| list.contains(one))
}

/// A number of so many digits at most, and nothing else.
fn number(text: &str, digits: usize) -> Option<u16> {
    let is_number = text.len() <= digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn no_such(parameter: &str, text: &str, what: &str) -> Refusal {
    Refusal::Bad(format!("{parameter}: `{}` is no {what}", text.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_wants_what_it_names() {
        let choice = |query: &str| {
            Choice::of(&Request { query: Request::pairs(query), ..Request::default() }, "")
        };
        let slice = |speed, rating, month: &str| Facets {
            speed: Some(speed),
            rating: Some(rating),
            month: Some(month.parse().unwrap()),
        };
        let blitz = slice(TimeClass::Blitz, 1600, "2024-01");
        let wanted = "|speeds=&ratings=&since=&until=|speeds=bullet,blitz|speeds=Blitz|ratings=1799|\
            ratings=1600,2500|since=2024-01&until=2024-01|since=2024-1&until=2024/1|\
            since=2024/01|since=0001-1&until=3000-12|\
            speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence";
        let others = "speeds=bullet|ratings=1800|ratings=99999|since=2024-02|until=2023-12|since=2024/2|\
            since=2024-02&until=2023-12";
        for (queries, wants) in [(wanted, true), (others, false)] {
            for query in queries.split('|') {
                assert_eq!(choice(query).unwrap().wants(&blitz), wants, "{query}");
            }
        }
        assert!(choice("speeds=bullet").unwrap().wants(&Facets::default()));
        let list = |list: &[u16]| list.iter().map(u16::to_string).collect::<Vec<_>>().join(",");
        let all = format!("ratings={},2400", list(&RATINGS));
        assert_eq!(choice(&all).unwrap(), Choice::default(), "a whole list is no choice");
        for (query, is_usual) in [
            ("speeds=bullet,blitz,rapid,classical,correspondence".to_owned(), true),
            ("speeds=bullet,blitz,rapid,classical".to_owned(), false),
            (format!("ratings={}", list(&RATINGS[1..])), true),
            (format!("ratings={}", list(&RATINGS[4..])), true),
            (format!("ratings={}", list(&RATINGS[5..])), false),
        ] {
            let choice = choice(&query).unwrap();
            let parameter = query.split('=').next().unwrap();
            assert_eq!(choice.is_usual(parameter), is_usual, "{query}");
        }
        let years = |query: &str| {
            Choice::of_years(&Request { query: Request::pairs(query), ..Request::default() })
        };
        let at = |month: &str| Some(month.parse().unwrap());
        let bounds = years("since=1851&until=1972&speeds=x").unwrap();
        assert_eq!((bounds.since, bounds.until), (at("1851-01"), at("1972-12")));
        for bad in ["since=abc", "since=1990-01", "until=0", "until=3001", "since=-5", "since=+199"]
        {
            assert!(years(bad).is_err(), "{bad}");
        }
        let bad = "ratings=x|since=2024|until=2024-13|speeds=fast|since=2024-0|since=2024-001|\
            since=2024-1-1|since=x-1|since=3001-1|until=0-1";
        for bad in bad.split('|') {
            assert!(choice(bad).is_err(), "{bad}");
        }
        let all = "speeds=rapid&ratings=1600&since=2024-01&until=2024-02";
        assert_eq!(choice(all).unwrap().beyond(&blitz), [""; 0]);
        let sliced = Facets { rating: Some(0), ..Facets::default() };
        assert_eq!(choice(all).unwrap().beyond(&sliced), ["speeds", "since", "until"]);
        assert_eq!(choice("speeds=&until=").unwrap().beyond(&Facets::default()), [""; 0]);
        let prefixed =
            Request { query: Request::pairs("speeds=x&by_speeds=blitz"), ..Request::default() };
        assert_eq!(Choice::of(&prefixed, "by_").unwrap().speeds, [TimeClass::Blitz]);
    }
}
