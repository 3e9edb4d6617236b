//! The report as a page: one file, no network, no scripts.

mod examples;
mod idioms;

use std::fmt::Write as _;

use patois_codebase::number::{count, counted, duration, share, share_or_dash};
use patois_codebase::page::{BASE_STYLE, NO_SCRIPTS, escaped};

use super::chart::{BarChart, Line, LineChart, Series, Stroke};
use super::code::Span;
use super::curve::Point;
use super::results::Results;
use super::summary::{Metric, MetricKind, interval, metrics, n_questions, summary};
use super::{QuestionSet, Report, System};

const STYLE: &str = include_str!("html/page.css");

/// The whole page.
pub(super) fn write(report: &Report) -> String {
    let mut page = head(&report.corpus.name);
    let sections = [
        ("results", "Results", results(report)),
        ("idioms", "Idioms", idioms::write(report)),
        ("learning", "Learning curves", learning(report)),
        ("examples", "Examples", examples::write(report)),
        ("run", "The run", details(report)),
    ];
    let sections: Vec<_> = sections.into_iter().filter(|it| !it.2.is_empty()).collect();
    header(&mut page, report, &sections);
    page += "<main>\n";
    for (id, title, section) in sections {
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "<section id=\"{id}\">\n<h2>{title}</h2>\n{section}</section>\n"
        );
    }
    let version = escaped(&report.patois);
    let _ = write!(
        page,
        "</main>\n<footer>patois {version}. The same as data: <code>report.json</code>; as plain \
         text: <code>report.md</code>.</footer>\n</body>\n</html>\n"
    );
    page
}

/// A page up to the start of its body.
pub(crate) fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{NO_SCRIPTS}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – patois</title>\n<style>\n{BASE_STYLE}{STYLE}</style>\n</head>\n<body>\n"
    )
}

fn header(page: &mut String, report: &Report, sections: &[(&str, &str, String)]) {
    let _ = write!(
        page,
        "<header>\n<p class=\"eyebrow\">patois · report of a run</p>\n<h1>{}</h1>\n\
         <p class=\"lead\">{}</p>\n<nav aria-label=\"Sections\"><ul>",
        escaped(&report.corpus.name),
        escaped(&summary(report)),
    );
    for (id, title, _) in sections {
        let _ = write!(page, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    *page += "</ul></nav>\n</header>\n";
}

fn results(report: &Report) -> String {
    if report.sets.is_empty() {
        return "<p>Nothing was evaluated yet.</p>\n".to_owned();
    }
    let mut html = big_figures(report);
    html += &headline(report);
    let charts = exact_chart(report) + &hardness_charts(report);
    if !charts.is_empty() {
        let _ = write!(html, "<div class=\"charts\">\n{charts}</div>\n");
    }
    for set in &report.sets {
        html += &more_figures(report, set);
    }
    html
}

/// What the main system gets right, in large print.
fn big_figures(report: &Report) -> String {
    let mut html = "<dl class=\"figures\">\n".to_owned();
    for (set, results) in report.main_results() {
        let _ = writeln!(
            html,
            "<div><dt>exact match, {}</dt><dd>{}</dd></div>",
            escaped(&set.label),
            share(results.exact_match)
        );
    }
    html + "</dl>\n"
}

fn headline(report: &Report) -> String {
    let metrics = metrics(report);
    let n_systems = report.systems.len();
    let rows = if n_systems > 1 { 2 } else { 1 };
    let mut html = format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\" rowspan=\"{rows}\">questions</th>\
         <th scope=\"col\" rowspan=\"{rows}\">number</th>"
    );
    for metric in &metrics {
        let _ = match n_systems {
            1 => write!(html, "<th scope=\"col\">{}</th>", metric.name),
            n => write!(
                html,
                "<th scope=\"colgroup\" colspan=\"{n}\">{}</th>",
                metric.name
            ),
        };
    }
    html += "</tr>\n";
    if n_systems > 1 {
        html += "<tr>";
        for _ in &metrics {
            for system in &report.systems {
                let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(&system.name));
            }
        }
        html += "</tr>\n";
    }
    html += "</thead>\n<tbody>\n";
    for set in &report.sets {
        let number = count(n_questions(report, set));
        let label = escaped(&set.label);
        let _ = write!(html, "<tr><th scope=\"row\">{label}</th><td>{number}</td>");
        for metric in &metrics {
            html += &cells(report, set, metric);
        }
        html += "</tr>\n";
    }
    html += "</tbody>\n</table></div>\n";
    html + &definitions(&metrics)
}

