//! URLs that are fetched: parsed strictly, shown without credentials, and followed only where a redirect may lead.
//! Nothing is resolved or connected to here.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::address;
use crate::text::{unescape_percent, url};

/// Bytes of a URL that is accepted.
const LONGEST: usize = 8 << 10;

/// User and password of a URL or a netrc file.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub user: String,
    pub password: String,
}

/// An `http` or `https` URL without a fragment. Its credentials are not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteUrl {
    is_https: bool,
    /// In small letters; an IPv6 address in brackets.
    host: String,
    /// Absent if it is that of the scheme.
    port: Option<u16>,
    /// Path and query, beginning with a slash.
    path: String,
    credentials: Option<Credentials>,
}

impl RemoteUrl {
    /// Whether a word of a command line is meant as a URL to fetch.
    pub fn is_one(word: &str) -> bool {
        word.get(..8).is_some_and(|begin| begin.eq_ignore_ascii_case("https://"))
            || word.get(..7).is_some_and(|begin| begin.eq_ignore_ascii_case("http://"))
    }

    /// Parses an absolute URL.
    ///
    /// # Errors
    /// The reason, without the URL: it may have a password.
    pub fn parse(text: &str) -> Result<RemoteUrl, String> {
        if text.len() > LONGEST {
            return Err(format!("the URL has more than {LONGEST} bytes"));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err("the URL has a space, a control character or a backslash".to_owned());
        }
        let (scheme, rest) = text.split_once("://").ok_or("the URL has no scheme; only http and https are fetched")?;
        let is_https = scheme.eq_ignore_ascii_case("https");
        if !is_https && !scheme.eq_ignore_ascii_case("http") {
            return Err(format!("{} is not fetched, only http and https", clean(scheme)));
        }
        let rest = url::fragmentless(rest);
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (userinfo, host_port) = match authority.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, authority),
        };
        let (host, port) = split_port(host_port)?;
        let default = if is_https { 443 } else { 80 };
        let path = if path.starts_with('/') { escaped(path) } else { format!("/{}", escaped(path)) };
        let credentials = userinfo.filter(|text| !text.is_empty()).map(|text| {
            let (user, password) = text.split_once(':').unwrap_or((text, ""));
            Credentials { user: unescaped(user), password: unescaped(password) }
        });
        Ok(RemoteUrl {
            is_https,
            host: host_name(host)?,
            port: port.filter(|port| *port != default),
            path,
            credentials,
        })
    }

    /// Parses a URL that a user wrote, which may have a password.
    ///
    /// # Errors
    /// As [`RemoteUrl::parse`]; and where it is not clear whether it has one.
    pub fn typed(text: &str) -> Result<RemoteUrl, String> {
        match has_doubtful_password(text) {
            true => Err("it has an @ after a slash, ? or #; in a password, write these as %2F, %3F or %23, \
                         in a path, write @ as %40"
                .to_owned()),
            false => RemoteUrl::parse(text),
        }
    }

    /// The URL that a `Location` header or a part of this document names. Its own credentials are not used.
    ///
    /// # Errors
    /// The URL is invalid, or must not be followed: it leads from https to http.
    pub fn join(&self, reference: &str) -> Result<RemoteUrl, String> {
        let target = self.link(reference)?;
        match self.is_https && !target.is_https {
            true => Err(format!("it leads from https to http ({target})")),
            false => Ok(target),
        }
    }

    /// The URL that this document names as the document of somebody else, who may have no https.
    ///
    /// # Errors
    /// The URL is invalid.
    pub fn link(&self, reference: &str) -> Result<RemoteUrl, String> {
        let reference = reference.trim_matches([' ', '\t']);
        if reference.chars().any(|c| c.is_control() || c == '\\') {
            return Err("it has a control character or a backslash".to_owned());
        }
        let target = url::resolve(&self.to_string(), &reference.replace(' ', "%20"))
            .ok_or_else(|| format!("{} is not a URL", clean(reference)))?;
        RemoteUrl::parse(&target).map(RemoteUrl::without_credentials)
    }

    /// The same without user and password.
    #[must_use]
    pub fn without_credentials(self) -> RemoteUrl {
        RemoteUrl { credentials: None, ..self }
    }

    /// The host, in small letters.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Host and port, if it is not that of the scheme.
    pub fn authority(&self) -> String {
        self.port.map_or_else(|| self.host.clone(), |port| format!("{}:{port}", self.host))
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme(), self.authority())
    }

    /// The scheme.
    pub fn scheme(&self) -> &'static str {
        if self.is_https { "https" } else { "http" }
    }

    /// Whether it is the URL of a robots.txt.
    pub fn is_robots(&self) -> bool {
        self.path().split('?').next() == Some("/robots.txt")
    }

    /// Path and query, beginning with a slash.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// User and password.
    pub fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    /// Whether secrets that were given for one host may be sent to the other: it is the same one, at most upgraded from
    /// http to https at their usual ports.
    pub fn may_share_secrets(&self, with: &RemoteUrl) -> bool {
        let upgrade = !self.is_https && with.is_https && self.port.is_none() && with.port.is_none();
        self.host == with.host && (upgrade || self.is_https == with.is_https && self.port == with.port)
    }

    /// Why a host that is written as an address, or is `localhost`, is not public.
    pub fn non_public_literal(&self) -> Option<&'static str> {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(literal) => address::non_public(literal),
            Err(_) if bare == "localhost" || bare.ends_with(".localhost") => Some("loopback"),
            Err(_) => None,
        }
    }
}

