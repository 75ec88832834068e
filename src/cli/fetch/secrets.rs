//! Secrets that are sent to hosts: headers of the command line, user and password from a URL or a netrc file. They are
//! neither shown nor stored.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::location::{Credentials, RemoteUrl};
use crate::error::{Error, with_cause};
use crate::job::shown;

/// A header of the command line. Its value is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretHeader {
    name: String,
    value: String,
}

/// Headers that are not the user's to choose: they say where a message ends and for whom it is.
const RESERVED: [&str; 9] = [
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "if-modified-since",
    "if-none-match",
    "range",
    "te",
    "transfer-encoding",
];

impl FromStr for SecretHeader {
    type Err = String;

    fn from_str(text: &str) -> Result<SecretHeader, String> {
        let (name, value) = text.split_once(':').ok_or("expected a header such as 'Authorization: Bearer …'")?;
        let (name, value) = (name.trim(), value.trim());
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err("the name of the header has characters that no header may have".to_owned());
        }
        if !value.bytes().all(|byte| byte == b'\t' || (b' '..127).contains(&byte)) {
            return Err(format!("the value of {name} has a line break or a character that is not ASCII"));
        }
        if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
            return Err(format!("{name} is set by transfeed"));
        }
        Ok(SecretHeader { name: name.to_owned(), value: value.to_owned() })
    }
}

/// Only the name.
impl fmt::Debug for SecretHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: …", self.name)
    }
}

/// An entry of a netrc file.
struct NetrcEntry {
    /// Absent in the entry for all other hosts.
    host: Option<String>,
    credentials: Credentials,
}

/// All that may be sent besides the request.
#[derive(Default)]
pub struct Secrets {
    headers: Vec<SecretHeader>,
    netrc: Vec<NetrcEntry>,
}

impl Secrets {
    /// Headers, and the netrc file if it is asked for.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn new(headers: Vec<SecretHeader>, netrc: bool) -> Result<Secrets, Error> {
        let netrc = if netrc { read_netrc()? } else { Vec::new() };
        Ok(Secrets { headers, netrc })
    }

    /// The headers for this URL. `anchor` is the URL that was typed and led there: what was given for all typed hosts, and the
    /// credentials of that URL, go to no other host.
    pub fn headers_for(&self, target: &RemoteUrl, anchor: Option<&RemoteUrl>) -> Vec<(String, String)> {
        let anchor = anchor.filter(|anchor| anchor.may_share_secrets(target));
        let mut headers: Vec<(String, String)> = Vec::new();
        if anchor.is_some() {
            headers.extend(self.headers.iter().map(|header| (header.name.clone(), header.value.clone())));
        }
        if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            return headers;
        }
        let of_url = anchor.and_then(RemoteUrl::credentials);
        let of_host = self.netrc.iter().find(|entry| match &entry.host {
            Some(host) => host == target.host(),
            None => anchor.is_some(),
        });
        if let Some(Credentials { user, password }) = of_url.or(of_host.map(|entry| &entry.credentials)) {
            headers
                .push(("Authorization".to_owned(), format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))));
        }
        headers
    }

    /// A hash that differs where other secrets are sent: a body that one user may read is not that of another.
    pub fn fingerprint(&self, target: &RemoteUrl, anchor: Option<&RemoteUrl>) -> Option<[u8; 32]> {
        let headers = self.headers_for(target, anchor);
        let text: String = headers.iter().map(|(name, value)| format!("{name}\0{value}\0")).collect();
        (!text.is_empty()).then(|| Sha256::digest(text.as_bytes()).into())
    }
}

/// The netrc file: that of the environment, or the one in the home folder.
pub fn netrc_path() -> Option<PathBuf> {
    let named = std::env::var_os("NETRC").filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| std::env::home_dir().map(|home| home.join(".netrc")))
}

fn read_netrc() -> Result<Vec<NetrcEntry>, Error> {
    let Some(path) = netrc_path() else {
        return Err(Error::format("cannot use --netrc: there is no home folder", "set NETRC to the name of the file"));
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Error::io(format!("cannot use --netrc: {}", shown(&path)), with_cause(&error)))?;
    Ok(parse_netrc(&text))
}