/// What the metrics say.
fn definitions(metrics: &[Metric]) -> String {
    let mut html = "<dl class=\"definitions\">\n".to_owned();
    for metric in metrics {
        let _ = writeln!(html, "<dt>{}</dt><dd>{}.</dd>", metric.name, metric.meaning);
    }
    html += "<dt>small figures</dt><dd>the 95 % interval (Wilson) for as many questions as were asked.\
             </dd>\n";
    html + "</dl>\n"
}

/// A figure of all systems, the best of them in bold, with its interval where it has one.
fn cells(report: &Report, set: &QuestionSet, metric: &Metric) -> String {
    let figure = |system: &System| system.of(set.split).and_then(metric.of);
    let figures: Vec<Option<f64>> = report.systems.iter().map(figure).collect();
    let best = figures.iter().flatten().copied().fold(0.0, f64::max);
    let n = n_questions(report, set);
    let cell = |figure: &Option<f64>| {
        let is_best = figures.len() > 1 && figure.is_some_and(|it| it > 0.0 && it >= best);
        let class = if is_best { " class=\"best\"" } else { "" };
        let small = figure
            .filter(|_| metric.kind == MetricKind::Share)
            .map(|it| {
                let (low, high) = interval(it, n);
                format!("<small>{low:.2}–{high:.2}</small>")
            });
        let small = small.unwrap_or_default();
        format!("<td{class}>{}{small}</td>", share_or_dash(*figure))
    };
    figures.iter().map(cell).collect()
}

fn figure(picture: &str, caption: &str) -> String {
    if picture.is_empty() {
        return String::new();
    }
    let caption = escaped(caption);
    format!("<figure>\n{picture}<figcaption>{caption}</figcaption>\n</figure>\n")
}

/// The colour of a system: the one that the run is about has the first.
fn color(report: &Report, index: usize) -> usize {
    report.systems.len() - 1 - index
}

/// The systems beside each other; where there is one, the figures say it all.
fn exact_chart(report: &Report) -> String {
    if report.systems.len() < 2 {
        return String::new();
    }
    let series = report.systems.iter().enumerate().map(|(index, system)| {
        let value = |set: &QuestionSet| system.of(set.split).map(|it| it.exact_match);
        Series {
            name: system.name.clone(),
            values: report.sets.iter().map(value).collect(),
            color: color(report, index),
        }
    });
    let chart = BarChart {
        title: "Exact match of each system on each set of questions",
        x_label: "",
        y_label: "exact match",
        groups: report.sets.iter().map(|it| it.label.clone()).collect(),
        series: series.collect(),
        y_max: 1.0,
    };
    figure(&chart.draw(), "Exact match on each set of questions.")
}

fn hardness_charts(report: &Report) -> String {
    report
        .sets
        .iter()
        .map(|set| hardness_chart(report, set))
        .collect()
}

fn hardness_chart(report: &Report, set: &QuestionSet) -> String {
    let Some(levels) = report.main_system().and_then(|it| it.of(set.split)) else {
        return String::new();
    };
    let levels = levels.hardness.iter().filter(|it| it.examples > 0);
    let (levels, groups): (Vec<&str>, Vec<String>) = levels
        .map(|it| {
            (
                it.level.as_str(),
                format!("{} ({})", it.level, count(it.examples)),
            )
        })
        .unzip();
    let series = report.systems.iter().enumerate().map(|(index, system)| {
        let results = system.of(set.split);
        let value = |level: &&str| {
            let mut found = results.into_iter().flat_map(|it| &it.hardness);
            found.find(|it| it.level == *level)?.exact_match
        };
        Series {
            name: system.name.clone(),
            values: levels.iter().map(value).collect(),
            color: color(report, index),
        }
    });
    let title = format!("Exact match by hardness, {}", set.label);
    let chart = BarChart {
        title: &title,
        x_label: "",
        y_label: "exact match",
        groups,
        series: series.collect(),
        y_max: 1.0,
    };
    figure(
        &chart.draw(),
        &format!("{title}; in brackets, how many queries."),
    )
}

/// The figures by hardness and component, folded away.
fn more_figures(report: &Report, set: &QuestionSet) -> String {
    let mut html = String::new();
    for system in &report.systems {
        let results = system.of(set.split);
        if let Some(results) = results.filter(|it| !it.components.is_empty()) {
            html += &hardness_table(results, &system.name);
            html += &component_table(results, &system.name);
        }
    }
    if html.is_empty() {
        return html;
    }
    let label = escaped(&set.label);
    format!("<details><summary>{label}: by hardness and component</summary>\n{html}</details>\n")
}

fn hardness_table(results: &Results, system: &str) -> String {
    let rows = results.hardness.iter().map(|level| {
        let shares = [level.exact_match, level.execution].map(share_or_dash);
        let [exact_match, execution] = shares;
        (
            level.level.clone(),
            [count(level.examples), exact_match, execution],
        )
    });
    let columns = ["hardness", "queries", "exact match", "execution"];
    table(Some(system), &columns, rows)
}

