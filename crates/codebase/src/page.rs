//! What all pages have in common.

use std::fmt::{self, Write as _};

/// Colours, type, code.
pub const BASE_STYLE: &str = include_str!("page/base.css");

/// What a page without scripts may do: look as it should, and nothing else.
pub const NO_SCRIPTS: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src \
    'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">";

/// A text, with everything that means something to a browser taken its meaning.
pub fn escaped(text: &str) -> Escaped<'_> {
    Escaped(text)
}

/// See [`escaped`].
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(char)?,
                // Control characters are no text, and pages must not have them.
                char if char.is_control() => f.write_char('\u{fffd}')?,
                char => f.write_char(char)?,
            }
        }
        Ok(())
    }
}
