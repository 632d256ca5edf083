//! A shelf: books of one archive's games, sliced by speed, rating and month, so that their sums
//! answer for any choice of these.
//!
//! A shelf is a folder with the books and a file `shelf.json`:
//! `{"slices": [{"book": "blitz-1600-2024-01.tabia", "speed": "blitz", "rating": 1600, "month":
//! "2024-01"}]}`, where what is not sliced by is left out.

use crate::reply::Refusal;
use crate::source::{Snapshot, Source};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;

/// The name of the file that says what the books of a shelf hold.
pub const SHELF: &str = "shelf.json";

/// The least ratings of lichess's groups: a game belongs to the last one that its players' average
/// reaches.
pub const RATINGS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// A month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month {
    year: u16,
    /// From 1 to 12.
    month: u8,
}

impl Month {
    /// The month after it.
    #[must_use]
    pub fn next(self) -> Self {
        match self.month {
            12 => Self { year: self.year + 1, month: 1 },
            month => Self { month: month + 1, ..self },
        }
    }
}

impl FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{}` is no month: write 2024-01", text.escape_debug());
        let (year, month) = text.split_once('-').ok_or_else(bad)?;
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if year.len() != 4 || month.len() != 2 || !are_digits(year) || !are_digits(month) {
            return Err(bad());
        }
        let (year, month) = (year.parse().map_err(|_| bad())?, month.parse().map_err(|_| bad())?);
        if (1..=12).contains(&month) { Ok(Self { year, month }) } else { Err(bad()) }
    }
}

impl TryFrom<String> for Month {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Month> for String {
    fn from(month: Month) -> Self {
        month.to_string()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// What the games of a slice have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Facets {
    /// How fast they are, as lichess calls it: `blitz`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<String>,
    /// The least average rating of the players, one of [`RATINGS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// When they were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<Month>,
}

/// What `shelf.json` says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ShelfFile {
    /// The slices.
    pub slices: Vec<SliceFile>,
}

/// What it says of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SliceFile {
    /// The name of its book in the folder.
    pub book: String,
    /// What its games have in common.
    #[serde(flatten)]
    pub facets: Facets,
}

/// A slice of a shelf.
#[derive(Debug)]
pub struct Slice {
    /// What its games have in common.
    pub facets: Facets,
    /// Its book.
    pub source: Source,
}

/// The slices of a shelf, of one game.
#[derive(Debug)]
pub struct Shelf {
    name: String,
    slices: Vec<Slice>,
}

/// Why books are no shelf.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadShelf {
    /// There is none.
    #[error("a shelf has no books")]
    Empty,
    /// They aren't of one game, or are sliced differently.
    #[error("the books of a shelf are of one game, and each says the same of its games")]
    Unlike,
}

impl Shelf {
    /// A shelf with this name.
    ///
    /// # Errors
    /// If the books don't go together.
    pub fn new(name: String, slices: Vec<Slice>) -> Result<Self, BadShelf> {
        let first = slices.first().ok_or(BadShelf::Empty)?;
        let kind = |slice: &Slice| {
            let Facets { speed, rating, month } = &slice.facets;
            let sliced = (speed.is_some(), rating.is_some(), month.is_some());
            (sliced, slice.source.game().name(), slice.source.game().keys())
        };
        if slices.iter().any(|slice| kind(slice) != kind(first)) {
            return Err(BadShelf::Unlike);
        }
        Ok(Self { name, slices })
    }

    /// What it is called by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its game.
    #[must_use]
    pub fn game(&self) -> &Known {
        self.slices[0].source.game()
    }

    /// Names of its openings.
    #[must_use]
    pub fn names(&self) -> &OpeningNames {
        self.slices[0].source.names()
    }

    /// What its slices are told apart by.
    #[must_use]
    pub fn facets(&self) -> &Facets {
        &self.slices[0].facets
    }

