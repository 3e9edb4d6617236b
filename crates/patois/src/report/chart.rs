//! Pictures: lines over steps and bars in groups, as SVG.
//!
//! A picture scales with the page and has no colours of its own: text and axes take the colour of
//! the text around, lines and bars the page's classes `c0`, `c1`, ….

use std::fmt::Write as _;

use patois_codebase::page::escaped;

/// The size of a picture, in its own units, and what is left free around the plot.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 46.0;

/// How wide a letter is, about.
const LETTER: f64 = 7.6;

/// How many steps an axis has, about.
const N_TICKS: f64 = 5.0;

/// How many there are at most.
const MAX_TICKS: u32 = 20;

/// What is larger is drawn as large as this.
const LARGEST: f64 = 1e12;

/// Lines over a common axis.
pub(super) struct LineChart<'a> {
    /// What is seen, for those who do not see it.
    pub(super) title: &'a str,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    pub(super) lines: Vec<Line>,
}

/// A line.
pub(super) struct Line {
    /// What the legend calls it; empty where it does not.
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    /// Which of the page's colours.
    pub(super) color: usize,
    pub(super) stroke: Stroke,
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stroke {
    /// Thin: many points that jump.
    Thin,
    /// With a dot at each point.
    Dotted,
}

/// Bars in groups, those of a series in the same colour.
pub(super) struct BarChart<'a> {
    /// What is seen, for those who do not see it.
    pub(super) title: &'a str,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    pub(super) groups: Vec<String>,
    pub(super) series: Vec<Series>,
    /// Where the axis ends at least.
    pub(super) y_max: f64,
}

/// Bars of one colour.
pub(super) struct Series {
    pub(super) name: String,
    /// One for each group.
    pub(super) values: Vec<Option<f64>>,
    /// Which of the page's colours.
    pub(super) color: usize,
}

impl LineChart<'_> {
    /// The picture; empty where there is nothing to see.
    pub(super) fn draw(&self) -> String {
        let finite = |line: &Line| {
            let points = line.points.iter().copied();
            let points = points.filter(|(x, y)| x.is_finite() && y.is_finite());
            points.collect::<Vec<(f64, f64)>>()
        };
        let lines: Vec<(&Line, Vec<(f64, f64)>)> = self
            .lines
            .iter()
            .map(|line| (line, finite(line)))
            .filter(|(_, points)| !points.is_empty())
            .collect();
        if lines.is_empty() {
            return String::new();
        }
        let points = || lines.iter().flat_map(|it| &it.1);
        let x_axis = Axis::around(points().map(|it| it.0));
        let y_axis = Axis::around(points().map(|it| it.1));
        let frame = Frame { x_axis, y_axis };
        let names = lines
            .iter()
            .map(|it| (it.0.name.as_str(), it.0.color, it.0.stroke == Stroke::Thin));
        let mut svg = opening(self.title);
        legend(&mut svg, names);
        frame.draw_y(&mut svg, self.y_label);
        frame.draw_x(&mut svg, self.x_label);
        for (line, points) in &lines {
            frame.draw_line(&mut svg, line, points);
        }
        svg + "</svg>\n"
    }
}

