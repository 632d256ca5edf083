//! Bars of wins, draws and losses.

use super::paint::{Paint, variable};
use tabia::Counts;

/// What bars are drawn with: win, draw, loss.
#[derive(Clone, Copy, Debug)]
pub struct Ink([char; 3]);

impl Ink {
    /// For terminals that know Unicode.
    pub const UNICODE: Self = Self(['█', '▒', '░']);
    /// For those that don't.
    pub const ASCII: Self = Self(['#', '=', '.']);

    /// What the locale allows.
    pub fn of_locale() -> Self {
        let locale = variable("LC_ALL")
            .or_else(|| variable("LC_CTYPE"))
            .or_else(|| variable("LANG"))
            .unwrap_or_default()
            .to_ascii_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") {
            Self::UNICODE
        } else {
            Self::ASCII
        }
    }

    /// A bar of this many characters in the colors of winning and losing; blank without games.
    pub fn painted(self, counts: Counts, width: usize, paint: Paint) -> String {
        let games = counts.games();
        if games == 0 {
            return " ".repeat(width);
        }
        let wins = rounded(counts.wins.into(), games, width);
        let drawn = rounded(u64::from(counts.wins) + u64::from(counts.draws), games, width);
        let part = |kind: usize, length: usize| self.0[kind].to_string().repeat(length);
        [
            paint.good(&part(0, wins)),
            paint.faint(&part(1, drawn - wins)),
            paint.bad(&part(2, width - drawn)),
        ]
        .concat()
    }

    /// A bar of two parts, one after the other in two shades, which has this many characters if
    /// they are all of the whole. What isn't nothing shows.
    pub fn shaded(self, parts: [u64; 2], whole: u64, width: usize) -> String {
        let all = parts[0] + parts[1];
        if all == 0 || whole == 0 {
            return String::new();
        }
        let length = rounded(all, whole, width).max(1);
        let first = rounded(parts[0], whole, width).min(length);
        let [dark, light] = self.shades();
        (0..length).map(|place| if place < first { dark } else { light }).collect()
    }

    /// The two shades: that of the first part, and that of the second.
    pub fn shades(self) -> [char; 2] {
        let [dark, _, light] = self.0;
        [dark, light]
    }

    /// What the characters mean.
    pub fn legend(self) -> String {
        let [win, draw, loss] = self.0;
        format!("{win} wins  {draw} draws  {loss} losses")
    }
}

/// How many of so many characters are a part of a whole.
fn rounded(part: u64, whole: u64, width: usize) -> usize {
    let (part, whole, width) = (u128::from(part), u128::from(whole), width as u128);
    ((part * width * 2 + whole) / (whole * 2)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(wins: u32, draws: u32, losses: u32) -> String {
        Ink::ASCII.painted(Counts { wins, draws, losses }, 10, Paint::NONE)
    }

    #[test]
    fn bars_have_their_width_whatever_the_counts() {
        assert_eq!(bar(0, 0, 0), "          ");
        assert_eq!(bar(5, 3, 2), "#####===..");
        assert_eq!(bar(1, 0, 0), "##########");
        assert_eq!(bar(0, 0, 1), "..........");
        assert_eq!(bar(u32::MAX, u32::MAX, u32::MAX), "###====...");
    }

    #[test]
    fn shaded_bars_are_as_long_as_their_part() {
        let shaded = |parts, whole| Ink::ASCII.shaded(parts, whole, 10);
        assert_eq!(shaded([3, 2], 10), "###..");
        assert_eq!(shaded([10, 0], 10), "##########");
        assert_eq!(shaded([0, 0], 10), "");
        assert_eq!(shaded([0, 1], 1000), ".");
        assert_eq!(shaded([1, 0], 0), "");
        assert_eq!(shaded([u64::MAX / 2, 0], u64::MAX), "#####");
    }
}
