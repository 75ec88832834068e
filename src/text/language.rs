//! Language tags (BCP 47) by their syntax alone, and those that Google takes for pages in several languages and for news.
//! What readers make of a language is not known here.

use super::region;

/// Whether this has the syntax of a language tag: parts of one to eight letters and digits between hyphens, the first
/// of two letters or more, or one of the letters before which tags of private use and old ones begin.
pub fn is_tag(text: &str) -> bool {
    if matches!(text.as_bytes(), [first, second] if first.is_ascii_alphabetic() && second.is_ascii_alphabetic()) {
        return true;
    }
    let is_part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let first = text.split('-').next().unwrap_or_default();
    let is_prefix = matches!(first, "x" | "X" | "i" | "I") && first.len() < text.len();
    (first.len() > 1 || is_prefix) && first.bytes().all(|b| b.is_ascii_alphabetic()) && text.split('-').all(is_part)
}

/// The tag that an invalid one means: with hyphens in place of underscores.
pub fn repair(text: &str) -> Option<String> {
    let mended = text.replace('_', "-");
    (mended != text && is_tag(&mended)).then_some(mended)
}

/// Whether Google takes this for the language of a page: `x-default`, or a language of ISO 639-1, perhaps a script, perhaps
/// a country of ISO 3166-1.
pub fn is_hreflang(text: &str) -> bool {
    if text.eq_ignore_ascii_case("x-default") {
        return true;
    }
    let letters = |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_country =
        |part: &str| letters(part, 2) && region::country(part).is_some_and(|country| country.note.is_none());
    let (language, rest) = text.split_once('-').map_or((text, None), |(language, rest)| (language, Some(rest)));
    is_known(language)
        && match rest.map(|rest| rest.split_once('-')) {
            None => true,
            Some(None) => rest.is_some_and(|part| letters(part, 4) || is_country(part)),
            Some(Some((script, country))) => letters(script, 4) && is_country(country),
        }
}

/// The one that a text means which Google does not take: with hyphens, and with the code that the country has.
pub fn repair_hreflang(text: &str) -> Option<String> {
    let mended = text.trim().replace('_', "-").replace("-UK", "-GB").replace("-uk", "-gb");
    (mended != text && is_hreflang(&mended)).then_some(mended)
}

/// Whether Google takes this for the language of a publication: a code of ISO 639, or one of the two forms of Chinese.
pub fn is_of_news(text: &str) -> bool {
    let lower = text.bytes().all(|byte| byte.is_ascii_lowercase());
    lower && is_code(text) || matches!(text, "zh-cn" | "zh-tw")
}

/// Whether this may be a code of ISO 639: one of those with two letters, or three letters, of which there are thousands.
pub fn is_code(text: &str) -> bool {
    is_known(text) || text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The languages of ISO 639-1, with some that were withdrawn.
fn is_known(code: &str) -> bool {
    const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy \
        da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii \
        ik io is it iu iw ja jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml \
        mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg \
        sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh \
        yi yo za zh zu";
    /// For each first letter, a bit for each second one.
    static LETTERS: [u32; 26] = {
        let (codes, mut letters, mut at) = (CODES.as_bytes(), [0; 26], 0);
        while at + 1 < codes.len() {
            letters[(codes[at] - b'a') as usize] |= 1 << (codes[at + 1] - b'a');
            at += 3;
        }
        letters
    };
    let letter = |byte: u8| byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase() - b'a');
    let [first, second] = code.as_bytes() else { return false };
    let (Some(first), Some(second)) = (letter(*first), letter(*second)) else { return false };
    LETTERS.get(usize::from(first)).is_some_and(|seconds| seconds >> second & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        for text in ["en", "pt-BR", "zh-Hant-TW", "x-default", "x-klingon", "es-419", "de-CH-1996", "i-enochian"] {
            assert!(is_tag(text), "{text}");
        }
        for text in ["", "-", "en-", "en_US", "en US", "englishes1", "1a", "ру", "en-US.UTF-8", "C", "a-DE", "x"] {
            assert!(!is_tag(text), "{text}");
        }
        assert_eq!(repair("en_US").as_deref(), Some("en-US"));
        assert_eq!((repair("en-US"), repair("en_US.UTF-8"), repair("_")), (None, None, None));
    }

    #[test]
    fn languages_that_google_takes() {
        for text in ["en", "EN", "pt-BR", "zh-Hant", "zh-Hant-TW", "x-default", "X-Default", "en-gb"] {
            assert!(is_hreflang(text), "{text}");
        }
        for text in ["", "-", "US", "us", "en-UK", "en_US", "es-419", "eng", "en-US-x", "zh-Hant-", "en-", "ru "] {
            assert!(!is_hreflang(text), "{text}");
        }
        assert_eq!(repair_hreflang("en_UK").as_deref(), Some("en-GB"));
        assert_eq!((repair_hreflang("en"), repair_hreflang("es-419"), repair_hreflang("ü")), (None, None, None));
        assert!(is_of_news("en") && is_of_news("zh-tw") && is_of_news("fil"));
        assert!(!is_of_news("EN") && !is_of_news("en-us") && !is_of_news(""));
    }
}
