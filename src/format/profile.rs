//! Which pages Google and Yandex accept from a sitemap or a list of URLs (rule A18; sitemaps.org for the length of a
//! URL; Yandex Webmaster, "Using a Sitemap file" and the errors of its validator). Further elements that Yandex ignores
//! are in a fate table of the sitemaps; Google's requirements for videos are applied where videos are written.

use super::contract::Setup;
use crate::options::Options;
use crate::reason::Reason;
use crate::text::url;

/// Characters of a URL (the validator's "URL too long").
const ADDRESS: usize = 1024;

/// Bytes of `lastmod`, `changefreq` and `priority` ("Data limit exceeded").
pub(super) const TAG: usize = 100;

/// The number of characters from which a URL is too long for every consumer.
const TOO_LONG: usize = 2048;

/// Why the one whose rules are applied would not take the page.
pub(crate) fn refusal(page: &str, setup: &Setup<'_>) -> Option<Reason> {
    if page.len() >= TOO_LONG && setup.google() && page.chars().count() >= TOO_LONG {
        return Some(Reason::LongUrl);
    }
    not_for_yandex(page, setup.options)
}

/// The URL of the sitemap, whose pages must be next to or below it.
fn scope(options: &Options) -> Option<&str> {
    options.self_url.as_deref().or(options.base.as_deref())
}

fn not_for_yandex(page: &str, options: &Options) -> Option<Reason> {
    if !options.yandex() {
        return None;
    }
    if page.len() > ADDRESS && page.chars().count() > ADDRESS {
        return Some(Reason::LongUrl);
    }
    let scope = scope(options)?;
    if !same_site(page, scope) {
        return Some(Reason::YandexScope);
    }
    let [page, scope] = [page, scope].map(url::key);
    let is_below = path(&page).starts_with(folder(path(&scope)));
    (!is_below).then_some(Reason::YandexScope)
}

/// Scheme, host and port are the same; `www.` counts.
fn same_site(a: &str, b: &str) -> bool {
    let site = |address: &str| {
        let key = url::key(address);
        url::origin(&key).map(str::to_owned)
    };
    site(a).is_some_and(|site_of_a| site(b) == Some(site_of_a))
}

/// The path with its first `/`, without query and fragment.
fn path(address: &str) -> &str {
    let start = url::origin(address).map_or(0, str::len);
    let rest = address.trim().get(start..).unwrap_or("");
    let path = rest.split(['?', '#']).next().unwrap_or("");
    if path.is_empty() { "/" } else { path }
}

/// The path up to its last `/`.
fn folder(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Profile;

    #[test]
    fn scope_is_the_folder_of_the_sitemap() {
        let scoped =
            |scope: &str| Options { profile: Profile::Yandex, self_url: Some(scope.to_owned()), ..Options::default() };
        let takes = |scope: &str, page: &str| not_for_yandex(page, &scoped(scope)).is_none();
        for (scope, page, expected) in [
            ("https://h.example/sitemap.xml", "https://h.example/a/b?c#d", true),
            ("https://h.example/sitemap.xml", "HTTPS://H.example:443", true),
            ("https://h.example/sitemap.xml", "http://h.example/a", false),
            ("https://h.example/sitemap.xml", "https://www.h.example/a", false),
            ("https://h.example/sitemap.xml", "https://h.example:8443/a", false),
            ("https://h.example/news/sitemap.xml", "https://h.example/news/a", true),
            ("https://h.example/news/sitemap.xml", "https://h.example/newsletter", false),
            ("https://h.example/news/sitemap.xml", "https://h.example/", false),
            ("https://h.example/news/sitemap.xml", "https://h.example/news/../a", false),
            ("https://h.example/a/../news/sitemap.xml", "https://h.example/news/a", true),
        ] {
            assert_eq!(takes(scope, page), expected, "{scope} {page}");
        }
        let long = |length| format!("https://h.example/{}", "x".repeat(length));
        let unscoped = Options { profile: Profile::Yandex, ..Options::default() };
        assert!(not_for_yandex(&long(1006), &unscoped).is_none());
        assert!(not_for_yandex(&long(1007), &unscoped).is_some());
        assert!(not_for_yandex(&long(1007), &Options::default()).is_none());
    }
}