    /// The books of the slices that a choice wants, as they are now, with their months.
    pub fn chosen(&self, choice: &Choice) -> Vec<(Option<Month>, Arc<Snapshot>)> {
        let wanted = self.slices.iter().filter(|slice| choice.wants(&slice.facets));
        wanted.map(|slice| (slice.facets.month, slice.source.now())).collect()
    }
}

/// Which games are asked for; all, where a list is empty or a bound isn't there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// How fast they are, in small letters.
    pub speeds: Vec<String>,
    /// Their groups of ratings.
    pub ratings: Vec<u16>,
    /// Not before this.
    pub since: Option<Month>,
    /// Not after this.
    pub until: Option<Month>,
}

impl Choice {
    /// The choice that a request's parameters `speeds`, `ratings`, `since` and `until` are.
    ///
    /// # Errors
    /// [`Refusal::Bad`] if a rating is no number, or a month is none.
    pub fn of(request: &crate::query::Request) -> Result<Self, Refusal> {
        let month = |name| {
            let text = request.text(name);
            text.map(|text| text.parse().map_err(|why| Refusal::Bad(format!("{name}: {why}"))))
                .transpose()
        };
        let group = |text: &str| {
            let rating: u32 = text.parse().map_err(|_| {
                Refusal::Bad(format!("ratings: `{}` is no rating", text.escape_debug()))
            })?;
            let reached = RATINGS.into_iter().rfind(|&least| u32::from(least) <= rating);
            Ok::<_, Refusal>(reached.unwrap_or_default())
        };
        Ok(Self {
            speeds: request.list("speeds").iter().map(|speed| speed.to_lowercase()).collect(),
            ratings: request.list("ratings").into_iter().map(group).collect::<Result<_, _>>()?,
            since: month("since")?,
            until: month("until")?,
        })
    }

    /// Whether the games of such a slice are wanted.
    #[must_use]
    pub fn wants(&self, facets: &Facets) -> bool {
        let Facets { speed, rating, month } = facets;
        let is_one =
            |speed: &String| self.speeds.is_empty() || self.speeds.contains(&speed.to_lowercase());
        speed.as_ref().is_none_or(is_one)
            && rating.is_none_or(|rating| self.ratings.is_empty() || self.ratings.contains(&rating))
            && month.is_none_or(|month| {
                self.since.is_none_or(|since| since <= month)
                    && self.until.is_none_or(|until| month <= until)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Request;

    #[test]
    fn months_are_read_and_follow_each_other() {
        let month: Month = "2023-12".parse().unwrap();
        assert_eq!(
            (month.to_string(), month.next().to_string()),
            ("2023-12".into(), "2024-01".into())
        );
        for bad in ["2023", "2023-13", "2023-00", "23-01", "2023-1", "2023-01-01", "+023-01", ""] {
            assert!(bad.parse::<Month>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_choice_wants_what_it_names() {
        let choice = |query: &str| {
            Choice::of(&Request { query: Request::pairs(query), ..Request::default() })
        };
        let slice = |speed: &str, rating, month: &str| Facets {
            speed: Some(speed.to_owned()),
            rating: Some(rating),
            month: Some(month.parse().unwrap()),
        };
        let blitz = slice("blitz", 1600, "2024-01");
        for (query, wants) in [
            ("", true),
            ("speeds=&ratings=&since=&until=", true),
            ("speeds=bullet,blitz", true),
            ("speeds=Blitz", true),
            ("speeds=bullet", false),
            ("ratings=1799", true),
            ("ratings=1600,2500", true),
            ("ratings=1800", false),
            ("ratings=99999", false),
            ("since=2024-01&until=2024-01", true),
            ("since=2024-02", false),
            ("until=2023-12", false),
        ] {
            assert_eq!(choice(query).unwrap().wants(&blitz), wants, "{query}");
        }
        assert!(choice("speeds=bullet").unwrap().wants(&Facets::default()));
        assert!(choice("ratings=x").is_err() && choice("since=2024").is_err());
    }
}