/// Without credentials.
impl fmt::Display for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.path)
    }
}

/// Without credentials.
impl fmt::Debug for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A name of an input as it may be shown: a URL without user and password. Of one that is not valid, nothing before the last
/// `@` is shown: a password may have a `/`, a `#` or a `?` that should be escaped.
pub fn shown(name: &str) -> String {
    let Some((scheme, rest)) = name.split_once(":/").filter(|(scheme, _)| is_scheme(scheme)) else {
        return name.to_owned();
    };
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let end = match RemoteUrl::parse(name).is_ok() && !has_doubtful_password(name) {
        true => rest.find(['/', '?', '#']).unwrap_or(rest.len()),
        false => rest.len(),
    };
    match rest.get(..end).and_then(|may_have| may_have.rfind('@')) {
        Some(at) => format!("{scheme}://{}", rest.get(at + 1..).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Whether a text can be the scheme of a URL, and not a drive.
fn is_scheme(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Whether what looks like host, port and path may be user and password: `http://user:12/x@host`.
fn has_doubtful_password(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let has_port = authority.rsplit(']').next().is_some_and(|end| end.contains(':'));
    has_port && !authority.contains('@') && path.contains('@') && !path.contains("/@")
}

fn split_port(text: &str) -> Result<(&str, Option<u16>), String> {
    let bracket = text.rfind(']').map_or(0, |at| at + 1);
    let Some(colon) = text.get(bracket..).and_then(|rest| rest.find(':')).map(|at| at + bracket) else {
        return Ok((text, None));
    };
    let (host, port) = (text.get(..colon).unwrap_or_default(), text.get(colon + 1..).unwrap_or_default());
    match port.parse::<u16>() {
        _ if port.is_empty() => Ok((host, None)),
        Ok(port @ 1..) if port_digits(text, colon) => Ok((host, Some(port))),
        Ok(_) | Err(_) => Err("its port is not a number from 1 to 65535".to_owned()),
    }
}

/// Whether what follows the colon are digits: `+80` would be a number, too.
fn port_digits(text: &str, colon: usize) -> bool {
    text.bytes().skip(colon + 1).all(|byte| byte.is_ascii_digit())
}

/// A host in its usual form.
fn host_name(host: &str) -> Result<String, String> {
    if let Some(literal) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let parsed = literal.parse::<Ipv6Addr>().map_err(|_| format!("{} is not an IPv6 address", clean(host)))?;
        return Ok(format!("[{parsed}]"));
    }
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    if !host.is_ascii() {
        return Err(format!("the host {host} is not ASCII; write it as xn--…"));
    }
    let labels_fit = host.split('.').all(|label| (1..=63).contains(&label.len()));
    let is_name = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    if !is_name || !labels_fit || host.len() > 253 {
        return Err(format!("{} is not a host", clean(&host)));
    }
    // some systems read 127.1, 0x7f.1 and 2130706433 as addresses
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = |label: &str| {
        let hex = label.strip_prefix("0x");
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit())
            || hex.is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    if is_number(last) && host.parse::<Ipv4Addr>().is_err() {
        return Err(format!("{host} is an unusual spelling of an address; write it as a.b.c.d"));
    }
    Ok(host)
}

/// Path and query with everything escaped that a request must not have.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'"' | b'<' | b'>' | b'^' | b'`' | b'{' | b'|' | b'}' | 0..=b' ' | 127.. => {
                escaped.push_str(&format!("%{byte:02X}"));
            }
            byte => escaped.push(char::from(byte)),
        }
    }
    escaped
}

/// Text without percent-escapes.
pub fn unescaped(text: &str) -> String {
    String::from_utf8_lossy(&unescape_percent(text)).into_owned()
}