impl BarChart<'_> {
    /// The picture; empty where there is nothing to see.
    pub(super) fn draw(&self) -> String {
        let values = self.series.iter().flat_map(|it| &it.values).flatten();
        let values: Vec<f64> = values.copied().filter(|it| it.is_finite()).collect();
        if values.is_empty() || self.groups.is_empty() {
            return String::new();
        }
        let highest = values.iter().copied().fold(self.y_max, f64::max);
        let frame = Frame {
            x_axis: Axis::unit(),
            y_axis: Axis::around([0.0, highest].into_iter()),
        };
        let mut svg = opening(self.title);
        if self.series.len() > 1 {
            let names = self.series.iter();
            legend(
                &mut svg,
                names.map(|it| (it.name.as_str(), it.color, false)),
            );
        }
        frame.draw_y(&mut svg, self.y_label);
        let slot = (WIDTH - LEFT - RIGHT) / self.groups.len() as f64;
        let bar = (slot * 0.76 / self.series.len() as f64).min(56.0);
        let every = self.every_nth(slot);
        for (index, group) in self.groups.iter().enumerate() {
            let middle = LEFT + slot * (index as f64 + 0.5);
            let first = middle - bar * self.series.len() as f64 / 2.0;
            for (series, at) in self.series.iter().zip(0_u32..) {
                let value = series.values.get(index).copied().flatten();
                if let Some(value) = value.filter(|it| it.is_finite()) {
                    let x = first + bar * f64::from(at);
                    BarChart::draw_bar(&mut svg, &frame, (x, bar), value, series.color);
                }
            }
            if index.is_multiple_of(every) {
                let place = (middle, HEIGHT - BOTTOM + 18.0);
                text(&mut svg, place, "middle", "", group);
            }
        }
        axis_name(&mut svg, self.x_label);
        svg + "</svg>\n"
    }

    /// Of how many groups one is named, so that names do not run into each other. Few groups are all
    /// named: they may not be numbers, and what is left out could not be guessed.
    fn every_nth(&self, slot: f64) -> usize {
        let longest = self.groups.iter().map(|it| it.chars().count()).max();
        let width = (longest.unwrap_or(0) as f64 + 1.6) * LETTER;
        let fits = |n: &usize| slot * *n as f64 >= width;
        match self.groups.len() {
            0..=8 => 1,
            n_groups => (1..n_groups).find(fits).unwrap_or(n_groups),
        }
    }

    fn draw_bar(svg: &mut String, frame: &Frame, (x, width): (f64, f64), value: f64, color: usize) {
        let (top, bottom) = (frame.y(value.max(0.0)), frame.y(0.0));
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            r#"<rect class="c{color}" x="{:.1}" y="{top:.1}" width="{:.1}" height="{:.1}"/>"#,
            x + 1.0,
            (width - 2.0).max(1.0),
            (bottom - top).max(0.0),
        );
        // Where bars are narrow, numbers would run into each other.
        if width > 30.0 {
            let number = format!("{value:.2}");
            text(
                svg,
                (x + width / 2.0, top - 5.0),
                "middle",
                "small",
                &number,
            );
        }
    }
}

/// What a picture shows of the numbers.
struct Frame {
    x_axis: Axis,
    y_axis: Axis,
}

/// A range of numbers, and those that are written beside it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    first: f64,
    last: f64,
    ticks: Vec<f64>,
    /// How many digits after the point tell the ticks apart.
    n_digits: usize,
}

impl Axis {
    /// An axis that has zero and all of the numbers on it, from one round number to another.
    fn around(numbers: impl Iterator<Item = f64>) -> Axis {
        let (mut least, mut most) = (0.0_f64, 0.0_f64);
        for number in numbers.map(|it| it.clamp(-LARGEST, LARGEST)) {
            (least, most) = (least.min(number), most.max(number));
        }
        Axis::between(least, most)
    }

    /// An axis that has two numbers and all between them on it, from one round number to another.
    pub(crate) fn between(least: f64, mut most: f64) -> Axis {
        let range = most - least;
        // Differences too small to be told apart are none.
        let range = if range > 1e-12 {
            range
        } else {
            most = least + 1.0;
            1.0
        };
        let step = round_step(range / N_TICKS);
        let (first, last) = ((least / step).floor(), (most / step - 1e-9).ceil());
        let ticks = (0..=MAX_TICKS).map(|it| first + f64::from(it));
        Axis {
            first: first * step,
            last: last * step,
            ticks: ticks
                .take_while(|it| *it <= last)
                .map(|it| it * step)
                .collect(),
            n_digits: (0..12)
                .take_while(|n| step < 0.99 * 0.1_f64.powi(*n))
                .count(),
        }
    }

    /// From zero to one, nothing written beside it.
    fn unit() -> Axis {
        Axis {
            first: 0.0,
            last: 1.0,
            ticks: Vec::new(),
            n_digits: 0,
        }
    }

    /// The numbers that are written beside it.
    pub(crate) fn ticks(&self) -> &[f64] {
        &self.ticks
    }

