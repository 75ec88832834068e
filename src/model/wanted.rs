//! Names of fields as users give them: whole, by their beginnings (`video.file`), or as patterns (`video.*.url`).

/// Whether a field is one of those that a name matches. In a pattern, `*` is any text and `?` any one character.
///
/// ```
/// use transfeed::model::wanted::is_within;
///
/// assert!(is_within("video.file.url", "video.file") && is_within("video.file.url", "video.*.url"));
/// assert!(!is_within("video.files", "video.file") && !is_within("video", "video.*"));
/// ```
pub fn is_within(field: &str, name: &str) -> bool {
    match is_pattern(name) {
        true => matches(field.as_bytes(), name.as_bytes()),
        false => field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

/// Whether a name is a pattern.
pub fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Only the latest star is ever tried again, so the time is at most the product of the two lengths.
fn matches(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut step) = (0, 0);
    // the pattern after the latest star, and the end of the text it matches
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = text.get(at) {
        match (pattern.get(step), star) {
            (Some(b'*'), _) => {
                step += 1;
                star = Some((step, at));
            }
            (Some(wanted), _) if *wanted == b'?' || wanted == byte => (step, at) = (step + 1, at + 1),
            (_, Some((behind, end))) => {
                (step, at) = (behind, end + 1);
                star = Some((behind, end + 1));
            }
            (_, None) => return false,
        }
    }
    pattern.get(step..).is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for (field, name) in [
            ("video.title", "video.*"),
            ("video.file.url", "video.*"),
            ("video.file.url", "*.url"),
            ("video.file.url", "v*f*l"),
            ("video.file.url", "*"),
            ("title.kind", "*.kind"),
            ("loc", "lo?"),
            ("aab", "*ab"),
            ("title", "title**"),
        ] {
            assert!(is_within(field, name), "{field} {name}");
        }
        for (field, name) in
            [("video", "video.*"), ("video.title", "vide"), ("loc", "?"), ("aac", "*ab"), ("title", "*x"), ("", "?")]
        {
            assert!(!is_within(field, name), "{field} {name}");
        }
        // a pattern that tries again at every star would never end here
        assert!(!is_within(&"a".repeat(5_000), &format!("{}*b", "*a".repeat(2_000))));
    }
}
