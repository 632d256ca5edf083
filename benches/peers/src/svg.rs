//! A plot as SVG: panels side by side, both axes logarithmic.

use std::fmt::Write as _;

/// A line of a panel.
pub struct Series {
    /// Its name in the legend.
    pub name: &'static str,
    /// Which of the colours it has.
    pub colour: usize,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Where it goes.
    pub points: Vec<(f64, f64)>,
}

/// One pair of axes.
pub struct Panel {
    /// What stands above it.
    pub title: &'static str,
    /// How a value stands beside its axis.
    pub label: fn(f64) -> String,
    /// Its lines.
    pub series: Vec<Series>,
}

/// Width of a panel with its labels.
const WIDTH: f64 = 330.0;
/// Height of the whole plot without its legend.
const HEIGHT: f64 = 330.0;
/// The axes' left, right, top and bottom distance from the panel's border.
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 34.0;
/// Height of a line of the legend.
const LEGEND: f64 = 16.0;
/// Okabe and Ito's colours, which all eyes tell apart.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// An axis: whole decades, spread over so many pixels.
struct Axis {
    first: f64,
    last: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values
            .filter(|&value| value > 0.0)
            .fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), v| (low.min(v), high.max(v)));
        let first = low.log10().floor();
        Self { first, last: high.log10().ceil().max(first + 1.0), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value.log10() - self.first) / (self.last - self.first) * (self.to - self.from)
    }

    fn decades(&self) -> impl Iterator<Item = f64> {
        (self.first as i32..=self.last as i32).map(|decade| 10f64.powi(decade))
    }
}

/// The plot; `rows` says how a number of rows stands below the axis.
pub fn draw(panels: &[Panel], rows: fn(f64) -> String) -> String {
    let legend = panels.iter().map(|panel| panel.series.len()).max().unwrap_or(0) as f64 * LEGEND;
    let (width, height) = (WIDTH * panels.len() as f64, HEIGHT + legend + 10.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (place, panel) in panels.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate({} 0)\">", place as f64 * WIDTH);
        draw_panel(&mut svg, panel, rows);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_panel(svg: &mut String, panel: &Panel, rows: fn(f64) -> String) {
    let points = || panel.series.iter().flat_map(|series| &series.points);
    let x = Axis::new(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let y = Axis::new(points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let middle = (x.from + x.to) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"18\" text-anchor=\"middle\" font-size=\"13\">{}</text>",
        panel.title
    );
    for decade in y.decades() {
        let at = y.place(decade);
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>",
            x.from, x.to
        );
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            x.from - 6.0,
            at + 4.0,
            (panel.label)(decade)
        );
    }
    for decade in x.decades() {
        let at = x.place(decade);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"#ddd\"/>",
            y.from, y.to
        );
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            y.from + 16.0,
            rows(decade)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">rows</text>",
        y.from + 30.0
    );
    for (place, series) in panel.series.iter().enumerate() {
        draw_series(svg, series, &x, &y, HEIGHT + 14.0 + place as f64 * LEGEND);
    }
}

fn draw_series(svg: &mut String, series: &Series, x: &Axis, y: &Axis, legend: f64) {
    let colour = COLOURS[series.colour % COLOURS.len()];
    let dashes = if series.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
    let style = format!("stroke=\"{colour}\" stroke-width=\"2\" fill=\"none\"{dashes}");
    let places: Vec<_> =
        series.points.iter().map(|&(rows, value)| (x.place(rows), y.place(value))).collect();
    let path: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(svg, "<polyline points=\"{}\" {style}/>", path.join(" "));
    for (x, y) in places {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{0}\" x2=\"{1}\" y2=\"{0}\" {style}/>",
        legend - 4.0,
        LEFT + 26.0
    );
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{legend}\">{}</text>", LEFT + 32.0, series.name);
}
