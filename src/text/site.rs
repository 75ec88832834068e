//! The sites of hosts, by the public suffix list. Only this file asks the list: each file that does gets a copy of it in
//! the program.

use super::url;

/// The registered domain of a URL, below a public suffix: its site.
pub fn name(address: &str) -> Option<String> {
    // in its key, an international host has one spelling
    let key = url::key(address.trim());
    let host = url::host(&key)?.trim_end_matches('.').to_ascii_lowercase();
    match psl::domain_str(&host) {
        Some(domain) => Some(domain.to_owned()),
        None => Some(host),
    }
}

/// Whether two URLs are of one site.
pub fn is_same(one: &str, other: &str) -> bool {
    name(one).is_some_and(|site| name(other) == Some(site))
}

/// Whether a host ends in a suffix of the public list.
pub fn has_public_suffix(host: &str) -> bool {
    psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_below_public_suffixes() {
        assert_eq!(name("https://www.a.co.uk/x").as_deref(), Some("a.co.uk"));
        assert_eq!(name("https://localhost/").as_deref(), Some("localhost"));
        assert!(is_same("https://A.example/", "http://b.a.example:8080/x"));
        assert!(!is_same("https://a.co.uk/", "https://b.co.uk/"));
        assert!(!is_same("https://a.github.io/", "https://b.github.io/"));
        assert!(!is_same("x", "x"));
    }
}
