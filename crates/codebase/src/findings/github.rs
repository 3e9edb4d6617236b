//! Findings as annotations of GitHub's pull requests: commands on lines of the log.

use std::fmt::Write as _;
use std::path::Path;

use super::{Finding, Level, Region, plain_path};

/// One command for each finding; paths are told from `base`.
///
/// The runner takes whatever is on such a line for a command, so all that could end it is escaped.
pub fn github(findings: &[Finding], base: &Path) -> String {
    let mut text = String::new();
    for finding in findings {
        let Region {
            file,
            line,
            column,
            end_line,
            end_column,
            ..
        } = &finding.region;
        let command = match finding.level {
            Level::Note => "notice",
            level => level.name(),
        };
        let file = property(&plain_path(Path::new(file), base));
        let _ = write!(
            text,
            "::{command} file={file},line={line},endLine={end_line}"
        );
        // Columns are of one line.
        if line == end_line {
            let _ = write!(text, ",col={column},endColumn={end_column}");
        }
        let title = property(&format!("patois {}", finding.rule));
        let _ = writeln!(text, ",title={title}::{}", data(&finding.message));
    }
    text
}

fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::tests::finding;
    use super::*;

    #[test]
    fn nothing_in_a_finding_ends_its_line() {
        let mut hostile = finding("r", "./a,b:c\n::error::.py", 3, "");
        hostile.message = "100%\n::set-output name=x::y".to_owned();
        let text = github(&[hostile], Path::new("/"));
        assert_eq!(
            text,
            "::warning file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3A.py,line=3,endLine=3,col=5,endColumn=9,\
             title=patois r::100%25%0A::set-output name=x::y\n"
        );
    }
}