    /// Where on the axis a number is, from zero to one.
    pub(crate) fn place(&self, number: f64) -> f64 {
        let range = self.last - self.first;
        ((number - self.first) / range).clamp(0.0, 1.0)
    }

    pub(crate) fn label(&self, tick: f64) -> String {
        let digits = self.n_digits;
        // No minus before a zero.
        let tick = if tick == 0.0 { 0.0 } else { tick };
        format!("{tick:.digits$}")
    }
}

/// The least of 1, 2, 5, 10, 20, … (or a tenth, a hundredth, …) that is no less than `step`.
fn round_step(step: f64) -> f64 {
    let power = 10.0_f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 5.0].map(|it| it * power);
    let large_enough = round.into_iter().find(|it| *it >= step * (1.0 - 1e-9));
    large_enough.unwrap_or(10.0 * power)
}

impl Frame {
    fn x(&self, number: f64) -> f64 {
        LEFT + self.x_axis.place(number) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, number: f64) -> f64 {
        HEIGHT - BOTTOM - self.y_axis.place(number) * (HEIGHT - TOP - BOTTOM)
    }

    fn draw_y(&self, svg: &mut String, label: &str) {
        for &tick in &self.y_axis.ticks {
            let y = self.y(tick);
            let _ = writeln!(
                svg,
                r#"<path class="grid" d="M{LEFT} {y:.1}H{:.1}"/>"#,
                WIDTH - RIGHT
            );
            let label = self.y_axis.label(tick);
            text(svg, (LEFT - 8.0, y + 4.5), "end", "", &label);
        }
        text(svg, (4.0, 14.0), "start", "name", label);
    }

    fn draw_x(&self, svg: &mut String, label: &str) {
        let bottom = HEIGHT - BOTTOM;
        for &tick in &self.x_axis.ticks {
            let x = self.x(tick);
            let _ = writeln!(svg, r#"<path class="axis" d="M{x:.1} {bottom:.1}v4"/>"#);
            // A long number at the very end would be cut off.
            let label = self.x_axis.label(tick);
            let anchor = if x > WIDTH - RIGHT - 1.0 {
                "end"
            } else {
                "middle"
            };
            let x = if anchor == "end" { WIDTH - 4.0 } else { x };
            text(svg, (x, bottom + 18.0), anchor, "", &label);
        }
        axis_name(svg, label);
    }

    fn draw_line(&self, svg: &mut String, line: &Line, points: &[(f64, f64)]) {
        let color = line.color;
        let class = match line.stroke {
            Stroke::Thin => "thin",
            Stroke::Dotted => "line",
        };
        let mut path = String::new();
        for (index, &(x, y)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", self.x(x), self.y(y));
        }
        let _ = writeln!(svg, r#"<path class="{class} c{color}" d="{path}"/>"#);
        // A thin line with a single point would not be seen.
        if line.stroke == Stroke::Dotted || points.len() == 1 {
            for &(x, y) in points {
                let (x, y) = (self.x(x), self.y(y));
                let _ = writeln!(
                    svg,
                    r#"<circle class="c{color}" cx="{x:.1}" cy="{y:.1}" r="3.2"/>"#
                );
            }
        }
    }
}

fn opening(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n"
    )
}

/// The names of what is drawn, in a row that ends at the right.
fn legend<'a>(svg: &mut String, names: impl DoubleEndedIterator<Item = (&'a str, usize, bool)>) {
    let mut x = WIDTH - RIGHT;
    for (name, color, is_thin) in names.rev().filter(|it| !it.0.is_empty()) {
        x -= name.chars().count() as f64 * LETTER;
        text(svg, (x, 14.0), "start", "", name);
        x -= 18.0;
        let (y, height) = if is_thin { (9.0, 2.0) } else { (5.0, 10.0) };
        let _ = writeln!(
            svg,
            r#"<rect class="c{color}" x="{x:.1}" y="{y}" width="13" height="{height}"/>"#
        );
        x -= 14.0;
    }
}

