//! Columns of numbers as a drawing (SVG).

use std::fmt::Write as _;
use std::io::{self, Write};

/// Columns side by side, each of two parts, the first below the second.
pub struct Columns<'a> {
    /// What is shown.
    pub title: &'a str,
    /// What the columns stand over.
    pub below: &'a str,
    /// What the two parts are.
    pub parts: [&'a str; 2],
    /// The number below each column, and its parts.
    pub columns: &'a [(usize, [f64; 2])],
    /// How numbers are written beside the columns.
    pub number: fn(f64) -> String,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 480.0;
/// Room at the left, above and below.
const LEFT: f64 = 110.0;
const ABOVE: f64 = 64.0;
const BELOW: f64 = 56.0;
const COLORS: [&str; 2] = ["#2b5c8a", "#a9c4de"];

impl Columns<'_> {
    /// Writes it.
    pub fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        let most = self.columns.iter().map(|(_, [a, b])| a + b).fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let (wide, high) = (WIDTH - LEFT - 20.0, HEIGHT - ABOVE - BELOW);
        let ground = HEIGHT - BELOW;
        let mut body = String::new();
        for step in 0..=4 {
            let (value, y) = (most * f64::from(step) / 4.0, ground - high * f64::from(step) / 4.0);
            let right = LEFT + wide;
            let _ = writeln!(
                body,
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 4.0,
                escaped(&(self.number)(value))
            );
        }
        let step = wide / self.columns.len().max(1) as f64;
        // A number below a column takes some room.
        let every = (34.0 / step).ceil().max(1.0) as usize;
        for (place, (number, parts)) in self.columns.iter().enumerate() {
            let (x, mut y) = (LEFT + step * place as f64, ground);
            for (part, color) in parts.iter().zip(COLORS) {
                let height = high * part / most;
                y -= height;
                let _ = write!(
                    body,
                    "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>",
                    x + step * 0.1,
                    step * 0.8
                );
            }
            if place % every == 0 {
                let _ = write!(
                    body,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>",
                    x + step / 2.0,
                    ground + 18.0
                );
            }
            body.push('\n');
        }
        self.frame(out, &body)
    }

    /// What stands around the columns.
    fn frame(&self, out: &mut impl Write, body: &str) -> io::Result<()> {
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">"
        )?;
        writeln!(out, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>")?;
        writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"26\" font-size=\"17\">{}</text>",
            escaped(self.title)
        )?;
        let mut x = LEFT;
        for (name, color) in self.parts.iter().zip(COLORS).filter(|(name, _)| !name.is_empty()) {
            writeln!(
                out,
                "<rect x=\"{x}\" y=\"38\" width=\"11\" height=\"11\" fill=\"{color}\"/><text x=\"{}\" y=\"48\">{}</text>",
                x + 16.0,
                escaped(name)
            )?;
            x += 220.0;
        }
        write!(out, "{body}")?;
        writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n</svg>",
            LEFT + (WIDTH - LEFT - 20.0) / 2.0,
            HEIGHT - 14.0,
            escaped(self.below)
        )
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            // What XML can't hold at all.
            letter if letter.is_control() => safe.push('?'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_high_as_their_numbers() {
        let columns = [(0, [1.0, 0.0]), (1, [1.0, 3.0])];
        let drawing = Columns {
            title: "a <b> & \u{1}",
            below: "ply",
            parts: ["one", "two"],
            columns: &columns,
            number: |number| format!("{number}"),
        };
        let mut text = Vec::new();
        drawing.draw(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("a &lt;b&gt; &amp; ?"), "{text}");
        let heights: Vec<&str> =
            text.split("height=\"").filter_map(|part| part.split('"').next()).collect();
        assert!(heights.contains(&"90.0") && heights.contains(&"270.0"), "{heights:?}");
        Columns { columns: &[], ..drawing }.draw(&mut Vec::new()).unwrap();
    }
}
