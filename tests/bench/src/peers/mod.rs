//! Other programs that do the same, or nearly. Those in Rust are built in (feature `peers`) and run as a process of
//! their own; xsltproc, Python and Node run the scripts of tests/bench/peers where they are installed. Each is written
//! as its users would write it, and keeps the fields that the expert keeps unless its row says what it has no place for.

#[cfg(feature = "peers")]
mod crates;

use std::process::Command;
use std::time::Duration;

use crate::check::Kind;
use crate::measure::Run;
use crate::session::{Document, Row, Session};

/// How the rows begin of those that keep the same fields.
pub const COMPLETE: &str = "peer: ";

/// The hidden command `peer NAME FILE`: what is built in.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let [name, file] = arguments else { return Err("peer NAME FILE".to_owned()) };
    #[cfg(feature = "peers")]
    return crates::run(name, file);
    #[cfg(not(feature = "peers"))]
    Err(format!("{name} {file}: this bench was built without the feature peers"))
}

/// A program outside of this binary.
struct Script {
    title: &'static str,
    direction: &'static str,
    file: &'static str,
    with: With,
    slow: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    Xsltproc,
    /// Python, with this package.
    Python(&'static str),
    /// Node, with these packages.
    Node(&'static [&'static str]),
}

const SCRIPTS: [Script; 7] = [
    Script {
        title: "peer: xsltproc",
        direction: "mrss-to-video-sitemap",
        file: "mrss-to-video-sitemap.xsl",
        with: With::Xsltproc,
        slow: false,
    },
    Script {
        title: "peer: Python lxml, iterparse",
        direction: "mrss-to-video-sitemap",
        file: "mrss_to_video_sitemap_lxml.py",
        with: With::Python("lxml.etree"),
        slow: false,
    },
    Script {
        title: "Python feedparser (no restriction, price, keywords of its own)",
        direction: "mrss-to-video-sitemap",
        file: "mrss_to_video_sitemap_feedparser.py",
        with: With::Python("feedparser"),
        slow: true,
    },
    Script {
        title: "Node feedsmith + sitemap.js",
        direction: "mrss-to-video-sitemap",
        file: "mrss-to-video-sitemap.cjs",
        with: With::Node(&["feedsmith", "sitemap"]),
        slow: false,
    },
    Script {
        title: "xsltproc",
        direction: "video-sitemap-to-mrss",
        file: "video-sitemap-to-mrss.xsl",
        with: With::Xsltproc,
        slow: false,
    },
    Script {
        title: "Python lxml, iterparse",
        direction: "video-sitemap-to-mrss",
        file: "video_sitemap_to_mrss_lxml.py",
        with: With::Python("lxml.etree"),
        slow: false,
    },
    Script {
        title: "Node feedsmith",
        direction: "atom-to-rss",
        file: "atom-to-rss.cjs",
        with: With::Node(&["feedsmith"]),
        slow: false,
    },
];

/// The names of what is built in: its title, the direction, and its name for `peer`.
const CRATES: [(&str, &str, &str); 4] = [
    ("peer: Rust rss + quick-xml writer", "mrss-to-video-sitemap", "rss"),
    ("Rust feed-rs + quick-xml writer (no validity, restriction, price, player)", "mrss-to-video-sitemap", "feed-rs"),
    ("peer: Rust atom_syndication + rss", "atom-to-rss", "atom-syndication"),
    ("Rust feed-rs + rss", "atom-to-rss", "feed-rs-atom"),
];

/// The rows of a direction; what cannot run is named.
pub fn rows(session: &Session<'_>, direction: &str, document: &Document, kind: Kind) -> Vec<Row> {
    let mut rows = Vec::new();
    for (title, of, name) in CRATES {
        if of == direction && cfg!(feature = "peers") {
            rows.push(session.own(title, &["peer", name], document, kind));
        } else if of == direction {
            session.skip(&format!("{title}: built without the feature peers"));
        }
    }
    for script in SCRIPTS.iter().filter(|script| script.direction == direction) {
        if script.slow && !session.options.slow {
            session.skip(&format!("{}: only with --slow", script.title));
            continue;
        }
        match script_run(session, script, document) {
            Ok(run) => rows.push(Row {
                title: script.title.to_owned(),
                run,
                document: document.clone(),
                kind,
                bounds: Vec::new(),
            }),
            Err(why) => session.skip(&format!("{}: {why}", script.title)),
        }
    }
    rows
}

/// The time after which a comparison is given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// xmldiff, which compares any XML, of the Python that was asked for; if it is not installed, that is said.
pub fn xmldiff(session: &Session<'_>, document: &Document, other: &str) -> Option<Row> {
    let python = &session.options.python;
    let there = Command::new(python).args(["-c", "import xmldiff.main"]).output();
    if !there.is_ok_and(|there| there.status.success()) {
        session.skip(&format!("xmldiff: not installed ({python} -c 'import xmldiff.main')"));
        return None;
    }
    let program = "import sys, xmldiff.main; sys.exit(xmldiff.main.diff_command())";
    let path = document.path.display().to_string();
    let run = Run::new([python, "-c", program, &path, other].map(str::to_owned).to_vec());
    let title = "Python xmldiff (any XML)".to_owned();
    let run = Run { limit: Some(PATIENCE), ..run };
    Some(Row { title, run, document: document.clone(), kind: Kind::Edits, bounds: Vec::new() })
}

fn script_run(session: &Session<'_>, script: &Script, document: &Document) -> Result<Run, String> {
    let path = format!("{}/peers/{}", env!("CARGO_MANIFEST_DIR"), script.file);
    let input = document.path.display().to_string();
    let options = session.options;
    let environment = match (&options.node_modules, script.with) {
        (Some(dir), With::Node(_)) => vec![("NODE_PATH".to_owned(), dir.clone())],
        _ => Vec::new(),
    };
    let (program, probe, more): (&str, Vec<String>, &[&str]) = match script.with {
        With::Xsltproc => ("xsltproc", vec!["--version".to_owned()], &["--huge"]),
        With::Python(package) => (&options.python, vec!["-c".to_owned(), format!("import {package}")], &[]),
        With::Node(packages) => {
            let requires: Vec<String> = packages.iter().map(|package| format!("require('{package}')")).collect();
            ("node", vec!["-e".to_owned(), requires.join(";")], &["--max-old-space-size=16384"])
        }
    };
    let there = Command::new(program).args(&probe).envs(environment.iter().cloned()).output();
    if !there.is_ok_and(|there| there.status.success()) {
        return Err(format!("not installed ({program} {})", probe.join(" ")));
    }
    let mut command = vec![program.to_owned()];
    command.extend(more.iter().map(|&argument| argument.to_owned()));
    command.extend([path, input]);
    Ok(Run { environment, ..Run::new(command) })
}