fn axis_name(svg: &mut String, name: &str) {
    let place = (WIDTH - RIGHT, HEIGHT - 6.0);
    text(svg, place, "end", "name", name);
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let class = match class {
        "" => String::new(),
        class => format!(r#" class="{class}""#),
    };
    let text = escaped(text);
    let _ = writeln!(
        svg,
        r#"<text{class} x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(points: &[&[(f64, f64)]]) -> String {
        let line = |(color, points): (usize, &&[(f64, f64)])| Line {
            name: format!("line {color}"),
            points: points.to_vec(),
            color,
            stroke: if color == 0 {
                Stroke::Thin
            } else {
                Stroke::Dotted
            },
        };
        let chart = LineChart {
            title: "losses <of> \"two\"",
            x_label: "steps",
            y_label: "loss",
            lines: points.iter().enumerate().map(line).collect(),
        };
        chart.draw()
    }

    fn bars(values: &[&[Option<f64>]]) -> String {
        let series = |(color, values): (usize, &&[Option<f64>])| Series {
            name: format!("series {color}"),
            values: values.to_vec(),
            color,
        };
        let chart = BarChart {
            title: "bars",
            x_label: "",
            y_label: "share",
            groups: vec!["one".to_owned(), "two & more".to_owned()],
            series: values.iter().enumerate().map(series).collect(),
            y_max: 1.0,
        };
        chart.draw()
    }

    /// Every number of a picture is one, and is inside of the picture.
    #[track_caller]
    fn check(svg: &str) {
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        for (name, limit) in [("x", WIDTH), ("y", HEIGHT), ("cx", WIDTH), ("cy", HEIGHT)] {
            for rest in svg.split(&format!(" {name}=\"")).skip(1) {
                let number = rest.split('"').next().unwrap();
                let number: f64 = number.parse().unwrap();
                assert!((0.0..=limit).contains(&number), "{name}={number}: {svg}");
            }
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(lines(&[]), "");
        assert_eq!(lines(&[&[], &[(f64::NAN, 1.0)]]), "");
        assert_eq!(bars(&[]), "");
        assert_eq!(bars(&[&[None, Some(f64::INFINITY)]]), "");
    }

    #[test]
    fn any_numbers_can_be_drawn() {
        for points in [
            &[(1.0, 2.0)][..],
            &[(0.0, 0.0)],
            &[(5.0, 3.0), (6.0, 3.0), (7.0, 3.0)],
            &[(1.0, 1e-9), (2.0, 1e-9)],
            &[(1.0, -4.0), (2.0, 1e9), (3.0, f64::NAN)],
            &[(0.0, f64::MAX), (1.0, -f64::MAX)],
        ] {
            let svg = lines(&[points, points]);
            check(&svg);
            assert!(svg.contains("<circle"), "{svg}");
            assert!(svg.contains("losses &lt;of&gt; &quot;two&quot;"), "{svg}");
        }
        check(&bars(&[
            &[Some(0.5), None],
            &[Some(0.0), Some(1.5)],
            &[Some(f64::NAN)],
        ]));
    }

    #[test]
    fn names_of_groups_do_not_run_into_each_other() {
        let chart = |n_groups: usize| BarChart {
            title: "",
            x_label: "",
            y_label: "",
            groups: (0..n_groups).map(|it| it.to_string()).collect(),
            series: Vec::new(),
            y_max: 1.0,
        };
        assert_eq!(chart(5).every_nth(90.0), 1);
        assert_eq!(chart(21).every_nth(20.0), 2);
        assert_eq!(chart(0).every_nth(20.0), 1);
    }

    #[test]
    fn ticks_are_round() {
        let check = |most: f64, expected: &[&str]| {
            let axis = Axis::around([most].into_iter());
            let labels: Vec<String> = axis.ticks.iter().map(|&it| axis.label(it)).collect();
            assert_eq!(labels, expected);
        };
        check(1.0, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(38.0, &["0", "10", "20", "30", "40"]);
        check(1500.0, &["0", "500", "1000", "1500"]);
        check(0.0, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(0.03, &["0.00", "0.01", "0.02", "0.03"]);
    }
}