/// The entries of a netrc file that have a login. The first of a host counts.
fn parse_netrc(text: &str) -> Vec<NetrcEntry> {
    let mut entries: Vec<NetrcEntry> = Vec::new();
    let mut words = netrc_words(text).into_iter();
    while let Some(word) = words.next() {
        let mut entry = |host| {
            entries
                .push(NetrcEntry { host, credentials: Credentials { user: String::new(), password: String::new() } });
        };
        match word.as_str() {
            "machine" => entry(Some(words.next().unwrap_or_default().to_ascii_lowercase())),
            "default" => entry(None),
            "login" | "user" => {
                let user = words.next().unwrap_or_default();
                entries.last_mut().into_iter().for_each(|entry| entry.credentials.user.clone_from(&user));
            }
            "password" | "passwd" => {
                let password = words.next().unwrap_or_default();
                entries.last_mut().into_iter().for_each(|entry| entry.credentials.password.clone_from(&password));
            }
            "account" => drop(words.next()),
            _ => (),
        }
    }
    entries.retain(|entry| !entry.credentials.user.is_empty());
    entries
}

/// The words of a netrc file: macros and comments are skipped, quotes may hold spaces.
fn netrc_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut in_macro = false;
    for line in text.lines() {
        let line = line.trim();
        if in_macro {
            in_macro = !line.is_empty();
            continue;
        }
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            if first == '#' {
                break;
            }
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted_word(quoted),
                None => {
                    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                    (rest.get(..end).unwrap_or_default().to_owned(), rest.get(end..).unwrap_or_default())
                }
            };
            rest = after.trim_start();
            in_macro |= word == "macdef";
            if in_macro {
                break;
            }
            words.push(word);
        }
    }
    words
}

/// The word up to its quote, and what follows.
fn quoted_word(text: &str) -> (String, &str) {
    let (mut word, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (word, text.get(at + 1..).unwrap_or_default()),
            '\\' => word.extend(chars.next().map(|(_, c)| c)),
            c => word.push(c),
        }
    }
    (word, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> RemoteUrl {
        RemoteUrl::parse(text).expect("a URL")
    }

    #[test]
    fn headers_are_checked_and_not_shown() {
        let header: SecretHeader = "Authorization:  Bearer abc ".parse().expect("a header");
        assert_eq!(format!("{header:?}"), "Authorization: …");
        assert_eq!(header.value, "Bearer abc");
        for odd in ["no colon", ": x", "a b: c", "X: a\r\nHost: b", "Host: x", "Content-Length: 3", "X: ü"] {
            assert!(odd.parse::<SecretHeader>().is_err(), "{odd}");
        }
    }

    #[test]
    fn secrets_go_to_the_typed_host_only() {
        let secrets = Secrets {
            headers: vec!["X-Key: 1".parse().expect("a header")],
            netrc: parse_netrc("machine b.example login u password p\ndefault login d password e"),
        };
        let anchor = url("https://user:secret@a.example/feed");
        let sent = |target: &str| secrets.headers_for(&url(target), Some(&anchor));
        assert_eq!(sent("https://a.example/x").len(), 2);
        assert!(sent("https://a.example/x")[1].1.starts_with("Basic "));
        assert_eq!(sent("https://c.example/x"), []);
        assert_eq!(sent("http://a.example/x"), []);
        assert_eq!(
            sent("https://b.example/x"),
            [("Authorization".to_owned(), format!("Basic {}", STANDARD.encode("u:p")))]
        );
        assert_eq!(secrets.headers_for(&url("https://a.example/"), None), []);
        let typed = url("https://c.example/");
        assert_eq!(secrets.headers_for(&typed, Some(&typed))[1].1, format!("Basic {}", STANDARD.encode("d:e")));
        assert_ne!(secrets.fingerprint(&anchor, Some(&anchor)), secrets.fingerprint(&anchor, None));
    }

    #[test]
    fn netrc_files_are_read() {
        let text = "# comment\nmachine A.example\n  login \"a b\" password \"q\\\"r\"\nmacdef init\nmachine x login y\n\n\
                    machine c login d account z password e # end\nmachine nologin password x\n";
        let entries = parse_netrc(text);
        let all: Vec<(Option<&str>, &str, &str)> = entries
            .iter()
            .map(|entry| (entry.host.as_deref(), entry.credentials.user.as_str(), entry.credentials.password.as_str()))
            .collect();
        assert_eq!(all, [(Some("a.example"), "a b", "q\"r"), (Some("c"), "d", "e")]);
    }
}
