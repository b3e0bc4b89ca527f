//! Comments: from `//` to the end of the line, outside strings.

use super::scan::skip_string;
use crate::source::Text;

/// The text without comments.
pub(crate) fn strip(text: &Text) -> Text {
    let bytes = text.bytes();
    let mut out = Text::default();
    let (mut from, mut i) = (0, 0);
    while i < bytes.len() {
        if bytes[i] == b'"' {
            i = skip_string(bytes, i);
        } else if bytes[i..].starts_with(b"//") {
            out.extend(text, from, i);
            while i < bytes.len() && bytes[i] != b'\n' {
                i += 1;
            }
            from = i;
        } else {
            i += 1;
        }
    }
    out.extend(text, from, bytes.len());
    out
}