/// A part of a URL for a message: short, and without what might be a password.
fn clean(text: &str) -> String {
    let text = text.rsplit('@').next().unwrap_or_default();
    let short: String = text.chars().take(60).collect();
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> RemoteUrl {
        RemoteUrl::parse(text).unwrap_or_else(|says| panic!("{text}: {says}"))
    }

    #[test]
    fn urls_get_their_usual_form() {
        for (text, usual) in [
            ("https://Example.COM", "https://example.com/"),
            ("HTTP://example.com:80/a b".replace(' ', "%20").as_str(), "http://example.com/a%20b"),
            ("https://example.com:443?x=1#top", "https://example.com/?x=1"),
            ("https://example.com:8443/ü<>", "https://example.com:8443/%C3%BC%3C%3E"),
            ("http://user:pa%40ss@example.com./f", "http://example.com/f"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
            ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
            ("http://example.com:/x", "http://example.com/x"),
        ] {
            assert_eq!(parse(text).to_string(), usual);
        }
        let credentials = parse("http://user:pa%40ss@example.com/").credentials().cloned().expect("credentials");
        assert_eq!((credentials.user.as_str(), credentials.password.as_str()), ("user", "pa@ss"));
    }

    #[test]
    fn odd_urls_are_refused() {
        for text in [
            "ftp://example.com/",
            "file:///etc/passwd",
            "example.com",
            "http://",
            "http:///x",
            "http://a b/",
            "http://a\r\nHost: b/",
            "http://a\\@b/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0177.0.0.1/",
            "http://1.2.3.4.5/",
            "http://a..b/",
            "http://[::1/",
            "http://[x]/",
            "http://a:0/",
            "http://a:+80/",
            "http://a:99999/",
            "http://a%2fb/",
            "http://müller.example/",
            "http://a/\u{0}",
        ] {
            assert!(RemoteUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn redirects_lead_to_the_web_only() {
        let from = parse("https://example.com/a/b?c");
        for (reference, to) in [
            ("/x", "https://example.com/x"),
            ("y?z", "https://example.com/a/y?z"),
            ("//other.example/q", "https://other.example/q"),
            (" https://user:secret@other.example/ ", "https://other.example/"),
            ("a b", "https://example.com/a/a%20b"),
        ] {
            let joined = from.join(reference).unwrap_or_else(|says| panic!("{reference}: {says}"));
            assert_eq!(joined.to_string(), to);
            assert!(joined.credentials().is_none());
        }
        for reference in [
            "http://example.com/",
            "file:///etc/passwd",
            "gopher://x/",
            "/x\r\nSet-Cookie: a",
            "javascript:x",
            "data:,x",
        ] {
            assert!(from.join(reference).is_err(), "{reference}");
        }
        assert!(parse("http://a.example/").join("https://a.example/").is_ok());
        assert!(from.link("http://other.example/").is_ok() && from.link("file:///etc/passwd").is_err());
    }

    #[test]
    fn secrets_stay_with_their_host() {
        for (one, other, shares) in [
            ("https://a.example/", "https://a.example/x", true),
            ("http://a.example/", "https://a.example/x", true),
            ("https://a.example/", "http://a.example/", false),
            ("https://a.example/", "https://a.example:8443/", false),
            ("http://a.example:8080/", "https://a.example/", false),
            ("https://a.example/", "https://b.example/", false),
            ("https://a.example/", "https://x.a.example/", false),
        ] {
            assert_eq!(parse(one).may_share_secrets(&parse(other)), shares, "{one} {other}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        for (name, bare) in [
            ("https://user:secret@example.com/x", "https://example.com/x"),
            ("http://a@b:secret@example.com", "http://example.com"),
            ("https://example.com/a@b", "https://example.com/a@b"),
            ("https://example.com/@user/feed", "https://example.com/@user/feed"),
            ("http://example.com:8080/@user/feed", "http://example.com:8080/@user/feed"),
            ("http://user:12/secret@example.com/x", "http://example.com/x"),
            ("http://user:se#cret@example.com/x", "http://example.com/x"),
            ("http://user:se?cret@example.com/x", "http://example.com/x"),
            ("http:/user:secret@example.com/x", "http://example.com/x"),
            ("ftp://user:secret@example.com/x", "ftp://example.com/x"),
            ("feed@home.xml", "feed@home.xml"),
            ("c:/a@home.xml", "c:/a@home.xml"),
        ] {
            assert_eq!(shown(name), bare);
        }
        assert!(RemoteUrl::typed("http://user:12/secret@example.com/x").is_err());
        assert!(RemoteUrl::typed("http://example.com:80/@user?a@b").is_ok());
        let odd = RemoteUrl::parse("http://user:sec#ret@example.com").expect_err("no port");
        assert!(!odd.contains("sec"), "{odd}");
        let odd = RemoteUrl::parse("ftp://user:secret@example.com").expect_err("not http");
        assert!(!odd.contains("secret"), "{odd}");
        let odd = RemoteUrl::parse("http://user:secret@exa%mple.com").expect_err("no host");
        assert!(!odd.contains("secret"), "{odd}");
    }

    #[test]
    fn literal_hosts_are_known() {
        for host in ["127.0.0.1", "[::1]", "localhost", "LOCALHOST.", "x.localhost", "10.1.1.1"] {
            assert!(parse(&format!("http://{host}/")).non_public_literal().is_some(), "{host}");
        }
        assert!(parse("http://8.8.8.8/").non_public_literal().is_none());
        assert!(parse("http://example.com/").non_public_literal().is_none());
    }
}
