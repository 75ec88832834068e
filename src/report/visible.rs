//! Text that a terminal would obey, as text that it shows.

/// Characters that a terminal obeys, shown rather than obeyed (control characters, bidi marks, zero-width ones).
pub fn make_visible(text: &str) -> String {
    let mut tamed = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => tamed.push(' '),
            c if unseen(c) => tamed.extend(c.escape_unicode()),
            c => tamed.push(c),
        }
    }
    tamed
}

/// The name of an input for people.
pub fn input_title(name: &str) -> String {
    if name == "-" { "standard input".to_owned() } else { make_visible(name) }
}

/// What is obeyed or not seen at all: controls, marks of direction, characters without width, tags.
pub fn unseen(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    hidden || c.is_control()
}
