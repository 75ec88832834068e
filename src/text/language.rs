//! Language tags (BCP 47) by their syntax alone: which languages there are is not known here.

/// Whether this has the syntax of a language tag: parts of one to eight letters and digits between hyphens, the first
/// of letters.
pub fn is_tag(text: &str) -> bool {
    if matches!(text.as_bytes(), [first, second] if first.is_ascii_alphabetic() && second.is_ascii_alphabetic()) {
        return true;
    }
    let is_part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let first = text.split('-').next().unwrap_or_default();
    first.bytes().all(|b| b.is_ascii_alphabetic()) && text.split('-').all(is_part)
}

/// The tag that a text means which is none: with hyphens where it has underscores.
pub fn mend(text: &str) -> Option<String> {
    let mended = text.replace('_', "-");
    (mended != text && is_tag(&mended)).then_some(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        for text in ["en", "pt-BR", "zh-Hant-TW", "x-default", "x-klingon", "es-419", "de-CH-1996", "i-enochian"] {
            assert!(is_tag(text), "{text}");
        }
        for text in ["", "-", "en-", "en_US", "en US", "englishes1", "1a", "ру", "en-US.UTF-8"] {
            assert!(!is_tag(text), "{text}");
        }
        assert_eq!(mend("en_US").as_deref(), Some("en-US"));
        assert_eq!((mend("en-US"), mend("en_US.UTF-8"), mend("_")), (None, None, None));
    }
}
