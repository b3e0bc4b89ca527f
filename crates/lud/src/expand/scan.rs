//! Walking over raw text: strings, brackets, words.

/// The byte behind the string that begins at `at`; the end of the text if it has no end.
pub(crate) fn skip_string(bytes: &[u8], at: usize) -> usize {
    // A quote behind a backslash does not end it, however many backslashes there are.
    let ends = |i: &usize| bytes[*i] == b'"' && bytes[*i - 1] != b'\\';
    (at + 1..bytes.len()).find(ends).map_or(bytes.len(), |i| i + 1)
}

/// The byte behind the bracket that closes the one at `at`; `None` if none does.
pub(crate) fn skip_brackets(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = at;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => {
                i = skip_string(bytes, i);
                continue;
            }
            b'(' | b'{' => depth += 1,
            b')' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// The first byte from `at` on that is no white space.
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Ends a word.
pub(crate) fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'{' | b'}' | b'"')
}

/// The begin and the end of every `(word …)` outside strings. A bracket without an end is left out; the tree's builder
/// reports it.
pub(crate) fn forms(bytes: &[u8], word: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => i = skip_string(bytes, i),
            b'(' => {
                let name = skip_space(bytes, i + 1);
                let behind = name + word.len();
                let named = bytes.get(name..behind) == Some(word.as_bytes())
                    && bytes.get(behind).is_none_or(|&b| is_delimiter(b));
                match named.then(|| skip_brackets(bytes, i)).flatten() {
                    Some(end) => {
                        found.push((i, end));
                        i = end;
                    }
                    None => i += 1,
                }
            }
            _ => i += 1,
        }
    }
    found
}