fn component_table(results: &Results, system: &str) -> String {
    let rows = results.components.iter().map(|row| {
        let shares = [row.accuracy, row.recall, row.f1].map(share);
        (row.component.clone(), shares)
    });
    let columns = ["component", "accuracy", "recall", "F1"];
    table(Some(system), &columns, rows)
}

/// A table whose rows have a name and figures.
pub(crate) fn table<F: IntoIterator<Item = String>>(
    caption: Option<&str>,
    columns: &[&str],
    rows: impl Iterator<Item = (String, F)>,
) -> String {
    let mut html = "<div class=\"scroll\"><table>\n".to_owned();
    if let Some(caption) = caption {
        let _ = writeln!(html, "<caption>{}</caption>", escaped(caption));
    }
    html += "<thead><tr>";
    for column in columns {
        let _ = write!(html, "<th scope=\"col\">{column}</th>");
    }
    html += "</tr></thead>\n<tbody>\n";
    for (name, figures) in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", escaped(&name));
        for figure in figures {
            let _ = write!(html, "<td>{figure}</td>");
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table></div>\n"
}

/// The first items inside of an element, and the others in another one, folded away.
fn folded(items: &[String], n_open: usize, (opening, closing): (&str, &str)) -> String {
    let (open, folded) = items.split_at(items.len().min(n_open));
    let mut html = format!("{opening}\n{}{closing}\n", open.concat());
    if !folded.is_empty() {
        let _ = write!(
            html,
            "<details><summary>{} more</summary>\n{opening}\n{}{closing}\n</details>\n",
            count(folded.len()),
            folded.concat()
        );
    }
    html
}

fn learning(report: &Report) -> String {
    let is_alone = report.systems.len() == 1;
    let mut lines = Vec::new();
    for (index, system) in report.systems.iter().enumerate() {
        let line = |name: &str, points: &[Point], stroke| Line {
            name: name.to_owned(),
            points: points.iter().map(|it| (it.step as f64, it.loss)).collect(),
            color: color(report, index),
            stroke,
        };
        // Names of systems, or where there is one, of what its losses are on.
        let (train, dev) = if is_alone {
            ("train", "dev")
        } else {
            ("", system.name.as_str())
        };
        lines.push(line(train, &system.curve.train, Stroke::Thin));
        lines.push(line(dev, &system.curve.dev, Stroke::Dotted));
    }
    let chart = LineChart {
        title: "Loss on train and dev over the steps of training",
        x_label: "steps",
        y_label: "loss",
        lines,
    };
    let caption = "Nats an example. Thin: on train, each a mean over some steps, with dropout; \
                   dots: on dev.";
    let mut html = figure(&chart.draw(), caption);
    if html.is_empty() {
        return html;
    }
    for system in &report.systems {
        if let Some(loss) = system.dev_loss {
            let _ = writeln!(
                html,
                "<p class=\"note\">{}: objective {}, {}, dev loss {loss:.3}.</p>",
                escaped(&system.name),
                escaped(&system.objective),
                counted(system.step, "step"),
            );
        }
    }
    html
}

fn details(report: &Report) -> String {
    let mut html = String::new();
    if !report.corpus.splits.is_empty() {
        let sizes = report.corpus.splits.iter();
        let rows = sizes.map(|it| (it.split.to_string(), [it.examples, it.dropped].map(count)));
        html += "<h3>Corpus</h3>\n";
        html += &table(None, &["split", "examples", "rows left out"], rows);
    }
    if !report.timings.is_empty() {
        let total: f64 = report.timings.iter().map(|it| it.seconds).sum();
        let timings = report.timings.iter();
        let timings = timings.map(|it| (it.stage.clone(), it.seconds));
        let rows = timings.chain([("all".to_owned(), total)]);
        html += "<h3>Timings</h3>\n";
        html += &table(
            None,
            &["stage", "time"],
            rows.map(|it| (it.0, [duration(it.1)])),
        );
    }
    let _ = write!(
        html,
        "<h3>Configuration</h3>\n<p>Seed {}. The same configuration and seed give the same \
         models, whatever the number of threads.</p>\n<details><summary>config.toml, every \
         default written out</summary>\n<pre><code>{}</code></pre></details>\n",
        report.seed,
        escaped(&report.config_toml())
    );
    html
}

/// Spans as text, the marked ones inside of an element.
fn spans(spans: &[Span<'_>], opening: &str, closing: &str) -> String {
    let mut html = String::new();
    let mut is_open = false;
    for span in spans {
        if span.is_marked != is_open {
            html += if span.is_marked { opening } else { closing };
            is_open = span.is_marked;
        }
        let _ = write!(html, "{}", escaped(span.text));
    }
    if is_open {
        html += closing;
    }
    html
}
