//! What games are sliced by.

use super::Month;
use serde::{Deserialize, Serialize};
use tabia_archives::GameRecord;
use tabia_archives::filter::{Date, Dates, Filter, RatingOf, RatingRange, TimeClass};

/// The least ratings of lichess's groups: a game belongs to the last one that its players' average
/// reaches.
pub const RATINGS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The group that a rating belongs to, by its least rating.
pub fn rating_group(rating: u32) -> u16 {
    RATINGS.into_iter().rfind(|&least| u32::from(least) <= rating).unwrap_or_default()
}

/// What a shelf is sliced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facet {
    /// By speed, as time controls say it.
    Speed,
    /// By the average of both ratings, in lichess's groups.
    Rating,
    /// By the month of the date.
    Month,
}

/// What the games of a slice have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Facets {
    /// How fast they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<TimeClass>,
    /// The least average rating of the players, one of [`RATINGS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// When they were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<Month>,
}

impl Facets {
    /// What these facets are of a game that says this; none if it doesn't say one of them.
    pub(super) fn of(facets: &[Facet], game: &GameRecord) -> Option<Self> {
        let details = game.details.as_ref()?;
        let mut found = Self::default();
        for facet in facets {
            match facet {
                Facet::Speed => found.speed = Some(details.time_class?),
                Facet::Rating => {
                    let [first, second] = details.ratings;
                    found.rating = Some(rating_group((u32::from(first?) + u32::from(second?)) / 2));
                }
                Facet::Month => found.month = Some(Month::of(details.date?)?),
            }
        }
        Some(found)
    }

    /// What a book of these games is called, without an ending: `blitz-1600-2024-01`.
    pub fn name(&self) -> String {
        let parts = [
            self.speed.map(|speed| speed.name().to_owned()),
            self.rating.map(|rating| rating.to_string()),
            self.month.map(|month| month.to_string()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("-")
    }

    /// Of the games that a filter wants, those with these facets; none if it has bounds of its own
    /// for one of them.
    pub fn of_filter(&self, filter: &Filter) -> Option<Filter> {
        let mut sliced = filter.clone();
        if let Some(speed) = self.speed {
            if !filter.time_controls.is_empty() {
                return None;
            }
            sliced.time_controls = vec![speed];
        }
        if let Some(least) = self.rating {
            if filter.ratings.is_set() {
                return None;
            }
            let next = RATINGS.into_iter().find(|&next| next > least);
            sliced.ratings = RatingRange {
                min: Some(least),
                max: next.map(|next| next - 1),
                of: RatingOf::Average,
            };
        }
        if let Some(month) = self.month {
            if filter.dates.is_set() {
                return None;
            }
            let date: Date = month.to_string().parse().ok()?;
            sliced.dates = Dates { since: Some(date), until: Some(date) };
        }
        Some(sliced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shelf::{ShelfFile, SliceFile};

    #[test]
    fn a_slice_is_a_filter_and_has_a_name() {
        let facets = Facets {
            speed: Some(TimeClass::Blitz),
            rating: Some(1600),
            month: Some("2024-02".parse().unwrap()),
        };
        assert_eq!(facets.name(), "blitz-1600-2024-02");
        let filter = facets.of_filter(&Filter::default()).unwrap();
        assert_eq!(filter.time_controls, [TimeClass::Blitz]);
        assert!(filter.ratings.take([Some(1799), Some(1800)]));
        assert!(!filter.ratings.take([Some(1800), Some(1800)]));
        assert!(filter.dates.take(Date::of_tag(b"2024.02.29")));
        assert!(!filter.dates.take(Date::of_tag(b"2024.03.01")));
        assert_eq!(facets.of_filter(&filter), None);
        let file = ShelfFile { slices: vec![SliceFile { book: "b".into(), facets }] };
        let json = serde_json::to_string(&file).unwrap();
        let slice = r#"{"book":"b","speed":"blitz","rating":1600,"month":"2024-02"}"#;
        assert_eq!(json, format!(r#"{{"slices":[{slice}]}}"#));
        assert_eq!(serde_json::from_str::<ShelfFile>(&json).unwrap(), file);
        assert!(serde_json::from_str::<ShelfFile>(&json.replace("blitz", "blits")).is_err());
    }
}
