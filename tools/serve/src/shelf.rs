//! A shelf that is served: the sums of its books answer for any choice of speeds, ratings and months.

use crate::reply::Refusal;
use crate::source::{Snapshot, Source};
use std::sync::Arc;
use tabia_archives::filter::TimeClass;
use tabia_build::shelf::{Facets, Month, rating_group};
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;

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
            Ok::<_, Refusal>(rating_group(rating))
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
        let is_one = |speed: TimeClass| {
            self.speeds.is_empty() || self.speeds.iter().any(|wanted| wanted == speed.name())
        };
        speed.is_none_or(is_one)
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
    fn a_choice_wants_what_it_names() {
        let choice = |query: &str| {
            Choice::of(&Request { query: Request::pairs(query), ..Request::default() })
        };
        let slice = |speed, rating, month: &str| Facets {
            speed: Some(speed),
            rating: Some(rating),
            month: Some(month.parse().unwrap()),
        };
        let blitz = slice(TimeClass::Blitz, 1600, "2024-01");
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
