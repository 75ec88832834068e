//! Inputs at URLs: what the program asks a server, and what it makes of each answer, good or bad. All servers are in
//! fetch/server.rs; nothing here leaves this machine. The table of faults is that of docs/fetch.md.

mod server;
mod streams;
mod tls;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{self, Run, count, scratch};
use server::{Asked, Reply, Server};
use tls::TlsServer;

const RSS: &str = "<rss version=\"2.0\"><channel><title>T</title><link>https://pond.example/</link>\
    <description>D</description><item><title>A</title><link>/a</link></item></channel></rss>";

/// Options under which tests do not wait.
const QUICK: [&str; 4] = ["--retry-wait", "0.01", "--retries", "2"];

fn run(dir: &Path, args: &[&str]) -> Run {
    let takes = |command: &&str| ["convert", "inspect", "validate", "diff", "migrate"].contains(command);
    let quick: &[&str] = if args.first().is_some_and(takes) { &QUICK } else { &[] };
    common::transfeed(dir, &[args, quick].concat(), None)
}

fn list(from: usize, count: usize) -> String {
    (from..from + count).map(|n| format!("https://pond.example/{n}\n")).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).and_then(|()| packed.finish()).expect("memory")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a report")).expect("JSON")
}

#[test]
fn a_url_is_an_input_and_its_base() {
    let server = Server::start(|asked, _| match asked.path() {
        "/old" => Reply::to(301, "/feeds/new?x=1"),
        "/feeds/new?x=1" => Reply::ok(RSS).with("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT"),
        _ => Reply::status(404),
    });
    let dir = scratch("fetch-base");
    let args = ["convert", &server.url("/old"), "--to", "sitemap", "-o", "out.xml", "--report", "r.json"];
    run(&dir, &args).ok("a redirect");
    let written = fs::read_to_string(dir.join("out.xml")).expect("an output");
    assert!(written.contains(&format!("<loc>{}</loc>", server.url("/a"))), "{written}");
    let report = json(&dir.join("r.json"));
    let fetched = &report["fetched"][0];
    assert_eq!(fetched["url"], server.url("/old"));
    assert_eq!(fetched["status"], 200);
    assert_eq!(fetched["final_url"], server.url("/feeds/new?x=1"));
    assert_eq!(fetched["moved_to"], server.url("/feeds/new?x=1"));
    assert!(fetched["seconds"].is_number() && fetched["bytes"] == RSS.len());
    let asked = &server.asked()[1];
    assert!(asked.header("user-agent").starts_with("transfeed/"), "{asked:?}");
    assert_eq!(asked.header("accept-encoding"), "gzip");
    assert!(asked.header("accept").contains("application/rss+xml"));
}

#[test]
fn what_looks_at_a_url_resolves_as_convert_does() {
    let server = Server::start(|_, _| Reply::ok(RSS));
    let dir = scratch("fetch-base-looks");
    let url = server.url("/feeds/new");
    run(&dir, &["convert", &url, "--to", "jsonl", "-o", "a.jsonl"]).ok("convert");
    run(&dir, &["diff", &url, "a.jsonl"]).ok("a document and what it became");
    run(&dir, &["diff", "a.jsonl", &url]).ok("what a document became, and the document");
    let forecast = run(&dir, &["inspect", &url, "--to", "text", "--json"]).text();
    let forecast: Value = serde_json::from_str(&forecast).expect("JSON");
    let written = run(&dir, &["convert", &url, "--to", "text"]).text().lines().count();
    let objects = &forecast["inputs"][0]["forecast"][0]["objects"];
    assert_eq!(objects["entries"]["out"], written, "{forecast}");
}

#[test]
fn a_server_names_the_encoding() {
    let feed = |title: &[u8]| {
        let (begin, end) = RSS.split_once("A</title>").expect("a title");
        [begin.as_bytes(), title, b"</title>", end.as_bytes()].concat()
    };
    let server = Server::start(move |asked, _| {
        let japanese = b"\x93\xfa\x96\x7b\x8c\xea";
        match asked.path() {
            "/sjis" => Reply::ok(feed(japanese)).with("Content-Type", "application/rss+xml; charset=\"shift_jis\""),
            "/jis" => Reply::ok(feed(b"\x1b$BF|K\\8l\x1b(B")).with("Content-Type", "text/xml;charset=iso-2022-jp"),
            "/wrong" => Reply::ok(feed("日本語".as_bytes())).with("Content-Type", "text/xml; charset=iso-8859-1"),
            _ => {
                let declared = [&b"<?xml version='1.0' encoding='shift_jis'?>"[..], &feed(japanese)].concat();
                Reply::ok(declared).with("Content-Type", "text/xml; charset=utf-8")
            }
        }
    });
    let dir = scratch("fetch-charset");
    for (path, codes) in [("/sjis", 0), ("/jis", 0), ("/wrong", 1), ("/declared", 0)] {
        let args = ["convert", &server.url(path), "--to", "jsonl", "-o", "a.jsonl", "--report", "r.json"];
        run(&dir, &args).ok(path);
        let written = fs::read_to_string(dir.join("a.jsonl")).expect("an output");
        assert!(written.contains("\"title\":\"日本語\""), "{path}: {written}");
        let report = json(&dir.join("r.json"));
        let found = report["diagnostics"].as_array().expect("a list");
        let of_encoding =
            found.iter().filter(|one| one["code"].as_str().is_some_and(|code| code.starts_with("encoding")));
        assert_eq!(of_encoding.count(), codes, "{path}: {report}");
    }
    let urls = ["/sjis", "/jis"].map(|path| server.url(path));
    let args = ["migrate", &urls[0], &urls[1], "--to", "jsonl", "--out", "out", "--allow-private"];
    run(&dir, &args).ok("migrate");
    let mut files = Vec::new();
    common::files(dir.join("out"), &mut files);
    let written: Vec<String> = files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    assert_eq!(written.iter().filter(|text| text.contains("\"title\":\"日本語\"")).count(), 2, "{written:?}");
    let found = run(&dir, &["inspect", &urls[1], "--json"]).text();
    assert!(found.contains("日本語"), "{found}");
}

#[test]
fn every_report_says_how_a_document_was_fetched() {
    let server = Server::start(|asked, _| match asked.path() {
        "/old" => Reply::to(301, "/new"),
        _ => Reply::ok(RSS),
    });
    let dir = scratch("fetch-reports");
    let (old, new) = (server.url("/old"), server.url("/new"));
    let is_told = |fetched: &Value| {
        assert_eq!((&fetched["url"], &fetched["status"]), (&old.as_str().into(), &200.into()), "{fetched}");
        assert_eq!((&fetched["final_url"], &fetched["bytes"]), (&new.as_str().into(), &RSS.len().into()), "{fetched}");
        assert!(fetched["seconds"].is_number(), "{fetched}");
    };
    let page = |name: &str| {
        let text = fs::read_to_string(dir.join(name)).expect("a page");
        let row = text.split("<tr").find(|row| row.contains(&format!("<bdi>{old}</bdi></a><div")));
        let row = row.unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(row.contains("moved for good to") && row.contains(&new) && row.contains("<td>200</td>"), "{row}");
    };
    let lines =
        |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect() };
    fs::write(dir.join("same.rss"), RSS).expect("written");
    let args = ["convert", &old, "--to", "text", "-o", "a.txt", "--report", "a.html", "--report", "a.jsonl"];
    run(&dir, &args).ok("convert");
    let told = lines(&fs::read_to_string(dir.join("a.jsonl")).expect("a report"));
    is_told(&told.last().expect("a line")["fetched"][0]);
    let json = run(&dir, &["diff", &old, "same.rss", "--json", "--base", &new, "--html", "b.html"]).text();
    let told: Value = serde_json::from_str(&json).expect("JSON");
    is_told(&told["a"]["fetched"][0]);
    assert!(told["b"].get("fetched").is_none(), "{json}");
    let told = lines(&run(&dir, &["diff", "same.rss", &old, "--jsonl", "--base", &new]).text());
    is_told(&told.last().expect("a line")["totals"]["b"]["fetched"][0]);
    let told = lines(&run(&dir, &["validate", &old, "--format", "jsonl"]).text());
    assert_eq!(told[0]["file"], old);
    is_told(&told[0]["fetched"]);
    let told: Value = serde_json::from_str(&run(&dir, &["validate", &old, "--json"]).text()).expect("JSON");
    is_told(&told["source"]["fetched"]);
    fs::write(dir.join("c.html"), run(&dir, &["validate", &old, "--format", "html"]).stdout).expect("written");
    let told: Value = serde_json::from_str(&run(&dir, &["inspect", &old, "--json"]).text()).expect("JSON");
    is_told(&told["inputs"][0]["fetched"]);
    run(&dir, &["inspect", &old, "--html", "d.html"]).ok("inspect");
    let args = ["migrate", &old, "--to", "text", "--out", "out", "--report", "e.html", "--report", "e.json"];
    run(&dir, &args).ok("migrate");
    is_told(&self::json(&dir.join("e.json"))["files"][0]["fetched"][0]);
    ["a.html", "b.html", "c.html", "d.html", "e.html"].into_iter().for_each(page);
}

#[test]
fn several_urls_have_a_base_each() {
    let server = Server::start(|_, _| Reply::ok(RSS));
    let dir = scratch("fetch-bases");
    let (one, two) = (server.url("/x/one"), format!("http://127.0.0.2:{}/two", server.port()));
    let converted = run(&dir, &["convert", &one, &two, "--to", "text"]).ok("two URLs").text();
    let lines: Vec<&str> = converted.lines().collect();
    assert_eq!(lines, [server.url("/a"), format!("http://127.0.0.2:{}/a", server.port())]);
}

/// What a server does wrong, and what happens then.
struct Fault {
    /// What it does, for docs/fetch.md.
    name: &'static str,
    /// What happens, for docs/fetch.md.
    outcome: &'static str,
    answer: fn(&Asked, usize) -> Reply,
    args: &'static [&'static str],
    code: i32,
    /// What standard error says.
    says: &'static str,
    /// How often the server is asked.
    requests: usize,
}

/// The faults, in the order of docs/fetch.md. The path is `/`, and `{port}` in a message is that of the server.
const FAULTS: [Fault; 29] = [
    Fault {
        name: "200 with a feed",
        outcome: "converted",
        answer: |_, _| Reply::ok(RSS),
        args: &[],
        code: 0,
        says: "",
        requests: 1,
    },
    Fault {
        name: "301 and 308 in a chain",
        outcome: "followed, and reported as moved",
        answer: |asked, _| match asked.path() {
            "/" => Reply::to(301, "/b"),
            "/b" => Reply::to(308, "c"),
            _ => Reply::ok(RSS),
        },
        args: &[],
        code: 0,
        says: "",
        requests: 3,
    },
    Fault {
        name: "redirects in a circle",
        outcome: "error",
        answer: |asked, _| match asked.path() {
            "/" => Reply::to(302, "/b"),
            _ => Reply::to(302, "/"),
        },
        args: &[],
        code: 2,
        says: "lead in a circle",
        requests: 2,
    },
    Fault {
        name: "more than 10 redirects",
        outcome: "error",
        answer: |asked, _| Reply::to(302, &format!("{}x", asked.path())),
        args: &[],
        code: 2,
        says: "more than 10 redirects",
        requests: 11,
    },
    Fault {
        name: "a redirect without a URL",
        outcome: "error",
        answer: |_, _| Reply::status(302),
        args: &[],
        code: 2,
        says: "without a URL",
        requests: 1,
    },
    Fault {
        name: "304 without a condition in the request",
        outcome: "error",
        answer: |_, _| Reply::status(304),
        args: &[],
        code: 2,
        says: "answered 304",
        requests: 1,
    },
    Fault {
        name: "404 with a page",
        outcome: "error",
        answer: |_, _| Reply::Full(404, Vec::new(), b"<html><body>no".to_vec()),
        args: &[],
        code: 2,
        says: "not found (404)",
        requests: 1,
    },
    Fault {
        name: "401",
        outcome: "error",
        answer: |_, _| Reply::status(401),
        args: &[],
        code: 2,
        says: "pass --header, --netrc, or https://",
        requests: 1,
    },
    Fault {
        name: "204, no body",
        outcome: "error",
        answer: |_, _| Reply::status(204),
        args: &[],
        code: 2,
        says: "no document (204)",
        requests: 1,
    },
    Fault {
        name: "200 with a page",
        outcome: "error, as for a file",
        answer: |_, _| Reply::ok("<!doctype html><html><body>maintenance</body></html>"),
        args: &[],
        code: 2,
        says: "HTML",
        requests: 1,
    },
    Fault {
        name: "200 with an empty body",
        outcome: "error, as for a file",
        answer: |_, _| Reply::ok(""),
        args: &[],
        code: 2,
        says: "empty",
        requests: 1,
    },
    Fault {
        name: "429 with a short `Retry-After`",
        outcome: "repeated after that time",
        answer: |_, before| match before {
            0 => Reply::status(429).with("Retry-After", "0"),
            _ => Reply::ok(RSS),
        },
        args: &[],
        code: 0,
        says: "",
        requests: 2,
    },
    Fault {
        name: "429 with a long `Retry-After`",
        outcome: "error at once",
        answer: |_, _| Reply::status(429).with("Retry-After", "3600"),
        args: &[],
        code: 2,
        says: "asks to wait 3600 s",
        requests: 1,
    },
    Fault {
        name: "503 with `Retry-After` as a date",
        outcome: "repeated after that time",
        answer: |_, before| match before {
            0 => Reply::status(503).with("Retry-After", "Tue, 14 Nov 2023 22:13:20 GMT"),
            _ => Reply::ok(RSS),
        },
        args: &[],
        code: 0,
        says: "",
        requests: 2,
    },
    Fault {
        name: "500, then 200",
        outcome: "repeated",
        answer: |_, before| if before == 0 { Reply::status(500) } else { Reply::ok(RSS) },
        args: &[],
        code: 0,
        says: "",
        requests: 2,
    },
    Fault {
        name: "500 each time",
        outcome: "error after all repetitions",
        answer: |_, _| Reply::status(500),
        args: &[],
        code: 2,
        says: "the server failed (500) (tried 3 times)",
        requests: 3,
    },
    Fault {
        name: "a slow first byte",
        outcome: "repeated, then an error",
        answer: |_, _| Reply::Late(Duration::from_millis(600), Box::new(Reply::ok(RSS))),
        args: &["--first-byte-timeout", "0.2", "--retries", "1"],
        code: 2,
        says: "no response within 0.2 s (--first-byte-timeout)",
        requests: 2,
    },
    Fault {
        name: "a body that never ends",
        outcome: "error at the limit",
        answer: |_, _| Reply::Endless,
        args: &["--max-download", "1MiB"],
        code: 2,
        says: "more than 1.0 MB (--max-download)",
        requests: 1,
    },
    Fault {
        name: "a body that takes too long",
        outcome: "repeated, then an error",
        answer: |_, _| Reply::Endless,
        args: &["--timeout", "0.3", "--retries", "0"],
        code: 2,
        says: "(--timeout)",
        requests: 1,
    },
    Fault {
        name: "a `Content-Length` beyond the limit",
        outcome: "error, nothing is read",
        answer: |_, _| Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_vec()),
        args: &[],
        code: 2,
        says: "--max-download",
        requests: 1,
    },
    Fault {
        name: "a gzip bomb",
        outcome: "error at the limit",
        answer: |_, _| Reply::ok(gzip(&vec![b' '; 120 << 20])).with("Content-Encoding", "gzip"),
        args: &[],
        code: 2,
        says: "--max-ratio",
        requests: 1,
    },
    Fault {
        name: "an unknown content coding",
        outcome: "error",
        answer: |_, _| Reply::ok("x").with("Content-Encoding", "br"),
        args: &[],
        code: 2,
        says: "content coding \"br\"",
        requests: 1,
    },
    Fault {
        name: "a body shorter than its `Content-Length`",
        outcome: "repeated, then an error",
        answer: |_, _| Reply::Raw(format!("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{RSS}").into_bytes()),
        args: &[],
        code: 2,
        says: "tried 3 times",
        requests: 3,
    },
    Fault {
        name: "a chunked body",
        outcome: "converted",
        answer: |_, _| {
            Reply::Raw(
                format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{RSS}\r\n0\r\n\r\n", RSS.len())
                    .into_bytes(),
            )
        },
        args: &[],
        code: 0,
        says: "",
        requests: 1,
    },
    Fault {
        name: "a chunked body that is cut off",
        outcome: "repeated, then an error",
        answer: |_, _| {
            Reply::Raw(
                format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{RSS}\r\n", RSS.len())
                    .into_bytes(),
            )
        },
        args: &[],
        code: 2,
        says: "tried 3 times",
        requests: 3,
    },
    Fault {
        name: "a reset in the middle",
        outcome: "repeated, then an error",
        answer: |_, _| Reply::Reset(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n<rss".to_vec()),
        args: &[],
        code: 2,
        says: "tried 3 times",
        requests: 3,
    },
    Fault {
        name: "a redirect to a private address",
        outcome: "error, nothing is sent there",
        answer: |_, _| Reply::to(302, "http://127.0.0.2:1/"),
        args: &[],
        code: 2,
        says: "not on the public internet (loopback)",
        requests: 1,
    },
    Fault {
        name: "a redirect to `file:`",
        outcome: "error",
        answer: |_, _| Reply::to(302, "file:///etc/passwd"),
        args: &[],
        code: 2,
        says: "not followed",
        requests: 1,
    },
    Fault {
        name: "a line break in `Location`",
        outcome: "escaped, or an error",
        answer: |asked, _| match asked.path() {
            "/" => Reply::to(302, "/x%0d%0aSet-Cookie:%20a"),
            _ => Reply::status(404),
        },
        args: &[],
        code: 2,
        says: "not found (404)",
        requests: 2,
    },
];

#[test]
fn every_fault_has_an_outcome() {
    let dir = scratch("fetch-faults");
    let check = |(number, fault): (usize, &Fault)| {
        let server = Server::start(fault.answer);
        let out = format!("out-{number}.xml");
        fs::write(dir.join(&out), "before").expect("written");
        let url = server.url("/");
        let args = [&["convert", &url, "--to", "sitemap", "-o", &out], &QUICK[..], fault.args].concat();
        // of an option that is given twice the last one counts
        let args = last_of_each(&args);
        let ended = common::transfeed(&dir, &args.iter().map(String::as_str).collect::<Vec<_>>(), None);
        assert_eq!(ended.code, fault.code, "{}: {}", fault.name, ended.stderr);
        assert!(ended.stderr.contains(fault.says), "{}: {}", fault.name, ended.stderr);
        assert_eq!(server.asked().len(), fault.requests, "{}: {}", fault.name, ended.stderr);
        let written = fs::read_to_string(dir.join(&out)).expect("an output");
        assert_eq!(written == "before", fault.code != 0, "{}", fault.name);
    };
    std::thread::scope(|scope| {
        for one in FAULTS.iter().enumerate() {
            scope.spawn(move || check(one));
        }
    });
    let left: Vec<_> = fs::read_dir(&dir).expect("a folder").flatten().collect();
    assert_eq!(left.len(), FAULTS.len(), "nothing hidden stays");
}

/// An option with a value replaces the same one before.
fn last_of_each(args: &[&str]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if let Some(at) = kept.iter().position(|known| known == arg && arg.starts_with("--")) {
            kept.drain(at..at + 2);
        }
        kept.push((*arg).to_owned());
        if arg.starts_with("--") {
            kept.extend(rest.next().map(|value| (*value).to_owned()));
        }
    }
    kept
}

/// docs/fetch.md has the table of faults as it is here.
#[test]
fn the_faults_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fetch.md");
    let text = fs::read_to_string(&path).expect("docs/fetch.md");
    let (begin, end) = ("<!-- faults: from tests/fetch.rs -->\n", "<!-- end of faults -->");
    let (before, rest) = text.split_once(begin).expect("the begin of the table");
    let (_, after) = rest.split_once(end).expect("the end of the table");
    let mut table = String::from("\n| the server sends | what happens | exit code |\n|---|---|---|\n");
    for fault in &FAULTS {
        table.push_str(&format!("| {} | {} | {} |\n", fault.name, fault.outcome, fault.code));
    }
    let whole = format!("{before}{begin}{table}\n{end}{after}");
    if std::env::var_os("TRANSFEED_BLESS").is_some() {
        fs::write(&path, &whole).expect("written");
    }
    assert!(whole == text || std::env::var_os("TRANSFEED_BLESS").is_some(), "TRANSFEED_BLESS=1 rewrites docs/fetch.md");
}

#[test]
fn a_raw_line_break_in_location_is_no_header() {
    let server = Server::start(|_, _| {
        Reply::Raw(b"HTTP/1.1 302 X\r\nLocation: /x\x0bSet-Cookie: a\r\nContent-Length: 0\r\n\r\n".to_vec())
    });
    let dir = scratch("fetch-break");
    let ended = run(&dir, &["convert", &server.url("/"), "--to", "text"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(server.asked().iter().all(|asked| asked.path() == "/"));
}

#[test]
fn a_content_coding_is_taken_off_before_the_gzip_of_the_document() {
    let server = Server::start(|asked, _| match asked.path() {
        "/twice.xml.gz" => Reply::ok(gzip(&gzip(RSS.as_bytes()))).with("Content-Encoding", "gzip"),
        "/once.xml.gz" => Reply::ok(gzip(RSS.as_bytes())).with("Content-Encoding", "gzip"),
        _ => Reply::ok(gzip(RSS.as_bytes())),
    });
    let dir = scratch("fetch-gzip");
    for path in ["/twice.xml.gz", "/once.xml.gz", "/plain.xml.gz"] {
        let text = run(&dir, &["convert", &server.url(path), "--to", "text"]).ok(path).text();
        assert_eq!(text, server.url("/a") + "\n", "{path}");
    }
}

#[test]
fn private_addresses_are_asked_if_somebody_says_so() {
    let server = Server::start(|asked, _| match asked.header("host").starts_with("127.0.0.1") {
        true => Reply::to(302, &format!("http://{}/x", asked.header("host").replace("127.0.0.1", "127.0.0.2"))),
        false => Reply::ok(RSS),
    });
    let dir = scratch("fetch-private");
    let url = server.url("/");
    assert_eq!(run(&dir, &["convert", &url, "--to", "text"]).code, 2);
    assert_eq!(server.asked().len(), 1);
    let args = ["convert", &url, "--to", "text", "--allow-private", "--header", "X-Key: secret"];
    run(&dir, &args).ok("--allow-private");
    let asked = server.asked();
    assert_eq!((asked[1].header("x-key"), asked[2].header("x-key")), ("secret", ""), "not for another host");
}

#[test]
fn a_cache_asks_only_for_what_changed() {
    let server = Server::start(|asked, _| match (asked.path(), asked.header("if-none-match")) {
        ("/etag", "\"1\"") => Reply::status(304),
        ("/etag", _) => Reply::ok(RSS).with("ETag", "\"1\""),
        ("/date", _) if asked.header("if-modified-since") == "Tue, 14 Nov 2023 22:13:20 GMT" => Reply::status(304),
        ("/date", _) => Reply::ok(RSS).with("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT"),
        ("/broken", _) => Reply::ok("<!doctype html><html><body>error</body></html>").with("ETag", "\"2\""),
        _ => Reply::ok(RSS),
    });
    let dir = scratch("fetch-cache");
    for path in ["/etag", "/date", "/none"] {
        let url = server.url(path);
        let convert =
            |more: &[&str]| run(&dir, &[&["convert", &url, "--to", "text", "--cache", "cache"], more].concat());
        let first = convert(&[]).ok(path).text();
        let again = convert(&["--report", "r.json"]).ok(path).text();
        assert_eq!(first, again);
        let fetched = json(&dir.join("r.json"))["fetched"][0].clone();
        let cached = path != "/none";
        assert_eq!((fetched["status"] == 304, fetched["cached"] == true), (cached, cached), "{path} {fetched}");
        server.forget();
        assert_eq!(convert(&["--offline"]).ok(path).text(), first);
        assert!(server.asked().is_empty());
    }
    let ended = run(&dir, &["convert", &server.url("/other"), "--to", "text", "--cache", "cache", "--offline"]);
    assert!(ended.code == 2 && ended.stderr.contains("not in the cache"), "{}", ended.stderr);
    let ended = run(&dir, &["convert", &server.url("/broken"), "--to", "text", "--cache", "cache"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    // a body that does not fit its facts is fetched again
    let body = fs::read_dir(dir.join("cache")).expect("a cache").flatten().map(|entry| entry.path());
    body.filter(|path| path.extension().is_some_and(|end| end == "body"))
        .for_each(|path| fs::write(path, vec![b'x'; RSS.len()]).expect("written"));
    server.forget();
    run(&dir, &["convert", &server.url("/etag"), "--to", "text", "--cache", "cache"]).ok("a damaged cache");
    assert_eq!(server.asked()[0].header("if-none-match"), "");
}

#[test]
fn secrets_are_sent_and_not_shown() {
    let server = Server::start(|asked, _| match asked.header("authorization") {
        "" => Reply::status(401),
        _ if asked.path() == "/bad" => Reply::status(404),
        _ => Reply::ok(RSS).with("ETag", "\"1\""),
    });
    let dir = scratch("fetch-secrets");
    fs::write(dir.join("netrc"), "machine 127.0.0.1 login ada password hunter2netrc\n").expect("written");
    let typed = server.url("/feed").replace("http://", "http://ada:hunter2url@");
    let bad = server.url("/bad").replace("http://", "http://ada:hunter2url@");
    let convert = |url: &str, more: &[&str], out: &str| {
        let report = format!("{out}.json");
        let fixed = ["convert", url, "--to", "jsonl", "-o", out, "--cache", "cache", "--report", &report, "--verbose"];
        let args = [&fixed, more, &QUICK[..]].concat();
        let mut command = common::program(&dir);
        let output = command.env("NETRC", dir.join("netrc")).args(args).output().expect("a run");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let mut said = String::new();
    for (url, more, out) in [
        (typed.clone(), &[][..], "url.jsonl"),
        (server.url("/feed"), &["--netrc"], "netrc.jsonl"),
        (server.url("/feed"), &["--header", "Authorization: Bearer hunter2header"], "header.jsonl"),
    ] {
        let (code, stderr) = convert(&url, more, out);
        assert_eq!(code, Some(0), "{stderr}");
        said.push_str(&stderr);
    }
    let (code, stderr) = convert(&bad, &[], "bad.jsonl");
    assert_eq!(code, Some(2), "{stderr}");
    said.push_str(&stderr);
    let sent: Vec<String> = server.asked().iter().map(|asked| asked.header("authorization").to_owned()).collect();
    assert!(sent[0] == sent[3] && sent[0] != sent[1] && sent[2] == "Bearer hunter2header", "{sent:?}");
    fs::write(dir.join("list.txt"), format!("{typed}\n{bad}\n")).expect("written");
    let args = ["migrate", "@list.txt", "--to", "sitemap", "--out", "out", "--report", "reports", "--json"];
    let ended = run(&dir, &args);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    let args = ["migrate", &typed, "--to", "sitemap", "--out", "page", "--report", "page.html", "--report", "folder"];
    run(&dir, &args).ok("a page");
    for command in [&["inspect", &typed][..], &[&typed], &["validate", &typed, "--json"], &["diff", &typed, &bad]] {
        let ended = run(&dir, command);
        said.push_str(&(ended.stderr.clone() + &ended.text()));
    }
    said.push_str(&(ended.stderr.clone() + &ended.text()));
    let mut files = Vec::new();
    common::files(dir.clone(), &mut files);
    for file in files.iter().filter(|file| !file.ends_with("netrc") && !file.ends_with("list.txt")) {
        said.push_str(&file.to_string_lossy());
        said.push_str(&String::from_utf8_lossy(&fs::read(file).expect("a file")));
    }
    assert!(!said.contains("hunter2"), "{}", said.split("hunter2").next().unwrap_or_default());
    assert!(said.contains(&server.url("/bad")));
}

#[test]
fn a_password_that_should_be_escaped_is_not_shown() {
    let server = Server::start(|_, _| Reply::ok(RSS));
    let dir = scratch("fetch-passwords");
    let host = format!("127.0.0.1:{}", server.port());
    for url in [
        "http://ada:12/SECRET@",
        "http://ada:SEC#RET@",
        "http://ada:SEC?RET@",
        "ftp://ada:SECRET@",
        "http:/ada:SECRET@",
    ] {
        let url = format!("{url}{host}/feed");
        fs::write(dir.join("list.txt"), format!("{url}\n")).expect("written");
        for args in [
            &["convert", &url, "--to", "text"][..],
            &["inspect", &url],
            &["validate", &url],
            &["diff", &url, "list.txt"],
            &["migrate", &url, "--to", "text", "--out", "out"],
            &["migrate", "@list.txt", "--to", "text", "--out", "out2"],
        ] {
            let ended = run(&dir, args);
            let said = ended.text() + &ended.stderr;
            assert!(ended.code > 1 && said.contains(&host), "{args:?} {said}");
            assert!(!said.contains("SEC") && !said.contains("RET"), "{args:?} {said}");
        }
    }
    assert!(server.asked().is_empty());
}

#[test]
fn odd_answers_that_can_be_read_are_read() {
    let server = Server::start(|asked, _| match asked.path() {
        "/latin" => Reply::Raw(b"HTTP/1.1 302 X\r\nLocation: /f\xe9ed\r\nContent-Length: 0\r\n\r\n".to_vec()),
        "/f%E9ed" => Reply::ok(RSS),
        "/203" => Reply::Full(203, Vec::new(), RSS.into()),
        "/zeros" => Reply::ok([gzip(RSS.as_bytes()), vec![0; 600]].concat()).with("Content-Encoding", "gzip"),
        "/plain" => Reply::ok(RSS).with("Content-Encoding", "gzip"),
        _ => Reply::status(404),
    });
    let dir = scratch("fetch-odd");
    for path in ["/latin", "/203", "/zeros"] {
        let text = run(&dir, &["convert", &server.url(path), "--to", "text"]).ok(path).text();
        assert_eq!(text, server.url("/a") + "\n", "{path}");
    }
    server.forget();
    let ended = run(&dir, &["convert", &server.url("/plain"), "--to", "text"]);
    assert!(ended.code == 2 && ended.stderr.contains("not valid gzip"), "{}", ended.stderr);
    assert_eq!(server.asked().len(), 1);
}

/// How often the server was asked for this path, and how often with a condition.
fn conditions(server: &Server, path: &str) -> (usize, usize) {
    let asked = server.asked().into_iter().filter(|asked| asked.path() == path);
    asked.fold((0, 0), |(all, with), asked| (all + 1, with + usize::from(!asked.header("if-none-match").is_empty())))
}

/// An answer with an `ETag`, and 304 to whoever knows it.
fn tagged(asked: &Asked, tag: &str, body: impl Into<Vec<u8>>) -> Reply {
    match asked.header("if-none-match") == tag {
        true => Reply::status(304),
        false => Reply::ok(body).with("ETag", tag),
    }
}

#[test]
fn after_a_failed_night_only_changes_are_asked_for() {
    let server = Server::start(|asked, before| match before {
        1 | 2 => Reply::status(503),
        _ => tagged(asked, "\"1\"", RSS),
    });
    let dir = scratch("fetch-failed-night");
    let args = ["migrate", &server.url("/feed"), "--to", "text", "--out", "out", "--retries", "0"];
    let night = || common::transfeed(&dir, &args, None);
    night().ok("the first night");
    let output = dir.join(format!("out/127.0.0.1_{}/feed.txt", server.port()));
    let written = || fs::metadata(&output).and_then(|meta| meta.modified()).expect("a time");
    let first = written();
    assert_eq!((night().code, night().code), (3, 3));
    for _ in 0..2 {
        let ended = night().ok("a later night");
        assert!(ended.stderr.contains("1 up to date"), "{}", ended.stderr);
        assert_eq!(written(), first);
    }
    assert_eq!(conditions(&server, "/feed"), (5, 4));
    fs::remove_file(&output).expect("removed");
    night().ok("an output that is gone");
    assert!(output.is_file());
}

#[test]
fn lists_are_asked_for_with_their_conditions() {
    let server = Server::start(|asked, _| {
        let (host, loc) = (asked.header("host").to_owned(), |tag: &str, path: &str, host: &str| {
            format!("<{tag}><loc>http://{host}{path}</loc></{tag}>")
        });
        let opml = format!("<opml version=\"2.0\"><body><outline xmlUrl=\"http://{host}/c\"/></body></opml>");
        let index = ["/a.xml", "/b.xml"].map(|path| loc("sitemap", path, &host)).concat();
        match asked.path() {
            "/index.xml" => tagged(asked, "\"i\"", format!("<sitemapindex>{index}</sitemapindex>")),
            "/list.opml" => tagged(asked, "\"o\"", opml),
            "/c" => tagged(asked, "\"c\"", RSS),
            "/robots.txt" => tagged(asked, "\"r\"", format!("Sitemap: http://{host}/a.xml\n")),
            "/" => tagged(asked, "\"p\"", "<html><head><title>T</title></head></html>"),
            path => tagged(asked, "\"u\"", format!("<urlset>{}</urlset>", loc("url", path, &host))),
        }
    });
    let dir = scratch("fetch-list-conditions");
    for (source, more, paths) in [
        ("/index.xml", "--follow-remote", &["/index.xml", "/a.xml", "/b.xml"][..]),
        ("/list.opml", "--allow-private", &["/list.opml", "/c"]),
        ("/", "--discover", &["/robots.txt", "/a.xml"]),
    ] {
        let url = server.url(source);
        let args = ["migrate", &url, "--to", "text", "--out", "out", more, "--allow-private"];
        let args = if more == "--allow-private" { &args[..7] } else { &args[..] };
        server.forget();
        for night in 1..=3 {
            let ended = run(&dir, args).ok(source);
            assert!(night == 1 || ended.stderr.contains(" up to date"), "{}", ended.stderr);
            for path in paths {
                assert_eq!(conditions(&server, path), (night, night - 1), "{path}");
            }
        }
        // what is kept are the lists
        let bodies = fs::read_dir(dir.join("out/.transfeed/fetched")).expect("lists").flatten();
        let bodies = bodies.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "body"));
        assert_eq!(bodies.count(), 1, "{source}");
        fs::remove_dir_all(dir.join("out")).expect("removed");
    }
}

#[test]
fn shards_have_a_list_of_what_moved_each() {
    let server = Server::start(|asked, _| match asked.path().strip_prefix("/old/") {
        Some(name) => Reply::to(301, &format!("/new/{name}")),
        None => Reply::ok(RSS),
    });
    let dir = scratch("fetch-moved-shards");
    let list: String = (0..20).map(|n| server.url(&format!("/old/{n}\n"))).collect();
    fs::write(dir.join("list.txt"), list).expect("written");
    for shard in ["1/2", "2/2"] {
        let args = ["migrate", "@list.txt", "--to", "text", "--out", "out", "--shard", shard];
        run(&dir, &[&args[..], &["--write-moved", "moved.tsv"]].concat()).ok(shard);
    }
    let lines = ["moved-1-of-2.tsv", "moved-2-of-2.tsv"].map(|name| {
        let text = fs::read_to_string(dir.join(name)).expect("a list");
        text.lines().count()
    });
    assert!(lines[0] > 0 && lines[1] > 0 && lines[0] + lines[1] == 20, "{lines:?}");
    assert!(!dir.join("moved.tsv").exists());
}

#[test]
fn odd_names_of_lists_and_urls_are_explained() {
    let dir = scratch("fetch-names");
    fs::write(dir.join("list.txt"), "# mine\nexample.com/feed.rss\nnone.rss\n").expect("written");
    let migrate = |source: &str| run(&dir, &["migrate", source, "--to", "text", "--out", "out"]).stderr;
    let said = migrate("@list.txt");
    for line in [
        "failed # mine: no such file (list.txt, line 1); a list has no comments",
        "failed example.com/feed.rss: no such file (list.txt, line 2); a URL begins with https:// or http://",
        "failed none.rss: no such file (list.txt, line 3); correct the path, or remove the line",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let convert = |source: &str| run(&dir, &["convert", source, "--to", "text"]).stderr;
    for (said, says) in [
        (migrate("@none.txt"), "cannot read the list none.txt: no such file; check the path"),
        (
            migrate("@http://a.example/l"),
            "the list http://a.example/l: a list must be a file; download it, and pass @FILE",
        ),
        (
            convert("@list.txt"),
            "no such file; only migrate reads a list; to merge its documents, pass migrate @list.txt --merge",
        ),
        (
            convert("example.com/f.rss"),
            "a URL begins with https:// or http://: did you mean https://example.com/f.rss?",
        ),
        (convert("127.0.0.1:80"), "did you mean https://127.0.0.1:80?"),
        (convert("none.rss"), "cannot read none.rss: no such file; try another path, or - for standard input"),
    ] {
        assert!(said.contains(says), "{said}");
    }
}

/// A failure names its URL once, and an action that helps.
#[test]
fn failures_are_short_and_helpful() {
    let server = Server::start(|asked, _| match asked.path() {
        "/page" => Reply::ok("<!doctype html><html><head><title>T</title></head><body>x</body></html>"),
        "/slow" => Reply::Late(Duration::from_secs(2), Box::new(Reply::ok(RSS))),
        "/busy" => Reply::status(429).with("Retry-After", "3600"),
        path => Reply::status(path[1..].parse().expect("a status")),
    });
    let dir = scratch("fetch-failures");
    for (path, says) in [
        ("/page", "an HTML page, not a feed; pass the URL of a feed (transfeed inspect lists those of the site)"),
        ("/slow", "(tried 3 times); try again later, or raise --first-byte-timeout"),
        ("/busy", "too many requests (429), and it asks to wait 3600 s; run the command again after that"),
        ("/401", "user and password (401); pass --header, --netrc, or https://user:password@host/…"),
        ("/403", "some servers refuse unknown programs: --user-agent"),
        ("/404", "not found (404); check the URL"),
        ("/204", "the server sent no document (204); check the URL"),
    ] {
        let url = server.url(path);
        let args = ["migrate", &url, "--to", "text", "--out", "out", "--first-byte-timeout", "0.2"];
        let ended = run(&dir, &args);
        let line = ended.stderr.lines().find(|line| line.starts_with("failed ")).unwrap_or_default();
        assert!(line.contains(says), "{}", ended.stderr);
        assert_eq!(line.matches(&server.port().to_string()).count(), 1, "{line}");
        assert!(!ended.stderr.contains("resuming"), "{}", ended.stderr);
    }
}

#[test]
fn moved_urls_are_listed() {
    let server = Server::start(|asked, _| match asked.path() {
        "/a" => Reply::to(301, "/b"),
        "/c" => Reply::to(302, "/b"),
        "/d" => Reply::to(301, "/c"),
        _ => Reply::ok(RSS),
    });
    let dir = scratch("fetch-moved");
    let urls = ["/a", "/b", "/c", "/d"].map(|path| server.url(path));
    let args = ["migrate", &urls[0], &urls[1], &urls[2], &urls[3], "--to", "text", "--out", "out"];
    run(&dir, &[&args[..], &["--write-moved", "moved.tsv"]].concat()).ok("a run");
    let moved = fs::read_to_string(dir.join("moved.tsv")).expect("a list");
    assert_eq!(moved, format!("{}\t{}\n{}\t{}\n", urls[0], urls[1], urls[3], urls[2]));
    // the list of what moved is no list of feeds yet
    fs::write(dir.join("feeds.txt"), urls.join("\n")).expect("written");
    server.forget();
    for args in [
        &["migrate", "@feeds.txt", "--to", "text", "--out", "new", "--write-moved", "feeds.txt"][..],
        &["convert", &urls[0], "--to", "text", "-o", "feeds.txt", "--write-moved", "./feeds.txt"],
        &["validate", "feeds.txt", &urls[0], "--write-moved", "feeds.txt"],
        &["inspect", "feeds.txt", &urls[0], "--write-moved", "feeds.txt"],
        &["diff", "feeds.txt", &urls[0], "--write-moved", "feeds.txt"],
    ] {
        let ended = run(&dir, args);
        assert!(ended.code == 2 && ended.stderr.contains("pass another file to --write-moved"), "{}", ended.stderr);
    }
    assert_eq!(fs::read_to_string(dir.join("feeds.txt")).expect("a list"), urls.join("\n"));
    assert!(server.asked().is_empty());
}

/// A redirect that was permanent may be temporary today.
#[test]
fn what_moved_is_what_the_server_says_now() {
    let server = Server::start(|asked, before| match asked.path() {
        "/a" => Reply::to(if before == 0 { 301 } else { 302 }, "/b"),
        _ if asked.header("if-none-match") == "\"1\"" => Reply::status(304),
        _ => Reply::ok(RSS).with("ETag", "\"1\""),
    });
    let dir = scratch("fetch-moved-back");
    let url = server.url("/a");
    let moved = |more: &[&str]| {
        let args = ["convert", &url, "--to", "text", "-o", "out.txt", "--cache", "cache", "--report", "r.json"];
        run(&dir, &[&args[..], more].concat()).ok("a run");
        json(&dir.join("r.json"))["fetched"][0].clone()
    };
    assert_eq!(moved(&[])["moved_to"], server.url("/b"));
    assert_eq!(moved(&["--offline"])["moved_to"], server.url("/b"));
    let now = moved(&[]);
    assert!(now["status"] == 304 && now["final_url"] == server.url("/b") && now.get("moved_to").is_none(), "{now}");
    assert!(moved(&["--offline"]).get("moved_to").is_none());
}

fn site() -> Server {
    Server::start(|asked, _| {
        let host = asked.header("host").to_owned();
        match asked.path() {
            "/" => Reply::ok(
                "<!doctype html><html><head><link rel=alternate type=application/rss+xml href=/feed title=News></head></html>",
            ),
            "/robots.txt" => Reply::ok("User-agent: *\nSitemap: /index.xml\n"),
            "/feed" => Reply::ok(RSS),
            "/index.xml" => Reply::ok(format!(
                "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>http://{host}/one.xml</loc></sitemap>\
                 <sitemap><loc>http://{host}/two.xml.gz</loc></sitemap></sitemapindex>"
            )),
            "/one.xml" => Reply::ok("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://pond.example/1</loc></url></urlset>"),
            "/two.xml.gz" => Reply::ok(gzip(b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://pond.example/2</loc></url></urlset>")),
            _ => Reply::status(404),
        }
    })
}

#[test]
fn a_site_names_its_feeds_and_sitemaps() {
    let server = site();
    let dir = scratch("fetch-site");
    let url = server.url("/");
    let found = run(&dir, &["inspect", &url]).ok("a site").text();
    assert!(found.contains(&server.url("/index.xml")) && found.contains("robots.txt"), "{found}");
    assert!(found.contains(&server.url("/feed")) && found.contains("News"), "{found}");
    let found: Value = serde_json::from_str(&run(&dir, &["inspect", &url, "--json"]).ok("JSON").text()).expect("JSON");
    assert_eq!(found["sites"][0]["documents"].as_array().map(Vec::len), Some(2), "{found}");
    assert_eq!(found["sites"][0]["documents"][1]["type"], "application/rss+xml");
    let ended = run(&dir, &["convert", &url, "--to", "text"]);
    assert!(ended.code == 2 && ended.stderr.contains("--discover reads the feeds"), "{}", ended.stderr);
    let short = common::transfeed(&dir, &[&url], None).ok("no command").text();
    assert!(short.contains("names 2 documents"), "{short}");
    let args = ["migrate", &url, "--discover", "--follow-remote", "--to", "text", "--out", "out"];
    let ended = run(&dir, &args).ok("a site");
    let mut files = Vec::new();
    common::files(dir.join("out"), &mut files);
    assert_eq!(
        files.iter().filter(|file| file.extension().is_some_and(|end| end == "txt")).count(),
        3,
        "{}",
        ended.stderr
    );
}

#[test]
fn parts_of_an_index_are_followed_on_request() {
    let server = site();
    let dir = scratch("fetch-index");
    let index = server.url("/index.xml");
    let text = run(&dir, &["convert", &index, "--follow-remote", "--to", "text"]).ok("an index").text();
    assert_eq!(text, "https://pond.example/1\nhttps://pond.example/2\n");
    let robots = server.url("/robots.txt");
    let again = run(&dir, &["convert", &robots, "--follow-remote", "--to", "text"]).ok("robots.txt").text();
    assert_eq!(again, text);
    server.forget();
    let ended = run(&dir, &["convert", &index, "--to", "jsonl"]).ok("an index alone");
    assert!(ended.stderr.contains("--follow-remote") && server.asked().len() == 1, "{}", ended.stderr);
    let ended = run(&dir, &["migrate", &index, "--to", "text", "--out", "out"]);
    assert!(ended.code == 3 && ended.stderr.contains("--follow-remote"), "{}", ended.stderr);
    run(&dir, &["migrate", &index, "--follow-remote", "--to", "text", "--out", "tree"]).ok("a tree");
    let folder = format!("tree/127.0.0.1_{}", server.port());
    assert_eq!(fs::read_to_string(dir.join(folder).join("two.txt")).expect("a part"), "https://pond.example/2\n");
    fs::write(dir.join("both.txt"), &text).expect("written");
    run(&dir, &["diff", &index, "both.txt", "--follow-remote", "--only", "loc"]).ok("an index and a list");
    let ended = run(&dir, &["validate", &index, "--follow-remote"]);
    assert!(ended.code < 2, "{}", ended.stderr);
    fs::write(dir.join("index.xml"), String::from_utf8_lossy(&fetch(&index)).as_bytes()).expect("written");
    let args = ["migrate", "index.xml", "--follow-remote", "--allow-private", "--to", "text", "--out", "local"];
    run(&dir, &args).ok("an index in a file");
}

/// What the server sends.
fn fetch(url: &str) -> Vec<u8> {
    use std::io::Read;
    let host = url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("a host");
    let path = url.split_once(host).expect("a path").1;
    let mut stream = std::net::TcpStream::connect(host).expect("a server");
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a limit");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("a request");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    answer.split_off(at + 4)
}

#[test]
fn nothing_is_uploaded_and_odd_urls_are_refused() {
    let dir = scratch("fetch-odd");
    let ended = run(&dir, &["convert", "-", "--to", "text", "-o", "https://user:hunter2@pond.example/x"]);
    assert!(ended.code == 2 && ended.stderr.contains("nothing is uploaded"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("hunter2"));
    for url in ["http://127.1/", "http://a b/", "https://", "http://user:hunter2@exa%mple/"] {
        let ended = run(&dir, &["convert", url, "--to", "text"]);
        assert!(ended.code == 2 && ended.stderr.contains("cannot fetch"), "{url} {}", ended.stderr);
        assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
    }
    let ended = run(&dir, &["convert", "ftp://pond.example/x", "--to", "text"]);
    assert!(
        ended.code == 2 && ended.stderr.contains("transfeed reads only files and http or https URLs"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_proxy_of_the_environment_is_asked() {
    let server = Server::start(|_, _| Reply::Raw(b"HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n".to_vec()));
    let dir = scratch("fetch-proxy");
    let proxy = server.url("");
    let ask = |no_proxy: &str| {
        let mut command = common::program(&dir);
        command.env("http_proxy", &proxy).env("no_proxy", no_proxy);
        let args = [&["convert", "http://pond.invalid/feed", "--to", "text"], &QUICK[..]].concat();
        command.args(args).output().expect("a run")
    };
    assert_eq!(ask("").status.code(), Some(2));
    let asked = server.asked();
    assert!(!asked.is_empty() && asked[0].line.contains("pond.invalid"), "{asked:?}");
    server.forget();
    assert_eq!(ask("pond.invalid").status.code(), Some(2));
    assert!(server.asked().is_empty());
    // a port that nobody listens at
    let mut command = common::program(&dir);
    command.env("http_proxy", "http://127.0.0.1:1");
    let args = [&["convert", "http://pond.invalid/feed", "--to", "text"], &QUICK[..]].concat();
    let says = String::from_utf8_lossy(&command.args(args).output().expect("a run").stderr).into_owned();
    assert!(says.contains("/feed: the proxy 127.0.0.1:1 refused the connection (tried"), "{says}");
}

/// Standard output has the documents before one that fails, also if that is the second.
#[test]
fn what_came_before_a_failure_is_written() {
    let server = Server::start(|asked, _| match asked.path() {
        "/a.txt" => Reply::ok(list(0, 1)),
        "/b.txt" => Reply::ok(list(1, 1)),
        _ => Reply::status(404),
    });
    let dir = scratch("fetch-before");
    let (a, b, gone) = (server.url("/a.txt"), server.url("/b.txt"), server.url("/gone"));
    for (urls, entries) in [(&[&a, &gone][..], 1), (&[&a, &b, &gone], 2), (&[&gone, &a], 0)] {
        let urls = urls.iter().map(|url| url.as_str());
        let args: Vec<&str> = ["convert"].into_iter().chain(urls).chain(["--to", "jsonl", "-q"]).collect();
        let ended = run(&dir, &args);
        assert_eq!((ended.code, ended.text().matches("\"loc\"").count()), (2, entries), "{}", ended.stderr);
        let says = format!("error: cannot fetch {gone}: not found (404); check the URL\n");
        assert_eq!(ended.stderr, says);
    }
}

/// What names nothing is named as that.
#[test]
fn sites_that_name_nothing() {
    let server = Server::start(|asked, _| match asked.path() {
        "/robots.txt" => Reply::ok("User-agent: *\nDisallow: /x\n"),
        _ => Reply::ok("<!doctype html><html><head><title>T</title></head><body>x</body></html>"),
    });
    let dir = scratch("fetch-nothing");
    let (robots, page) = (server.url("/robots.txt"), server.url("/"));
    let nothing = format!("{robots}: a robots.txt that names no sitemap; pass the URL of a feed or of a sitemap\n");
    for args in [
        &["convert", &robots, "--to", "text"][..],
        &["inspect", &robots],
        &["validate", &robots],
        &["migrate", &robots, "--to", "text", "--out", "out"],
    ] {
        let ended = run(&dir, args);
        assert!(ended.code > 1 && ended.stderr.contains(&nothing), "{args:?}: {}", ended.stderr);
    }
    let ended = run(&dir, &["convert", &page, "--to", "text", "--discover"]);
    let says = format!("note: {page}: a page of a site that names no feeds and no sitemaps in robots.txt or links\n");
    assert!(ended.code == 2 && ended.stderr.contains(&says), "{}", ended.stderr);
}

#[test]
fn a_proxy_is_sent_whole_urls_for_http() {
    // a proxy that makes no tunnels, as most do to port 80
    let proxy = Server::start(|asked, _| match asked.path() {
        "http://pond.invalid/list.txt" => Reply::to(302, "http://other.invalid:81/b.txt?q"),
        "http://other.invalid:81/b.txt?q" => Reply::ok(list(1, 3)),
        _ => Reply::status(405),
    });
    let dir = scratch("fetch-forward");
    let mut command = common::program(&dir);
    command.env("http_proxy", proxy.url("").replace("http://", "http://us%65r:pass@"));
    let args = [&["convert", "http://pond.invalid/list.txt", "--to", "text"], &QUICK[..]].concat();
    let done = command.args(args).output().expect("a run");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(String::from_utf8_lossy(&done.stdout).lines().count(), 3);
    let asked = proxy.asked();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked.iter().all(|asked| asked.header("proxy-authorization") == "Basic dXNlcjpwYXNz"), "{asked:?}");
    assert_eq!((asked[0].header("host"), asked[1].header("host")), ("pond.invalid", "other.invalid:81"));
}

#[test]
fn lists_name_urls_and_files() {
    let server = Server::start(|asked, _| match asked.path() {
        "/missing" => Reply::status(404),
        "/page" => Reply::ok("<!doctype html><html><body>x</body></html>"),
        "/list.opml" => Reply::ok(
            "<opml version=\"2.0\"><body><outline xmlUrl=\"a.txt\"/><outline xmlUrl=\"/b.txt\"/>\
             <outline xmlUrl=\"file:///etc/passwd\"/></body></opml>",
        ),
        _ => Reply::ok(list(1, 3)),
    });
    let dir = scratch("fetch-lists");
    fs::write(dir.join("local.txt"), list(5, 2)).expect("written");
    let urls = ["/one.txt", "/missing", "/page", "/q?token=hunter2"].map(|path| server.url(path));
    fs::write(dir.join("list"), format!("local.txt\n{}\n", urls.join("\n"))).expect("written");
    let opml =
        format!("<opml version=\"2.0\"><body><outline xmlUrl=\"{}\"/></body></opml>", server.url("/outline.txt"));
    fs::write(dir.join("feeds.opml"), opml).expect("written");
    let remote = server.url("/list.opml");
    let args =
        ["migrate", "@list", "feeds.opml", &remote, "--to", "sitemap", "--out", "out", "--allow-private", "--json"];
    let ended = run(&dir, &args);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    let events: Vec<Value> = ended.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let failed: Vec<&Value> = events.iter().filter(|event| event["status"] == "failed").collect();
    assert_eq!(failed.len(), 3, "{}", ended.text());
    assert!(ended.stderr.contains("file:///etc/passwd"), "{}", ended.stderr);
    assert!(server.asked().iter().all(|asked| asked.path() != "/etc/passwd"));
    assert!(failed.iter().any(|event| event["fetched"][0]["status"] == 404), "{}", ended.text());
    assert!(ended.stderr.contains(&urls[1]) && ended.stderr.contains(&urls[2]), "{}", ended.stderr);
    let host = dir.join(format!("out/127.0.0.1_{}", server.port()));
    for name in ["one.xml", "outline.xml", "a.xml", "b.xml"] {
        assert!(host.join(name).is_file(), "{name}");
    }
    assert!(dir.join("out/local.xml").is_file());
    let mut files = Vec::new();
    common::files(dir.join("out"), &mut files);
    assert!(!files.iter().any(|file| file.to_string_lossy().contains("hunter2")), "{files:?}");
}

#[test]
fn a_url_that_fails_keeps_its_output() {
    let server = Server::start(|_, before| match before {
        0 => Reply::ok(list(1, 3)).with("ETag", "\"1\""),
        1 => Reply::ok("<!doctype html><html><body>maintenance</body></html>"),
        2 => Reply::status(404),
        3 => Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhttps://pond.example/1".to_vec()),
        4 => Reply::ok(list(1, 4)).with("ETag", "\"2\""),
        _ => Reply::status(304),
    });
    let dir = scratch("fetch-keeps");
    let url = server.url("/feed.txt");
    let out = dir.join(format!("out/127.0.0.1_{}/feed.xml", server.port()));
    let migrate = |more: &[&str]| {
        let args = ["migrate", &url, "--to", "sitemap", "--out", "out", "--retries", "0"];
        common::transfeed(&dir, &[&args[..], more].concat(), None)
    };
    migrate(&[]).ok("the first run");
    let first = fs::read(&out).expect("an output");
    for _ in 0..3 {
        let ended = migrate(&["--retry-failed"][..usize::from(server.asked().len() > 1)]);
        assert_eq!(ended.code, 3, "{}", ended.stderr);
        assert_eq!(fs::read(&out).expect("an output"), first);
    }
    migrate(&["--retry-failed"]).ok("a retry");
    assert_ne!(fs::read(&out).expect("an output"), first);
    let ended = migrate(&[]).ok("the last run");
    assert!(ended.stderr.contains("1 file up to date"), "{}", ended.stderr);
    assert_eq!(server.asked()[5].header("if-none-match"), "\"2\"");
}

/// A server of many feeds with an ETag each, at several hosts: 127.0.0.1 to 127.0.0.8.
fn feeds() -> Server {
    Server::start(|asked, _| {
        let number: usize = asked.path().trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
        let tag = format!("\"{number}\"");
        match asked.header("if-none-match") == tag {
            true => Reply::status(304),
            false => Reply::ok(list(number * 100, 2 + number % 7)).with("ETag", &tag),
        }
    })
}

fn feed_urls(server: &Server, count: usize) -> String {
    (0..count).map(|n| format!("http://127.0.0.{}:{}/{n}.txt\n", 1 + n % 8, server.port())).collect()
}

#[test]
fn many_feeds_are_fetched_once_whatever_happens() {
    let many = count(400, 2_000);
    let server = feeds();
    let dir = scratch("fetch-many");
    fs::write(dir.join("list"), feed_urls(&server, many)).expect("written");
    let args = ["migrate", "@list", "--to", "sitemap", "--out", "out", "-j", "8", "--quiet"];
    let mut kills = 0;
    for wait in [100, 200, 350, 500, 900] {
        let mut child = common::program(&dir).args(args).spawn().expect("a run");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(wait) && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        kills += usize::from(child.try_wait().expect("a child").is_none());
        let _ = child.kill();
        child.wait().expect("an end");
        for file in outputs(&dir) {
            assert!(fs::read_to_string(&file).expect("text").ends_with("</urlset>\n"), "{}", file.display());
        }
    }
    assert!(kills > 0, "no run was killed");
    common::transfeed(&dir, &args, None).ok("the run after the kills");
    assert_eq!(outputs(&dir).len(), many);
    let asked = server.asked();
    let whole = asked.iter().filter(|asked| asked.header("if-none-match").is_empty()).count();
    // what was on its way when a run was killed is asked for again: at most as much as there are threads
    assert!(whole <= many + kills * 8, "{whole} whole bodies for {many} feeds and {kills} kills");
    let names: Vec<_> = outputs(&dir);
    let times: Vec<_> =
        names.iter().map(|file| file.metadata().and_then(|meta| meta.modified()).expect("a time")).collect();
    server.forget();
    let ended = common::transfeed(&dir, &args, None).ok("the second run");
    let asked = server.asked();
    assert_eq!(asked.len(), many, "{}", ended.stderr);
    assert!(asked.iter().all(|asked| !asked.header("if-none-match").is_empty()), "304 only");
    assert!(!dir.join("out/.transfeed/fetched").exists(), "no body stays");
    let after: Vec<_> =
        names.iter().map(|file| file.metadata().and_then(|meta| meta.modified()).expect("a time")).collect();
    assert!(times == after, "nothing is written again");
}

/// The files of a tree, in order.
fn outputs(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    common::files(dir.join("out"), &mut files);
    files.retain(|file| file.extension().is_some_and(|end| end == "xml") && !file.to_string_lossy().contains("/."));
    files.sort();
    files
}

#[test]
fn a_host_has_two_connections_at_most() {
    let server = Server::start(|_, _| Reply::Late(Duration::from_millis(15), Box::new(Reply::ok(list(0, 2)))));
    let dir = scratch("fetch-polite");
    let urls: String = (0..24).map(|n| server.url(&format!("/{n}.txt\n"))).collect();
    fs::write(dir.join("list"), urls).expect("written");
    run(&dir, &["migrate", "@list", "--to", "sitemap", "--out", "out", "-j", "8"]).ok("a run");
    assert_eq!(server.most_together(), 2);
}

#[test]
fn shards_share_out_a_list() {
    let server = feeds();
    let dir = scratch("fetch-shards");
    fs::write(dir.join("list"), feed_urls(&server, 40)).expect("written");
    for shard in ["1/3", "2/3", "3/3"] {
        run(&dir, &["migrate", "@list", "--to", "sitemap", "--out", "out", "--shard", shard]).ok(shard);
    }
    assert_eq!((server.asked().len(), outputs(&dir).len()), (40, 40));
}

#[test]
fn a_changed_option_makes_an_output_again_without_a_second_question() {
    let server = feeds();
    let dir = scratch("fetch-options");
    let url = server.url("/7.txt");
    let migrate = |more: &[&str]| run(&dir, &[&["migrate", &url, "--to", "sitemap", "--out", "out"], more].concat());
    migrate(&[]).ok("the first run");
    migrate(&["--pretty"]).ok("other options");
    assert_eq!(server.asked().len(), 2);
    let renamed = migrate(&["--pretty", "--name", "x/{stem}.{ext}"]).ok("another name");
    assert!(dir.join("out/x/7.xml").is_file(), "{}", renamed.stderr);
    migrate(&["--pretty", "--name", "x/{stem}.{ext}", "--dry-run"]).ok("a dry run");
    run(&dir, &["migrate", &url, "--merge", "--to", "sitemap", "--out", "merged"]).ok("merged");
    assert!(dir.join("merged/merged.xml").is_file());
}

/// A whole response over TLS.
fn page(status: &str, more: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{more}Connection: close\r\n\r\n{body}", body.len())
        .into_bytes()
}

#[test]
fn certificates_are_verified() {
    let server = TlsServer::start("127.0.0.1", |path| match path {
        "/down" => page("301", "Location: http://127.0.0.1:1/x\r\n", ""),
        _ => page("200", "", RSS),
    });
    let dir = scratch("fetch-tls");
    fs::write(dir.join("authority.pem"), &server.authority).expect("written");
    fs::write(dir.join("out.txt"), "before").expect("written");
    let convert = |url: &str, roots: Option<&str>| {
        let mut command = common::program(&dir);
        command.env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR");
        if let Some(roots) = roots {
            command.env("SSL_CERT_FILE", dir.join(roots));
        }
        let args = [&["convert", url, "--to", "text", "-o", "out.txt"], &QUICK[..]].concat();
        let output = command.args(args).output().expect("a run");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(&dir).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let url = server.url("/feed");
    let (code, stderr) = convert(&url, None);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains(&format!("cannot fetch {url}: no secure connection to 127.0.0.1")), "{stderr}");
    assert!(stderr.contains("check the clock and the certificates that the system trusts"), "{stderr}");
    assert!(!stderr.contains("tried"), "it is not repeated: {stderr}");
    assert_eq!(server.requests(), 0, "nothing is sent");
    assert_eq!(fs::read_to_string(dir.join("out.txt")).expect("an output"), "before");
    assert_eq!(names(), ["authority.pem", "out.txt"]);
    // a system without any
    let mut command = common::program(&dir);
    command.env("SSL_CERT_FILE", "/dev/null").env("SSL_CERT_DIR", dir.join("absent"));
    let output = command.args(["inspect", &url]).args(QUICK).output().expect("a run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("(package ca-certificates), or set SSL_CERT_FILE"), "{stderr}");
    // a company's own authority, installed where the system has its roots
    let (code, stderr) = convert(&url, Some("authority.pem"));
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(fs::read_to_string(dir.join("out.txt")).expect("an output"), server.url("/a") + "\n");
    let plain = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = plain.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        use std::io::Read;
        for mut stream in plain.incoming().flatten() {
            // the client may be gone by now
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            let _ = stream.read(&mut [0; 4096]);
        }
    });
    let (code, stderr) = convert(&format!("https://127.0.0.1:{port}/feed"), Some("authority.pem"));
    assert!(code == Some(2) && stderr.contains("this port may have no https"), "{stderr}");
    let (code, stderr) = convert(&server.url("/down"), Some("authority.pem"));
    assert!(code == Some(2) && stderr.contains("it leads from https to http"), "{stderr}");
    // trusted, and for another host
    let other = TlsServer::start("pond.example", |_| page("200", "", RSS));
    fs::write(dir.join("authority.pem"), &other.authority).expect("written");
    let (code, stderr) = convert(&other.url("/"), Some("authority.pem"));
    assert!(code == Some(2) && stderr.contains("no secure connection"), "{stderr}");
    assert_eq!(other.requests(), 0, "nothing is sent");
}

#[test]
fn verification_cannot_be_switched_off() {
    let dir = scratch("fetch-insecure");
    for command in ["convert", "inspect", "validate", "migrate"] {
        let ended = common::transfeed(&dir, &[command, "https://127.0.0.1:1/", "--insecure"], None);
        assert_eq!(ended.code, 2, "{command}: {}", ended.stderr);
        assert!(ended.stderr.contains("unexpected argument '--insecure'"), "{command}: {}", ended.stderr);
        let help = common::transfeed(&dir, &[command, "--help"], None).ok("help").text();
        assert!(!help.contains("insecure"), "{command}");
    }
}

/// A wait that servers ask for may be too long; our own waits never are, and nobody else is named as their cause.
#[test]
fn own_waits_stay_below_the_longest() {
    let server = Server::start(|_, before| if before < 2 { Reply::status(500) } else { Reply::ok(RSS) });
    let dir = scratch("fetch-waits");
    let args = ["convert", &server.url("/"), "--to", "text", "--retry-wait", "60", "--max-wait", "0.05"];
    let begun = Instant::now();
    common::transfeed(&dir, &args, None).ok("short waits");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// Many documents are open at no time: a process has few files.
#[cfg(unix)]
#[test]
fn many_documents_need_few_open_files() {
    let many = count(150, 600);
    let server = Server::start(move |asked, _| match asked.path() {
        "/index.xml" => {
            let host = asked.header("host");
            let parts = (0..many).map(|n| format!("<sitemap><loc>http://{host}/{n}.txt</loc></sitemap>"));
            let parts: String = parts.collect();
            Reply::ok(format!(
                "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{parts}</sitemapindex>"
            ))
        }
        path if path.ends_with(".txt") => {
            let number = path.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
            Reply::ok(list(number * 10, 10))
        }
        _ => Reply::ok("<!doctype html><html><body>maintenance</body></html>"),
    });
    let dir = scratch("fetch-files");
    let index = server.url("/index.xml");
    let convert = format!("ulimit -n 64; exec \"$0\" convert {index} --follow-remote --to text -o all.txt");
    let output = common::shell(&dir, &convert).output().expect("a run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all = fs::read_to_string(dir.join("all.txt")).expect("an output");
    assert!(all == list(0, 10 * many), "{} lines", all.lines().count());
    // all of a host that is down are pages
    let urls: String = (0..many).map(|n| format!("http://127.0.0.{}:{}/{n}\n", 1 + n % 8, server.port())).collect();
    fs::write(dir.join("list"), urls).expect("written");
    let migrate = "ulimit -n 128; exec \"$0\" migrate @list --to text --out out -j 4 --json";
    let output = common::shell(&dir, migrate).output().expect("a run");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told.lines().filter(|line| line.contains("HTML")).count(), many, "{told}");
}

#[test]
fn lists_of_lists_end() {
    let server = Server::start(|asked, before| {
        let (host, path) = (asked.header("host"), asked.path().trim_end_matches(".xml"));
        Reply::ok(format!(
            "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>\
             <loc>http://{host}{path}{before}.xml</loc></sitemap></sitemapindex>"
        ))
    });
    let dir = scratch("fetch-depth");
    let ended = run(&dir, &["convert", &server.url("/i.xml"), "--follow-remote", "--to", "text"]);
    assert!(ended.code == 2 && ended.stderr.contains("more than 8 lists lead to it"), "{}", ended.stderr);
    assert_eq!(server.asked().len(), 9);
    let ended = run(&dir, &["migrate", &server.url("/m.xml"), "--follow-remote", "--to", "text", "--out", "out"]);
    assert!(ended.code == 3 && ended.stderr.contains("more than 8 lists lead to it"), "{}", ended.stderr);
}

#[test]
fn an_odd_entry_of_an_index_fails_alone() {
    let server = Server::start(|asked, _| match asked.path() {
        "/index.xml" => Reply::ok(format!(
            "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>ftp://pond.example/a</loc></sitemap>\
             <sitemap><loc>http://{}/b.txt</loc></sitemap></sitemapindex>",
            asked.header("host")
        )),
        _ => Reply::ok(list(1, 2)),
    });
    let dir = scratch("fetch-odd-entry");
    let index = server.url("/index.xml");
    let ended = run(&dir, &["migrate", &index, "--follow-remote", "--to", "text", "--out", "out"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert!(ended.stderr.contains("ftp://pond.example/a"), "{}", ended.stderr);
    assert!(dir.join(format!("out/127.0.0.1_{}/b.txt", server.port())).is_file());
    // one output would lack it
    let ended = run(&dir, &["convert", &index, "--follow-remote", "--to", "text", "-o", "all.txt"]);
    assert!(ended.code == 2 && !dir.join("all.txt").exists(), "{}", ended.stderr);
}

/// What is needed whole each night is asked for with conditions, too, and what is gone does not stay.
#[test]
fn merged_and_named_outputs_are_never_stale() {
    let titled =
        |title: &str| RSS.replace("<title>T<", &format!("<title>{title}<")).replace("/a<", &format!("/{title}<"));
    let changed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_new = std::sync::Arc::clone(&changed);
    let server = Server::start(move |asked, _| {
        let is_new = is_new.load(std::sync::atomic::Ordering::Relaxed);
        let (tag, title) = match asked.path() {
            "/a" if is_new => ("\"a2\"", "Newer"),
            "/a" => ("\"a1\"", "Older"),
            "/moving" => return Reply::to(302, if is_new { "/now" } else { "/then" }),
            _ => ("\"b\"", "Other"),
        };
        match asked.header("if-none-match") == tag {
            true => Reply::status(304),
            false => Reply::ok(titled(title)).with("ETag", tag),
        }
    });
    let dir = scratch("fetch-stale");
    let (a, b, moving) = (server.url("/a"), server.url("/b"), server.url("/moving"));
    let merge = |more: &[&str]| {
        let args = ["migrate", &a, &moving, "--to", "jsonl", "--out", "merged", "--merge", "--name", "all.jsonl"];
        run(&dir, &[&args[..], more].concat()).ok("merged");
        fs::read_to_string(dir.join("merged/all.jsonl")).expect("an output")
    };
    let name = || {
        let args = ["migrate", &a, &b, "--to", "jsonl", "--out", "named", "--name", "{title}.{ext}"];
        run(&dir, &args).ok("named").stderr
    };
    let whole = || server.asked().iter().filter(|asked| asked.header("if-none-match").is_empty()).count();
    let first = merge(&[&b]);
    assert!(first.contains("Older") && first.contains("Other"), "{first}");
    name();
    server.forget();
    assert_eq!(merge(&[&b]), first);
    // a redirect is asked for without a condition, and its document with one
    assert_eq!((server.asked().len(), whole()), (4, 1));
    server.forget();
    let says = name();
    assert!(says.contains("2 files up to date"), "{says}");
    assert_eq!((server.asked().len(), whole()), (2, 0));
    let modified = |path: &str| fs::metadata(dir.join(path)).and_then(|meta| meta.modified()).expect("a time");
    let before = modified("named/Other.jsonl");
    changed.store(true, std::sync::atomic::Ordering::Relaxed);
    let second = merge(&[&b]);
    assert!(second.contains("Newer") && !second.contains("Older"), "{second}");
    name();
    assert!(dir.join("named/Newer.jsonl").is_file());
    assert_eq!(modified("named/Other.jsonl"), before, "not written again");
    // what is not asked for any more is gone
    let third = merge(&[]);
    assert!(third.contains("Newer"), "{third}");
    let stored = fs::read_dir(dir.join("merged/.transfeed/fetched")).expect("a folder").flatten();
    let bodies = stored.filter(|entry| entry.path().extension().is_some_and(|end| end == "body"));
    assert_eq!(bodies.count(), 2);
}

/// The URL of a document is its base: the same bytes at another URL are another document.
#[test]
fn a_redirect_that_leads_elsewhere_makes_an_output_again() {
    let server = Server::start(|asked, before| match asked.path() {
        "/feed" => Reply::to(302, if before < 2 { "/one/x" } else { "/two/x" }),
        _ => Reply::ok(RSS.replace("/a<", "a<")),
    });
    let dir = scratch("fetch-elsewhere");
    let url = server.url("/feed");
    for (tree, more) in [("tree", &[][..]), ("all", &["--merge"])] {
        server.forget();
        let out = match tree {
            "tree" => dir.join(format!("tree/127.0.0.1_{}/feed.txt", server.port())),
            _ => dir.join("all/merged.txt"),
        };
        let migrate = || {
            run(&dir, &[&["migrate", &url, "--to", "text", "--out", tree], more].concat()).ok(tree);
            fs::read_to_string(&out).expect("an output")
        };
        assert_eq!([migrate(), migrate()], [server.url("/one/a\n"), server.url("/one/a\n")]);
        assert_eq!(migrate(), server.url("/two/a\n"), "{tree}");
    }
}

/// Ends a run by a signal once the server was asked so often.
#[cfg(unix)]
fn interrupted(dir: &Path, args: &[&str], server: &Server, requests: usize) -> (Option<i32>, String, Duration) {
    let mut command = common::program(dir);
    let mut child = command.args(args).stderr(std::process::Stdio::piped()).spawn().expect("a run");
    while server.asked().len() < requests {
        assert!(child.try_wait().expect("a state").is_none(), "it ended before");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Instant::now();
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), sent.elapsed())
}

#[cfg(unix)]
#[test]
fn a_run_that_waits_for_a_server_ends_at_a_signal() {
    if common::is_ignored("INT") {
        return;
    }
    let server = Server::start(|asked, _| match asked.path() {
        "/late" => Reply::Late(Duration::from_secs(20), Box::new(Reply::ok(RSS))),
        "/busy" => Reply::status(503).with("Retry-After", "60"),
        "/endless" => Reply::Endless,
        _ => Reply::ok(list(1, 2)).with("ETag", "\"1\""),
    });
    let dir = scratch("fetch-signals");
    fs::write(dir.join("out.txt"), "before").expect("written");
    for path in ["/late", "/busy", "/endless"] {
        server.forget();
        let url = server.url(path);
        let args = ["convert", &url, "--to", "text", "-o", "out.txt", "--report", "r.json"];
        let (code, stderr, took) = interrupted(&dir, &args, &server, 1);
        assert_eq!((code, stderr.as_str()), (Some(130), "note: interrupted\n"), "{path}");
        assert!(took < Duration::from_secs(10), "{path} {took:?}");
    }
    assert_eq!(fs::read_to_string(dir.join("out.txt")).expect("an output"), "before");
    let names: Vec<_> = fs::read_dir(&dir).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["out.txt"], "nothing stays");
    // some are there, and one does not come
    let urls = ["/a.txt", "/b.txt", "/late"].map(|path| server.url(path));
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    server.forget();
    let args = ["migrate", "@list", "--to", "text", "--out", "out"];
    let (code, stderr, took) = interrupted(&dir, &args, &server, 3);
    assert_eq!(code, Some(130), "{stderr}");
    assert!(took < Duration::from_secs(10), "{took:?}");
    let torn = fs::read_dir(dir.join("out/.transfeed/fetched")).expect("a folder").flatten();
    let torn = torn.filter(|entry| entry.file_name().to_string_lossy().starts_with(".part-"));
    assert!(torn.count() <= 1, "only what was on its way");
    server.forget();
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--first-byte-timeout", "0.3", "--retries", "0"];
    let ended = common::transfeed(&dir, &args, None);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    let asked = server.asked();
    let whole = asked.iter().filter(|asked| asked.header("if-none-match").is_empty() && asked.path() != "/late");
    assert_eq!(whole.count(), 0, "what was there is not downloaded again");
}

/// A body whose end is missing, and with it everything that would say so but the document.
fn cut_off(body: &[u8]) -> Reply {
    let head = b"HTTP/1.1 200 OK\r\nETag: \"g\"\r\nConnection: close\r\n\r\n";
    Reply::Raw([head, &body[..body.len() - 30]].concat())
}

#[test]
fn a_cut_off_document_is_asked_for_again() {
    let server = Server::start(|asked, before| {
        let whole = if asked.path().ends_with(".gz") { gzip(RSS.as_bytes()) } else { RSS.into() };
        match asked.header("if-none-match") {
            "\"g\"" => Reply::status(304),
            _ if before == 0 => cut_off(&whole),
            _ => Reply::ok(whole).with("ETag", "\"g\""),
        }
    });
    let dir = scratch("fetch-cut");
    for path in ["/a", "/a.xml.gz"] {
        let url = server.url(path);
        let runs: [(&str, &[&str]); 5] = [
            ("convert", &["-o", "one.txt", "--cache", "cache-one"]),
            ("migrate", &["--out", "tree", "--cache", "cache-tree"]),
            ("migrate", &["--out", "merged", "--merge"]),
            ("migrate", &["--out", "named", "--name", "{title}.{ext}"]),
            ("migrate", &["--out", "accepted", "--accept-truncated"]),
        ];
        for (number, (command, more)) in runs.iter().enumerate() {
            server.forget();
            let name = format!("{number}{path}").replace('/', "-");
            let more: Vec<String> = more
                .iter()
                .map(|word| {
                    if word.starts_with('-') || word.contains(['.', '{']) {
                        (*word).to_owned()
                    } else {
                        format!("{word}{name}")
                    }
                })
                .collect();
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            let again = || run(&dir, &[&[*command, &url, "--to", "text"], &more[..]].concat());
            let first = again();
            assert_eq!(first.code == 0, more.contains(&"--accept-truncated"), "{more:?} {}", first.stderr);
            again().ok("the whole document");
            assert_eq!(server.asked()[1].header("if-none-match"), "", "{more:?}");
            again().ok("the same document");
            assert_eq!(server.asked()[2].header("if-none-match"), "\"g\"", "{more:?}");
        }
    }
}

#[test]
fn what_is_no_document_does_not_replace_one_in_the_cache() {
    let server = Server::start(|asked, before| match (before, asked.path()) {
        (0, _) => Reply::ok(RSS).with("ETag", "\"1\""),
        (_, "/json") => Reply::ok("{\"error\":\"down\"}"),
        (_, "/text") => Reply::ok("Service Unavailable, try later"),
        (_, "/cut") => cut_off(RSS.as_bytes()),
        _ => Reply::ok("<div>502</div>"),
    });
    let dir = scratch("fetch-error-pages");
    for path in ["/json", "/text", "/cut", "/xml"] {
        let url = server.url(path);
        let convert =
            |more: &[&str]| run(&dir, &[&["convert", &url, "--to", "text", "--cache", "cache"], more].concat());
        let first = convert(&[]).ok(path).text();
        assert_ne!(convert(&[]).code, 0, "{path}");
        assert_eq!(convert(&["--offline"]).ok(path).text(), first);
    }
}

#[test]
fn force_asks_without_conditions() {
    let server = feeds();
    let dir = scratch("fetch-force");
    let url = server.url("/3.txt");
    for more in [&["--cache", "cache"][..], &["--merge"]] {
        server.forget();
        let migrate = |force: &[&str]| {
            let fixed = ["migrate", &url, "--to", "sitemap", "--out", more[0].trim_start_matches('-')];
            run(&dir, &[&fixed, more, force].concat()).ok("a run");
        };
        migrate(&[]);
        migrate(&["--force"]);
        migrate(&[]);
        let asked: Vec<String> = server.asked().iter().map(|asked| asked.header("if-none-match").to_owned()).collect();
        assert_eq!(asked, ["", "", "\"3\""], "{more:?}");
    }
}

#[test]
fn an_odd_header_is_not_repeated() {
    let dir = scratch("fetch-odd-header");
    fs::write(dir.join("a.rss"), RSS).expect("written");
    for odd in ["Authorization Bearer hunter2", "Authorization: Bearer hunter2\u{fc}"] {
        for command in
            [&["convert", "a.rss", "--to", "text"][..], &["migrate", "a.rss", "--to", "text", "--out", "out"]]
        {
            let mut by_variable = common::program(&dir);
            by_variable.env("TRANSFEED_HEADER", odd).args(command);
            let mut by_option = common::program(&dir);
            by_option.args(command).args(["--header", odd]);
            for mut command in [by_variable, by_option] {
                let output = command.output().expect("a run");
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(2), "{said}");
                assert!(said.contains("cannot use --header") && !said.contains("hunter2"), "{said}");
            }
        }
    }
}

/// The server of lists of moved URLs: /a and /gone moved, but only /a to a feed.
fn movers() -> Server {
    Server::start(|asked, before| match asked.path() {
        "/a" => Reply::to(301, "/b"),
        "/gone" => Reply::to(301, "/home"),
        "/home" => Reply::ok("<!doctype html><html><body>Buy this domain</body></html>"),
        "/late" if before == 0 => Reply::status(404),
        "/two.txt" => Reply::ok(list(1, 2)),
        _ => Reply::ok(RSS),
    })
}

#[test]
fn what_moved_to_a_page_is_not_listed() {
    let server = movers();
    let dir = scratch("fetch-parked");
    let (a, gone) = (server.url("/a"), server.url("/gone"));
    let ended = run(&dir, &["convert", &gone, "--to", "text", "--write-moved", "one.tsv"]);
    assert!(ended.code == 2 && !ended.stderr.contains("moved for good"), "{}", ended.stderr);
    let ended = run(&dir, &["migrate", &gone, &a, "--to", "text", "--out", "out", "--write-moved", "all.tsv"]);
    assert!(ended.code == 3 && ended.stderr.contains("1 URL moved for good; all.tsv lists it"), "{}", ended.stderr);
    assert_eq!(fs::read_to_string(dir.join("all.tsv")).expect("a list"), format!("{a}\t{}\n", server.url("/b")));
    let ended = run(&dir, &["inspect", &a, "--write-moved", "b.tsv"]);
    assert!(ended.code == 0 && fs::read_to_string(dir.join("b.tsv")).expect("a list").starts_with(&a));
}

#[test]
fn pages_with_players_are_documents_where_these_are_asked_for() {
    let page = "<html><head><title>Frogs</title></head><body><iframe src='https://www.youtube.com/embed/abcdefghijk'></iframe></body></html>";
    let server = Server::start(move |asked, _| match asked.path() {
        "/player" => Reply::ok(page),
        _ => Reply::ok("<html><head><title>Toads</title></head><body>None</body></html>"),
    });
    let dir = scratch("fetch-players");
    let (player, none) = (server.url("/player"), server.url("/none"));
    let args =
        ["migrate", &player, &none, "--to", "video-sitemap", "--for", "none", "--out", "out", "--report", "all.json"];
    let plain = run(&dir, &args);
    assert!(plain.code == 3 && plain.stderr.contains("an HTML page, not a feed"), "{} {}", plain.code, plain.stderr);
    let ended = run(&dir, &[&args[..], &["--videos-from-html"]].concat());
    assert!(ended.code == 3 && ended.stderr.contains("an HTML page, not a feed"), "{} {}", ended.code, ended.stderr);
    let counts = json(&dir.join("all.json"))["counts"].clone();
    assert_eq!((&counts["done"], &counts["failed"]), (&1.into(), &1.into()), "{counts}");
    let out = fs::read_to_string(&outputs(&dir)[0]).expect("an output");
    assert!(out.contains("https://www.youtube.com/embed/abcdefghijk"), "{out}");
}

#[test]
fn a_list_of_what_moved_stays_whole() {
    let server = movers();
    let dir = scratch("fetch-moved-whole");
    let (a, late) = (server.url("/a"), server.url("/late"));
    let migrate = |more: &[&str]| {
        let fixed = ["migrate", &a, &late, "--to", "text", "--out", "out", "--write-moved", "moved.tsv"];
        run(&dir, &[&fixed, more].concat())
    };
    let list = || fs::read_to_string(dir.join("moved.tsv")).expect("a list");
    assert_eq!(migrate(&["--dry-run"]).code, 3);
    assert!(!dir.join("moved.tsv").exists(), "a dry run writes only reports");
    server.forget();
    assert_eq!(migrate(&[]).code, 3);
    let first = list();
    assert!(first.starts_with(&a), "{first}");
    migrate(&["--retry-failed"]).ok("a retry");
    assert_eq!(list(), first, "what was not asked for still moved");
}

#[test]
fn the_list_of_what_moved_replaces_nothing_of_the_run() {
    let server = movers();
    let dir = scratch("fetch-moved-clash");
    let (a, two) = (server.url("/a"), server.url("/two.txt"));
    fs::write(dir.join("netrc"), "machine pond.example login a password b\n").expect("written");
    let out = format!("out/127.0.0.1_{}/a.txt", server.port());
    let refused = |args: &[&str], says: &str| {
        let mut command = common::program(&dir);
        let output = command.env("NETRC", "netrc").args(args).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(says), "{args:?} {said}");
    };
    let other = "pass another file to --write-moved";
    refused(&["migrate", &a, "--to", "text", "--out", "out", "--write-moved", &out], other);
    refused(&["convert", &a, "--to", "text", "--netrc", "--write-moved", "netrc"], other);
    refused(&["convert", &a, "--to", "text", "--write-moved", "none/moved.tsv"], "its folder does not exist");
    refused(&["migrate", &a, "--to", "text", "--out", "out", "--write-moved", "none/moved.tsv"], "does not exist");
    assert!(server.asked().is_empty() && !dir.join("out").exists(), "nothing is done before");
    let args = [
        "convert",
        &a,
        &two,
        "--to",
        "sitemap",
        "-o",
        "s.xml",
        "--split",
        "1",
        "--index-base",
        "https://pond.example/",
    ];
    refused(&[&args[..], &["--write-moved", "s-0001.xml"]].concat(), "s-0001.xml");
    assert!(fs::read_to_string(dir.join("netrc")).expect("a file").starts_with("machine"));
}

#[test]
fn a_shard_without_a_url_is_done() {
    let server = feeds();
    let dir = scratch("fetch-empty-shard");
    fs::write(dir.join("list"), server.url("/1.txt\n")).expect("written");
    for shard in ["1/2", "2/2"] {
        run(&dir, &["migrate", "@list", "--to", "text", "--out", "out", "--shard", shard]).ok(shard);
        run(&dir, &["migrate", &server.url("/1.txt"), "--to", "text", "--out", "out", "--shard", shard]).ok(shard);
    }
}

#[test]
fn a_cache_is_needed_to_be_offline() {
    let dir = scratch("fetch-offline");
    for args in [&["convert", "https://pond.example/", "--to", "text"][..], &["inspect", "https://pond.example/"]] {
        let ended = run(&dir, &[args, &["--offline"]].concat());
        assert!(ended.code == 2 && ended.stderr.contains("an earlier run to --cache"), "{}", ended.stderr);
    }
    let settings =
        "[job.nightly]\ncommand = \"migrate\"\ninputs = [\"https://pond.example/\"]\nto = \"text\"\nout = \"out\"\n";
    fs::write(dir.join("transfeed.toml"), settings).expect("written");
    let ended = common::transfeed(&dir, &["run", "nightly", "--offline"], None);
    assert!(ended.code == 2 && ended.stderr.contains("an earlier run to --cache"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("--out"), "{}", ended.stderr);
}

/// Without validators no server can say that nothing changed, so what an interrupted run fetched is used.
#[cfg(unix)]
#[test]
fn an_interrupted_run_gets_ahead() {
    if common::is_ignored("INT") {
        return;
    }
    let server = Server::start(|asked, _| match asked.path() {
        "/late" => Reply::Late(Duration::from_secs(2), Box::new(Reply::ok(list(9, 2)))),
        _ => Reply::ok(list(1, 2)),
    });
    let dir = scratch("fetch-ahead");
    let urls = ["/a.txt", "/b.txt", "/late"].map(|path| server.url(path));
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out"];
    let (code, stderr, _) = interrupted(&dir, &args, &server, 3);
    assert_eq!(code, Some(130), "{stderr}");
    let paths = || server.asked().iter().map(|asked| asked.path().to_owned()).collect::<Vec<_>>();
    server.forget();
    run(&dir, &args).ok("the rest");
    assert_eq!(paths(), ["/late"]);
    server.forget();
    run(&dir, &args).ok("another night");
    assert_eq!(paths().len(), 3, "a run that is complete is not resumed");
}

#[test]
fn inspect_reads_the_parts_of_an_index() {
    let server = site();
    let dir = scratch("fetch-inspect-index");
    let index = server.url("/index.xml");
    let ended = run(&dir, &["inspect", &index, "--json"]);
    assert!(ended.stderr.contains("--follow-remote fetches them"), "{}", ended.stderr);
    let inputs = |ended: Run| {
        let found: Value = serde_json::from_str(&ended.text()).expect("JSON");
        let inputs = found["inputs"].as_array().expect("inputs").clone();
        inputs.iter().map(|input| input["fetched"]["url"].as_str().expect("a URL").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(inputs(ended), std::slice::from_ref(&index));
    let parts = ["/one.xml", "/two.xml.gz"].map(|path| server.url(path));
    assert_eq!(inputs(run(&dir, &["inspect", &index, "--follow-remote", "--json"]).ok("the parts")), parts);
    let robots = server.url("/robots.txt");
    assert_eq!(inputs(run(&dir, &["inspect", &robots, "--follow-remote", "--json"]).ok("a robots.txt")), parts);
}

#[test]
fn a_part_that_is_missing_costs_no_other() {
    let part = |page: &str| {
        format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{page}</loc></url></urlset>")
    };
    let server = Server::start(move |asked, _| {
        let host = asked.header("host");
        let listed = |path: &str| format!("<sitemap><loc>http://{host}{path}</loc></sitemap>");
        match asked.path() {
            "/index.xml" => Reply::ok(format!(
                "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}{}\
                 <sitemap><loc>ftp://{host}/x.xml</loc></sitemap>{}{}</sitemapindex>",
                listed("/one.xml"),
                listed("/gone.xml"),
                listed("/cut.xml"),
                listed("/two.xml")
            )),
            "/one.xml" => Reply::ok(part("no url")),
            "/two.xml" => Reply::Late(Duration::from_millis(400), Box::new(Reply::ok(part("no url either")))),
            "/cut.xml" => Reply::ok("<urlset><url>"),
            _ => Reply::status(404),
        }
    });
    let dir = scratch("fetch-missing-part");
    let index = server.url("/index.xml");
    let ended = run(&dir, &["validate", &index, "--follow-remote", "--format", "json"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    let found: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let files: Vec<&str> = found["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| file["source"]["name"].as_str().expect("a name"))
        .collect();
    for path in ["/one.xml", "/two.xml"] {
        assert!(files.contains(&server.url(path).as_str()), "{files:?}");
    }
    let ended = run(&dir, &["inspect", &index, "--follow-remote", "--json"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    for part in ["/gone.xml: not found (404)", "ftp://"] {
        assert_eq!(ended.stderr.matches(part).count(), 1, "{}", ended.stderr);
    }
    let found: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let inputs: Vec<Value> = found["inputs"].as_array().expect("inputs").clone();
    for path in ["/one.xml", "/two.xml"] {
        assert!(inputs.iter().any(|input| input["fetched"]["url"] == server.url(path)), "{found}");
    }
    let ended = run(&dir, &["inspect", &index, "--follow-remote", "--progress", "always"]);
    assert!(ended.stderr.contains("document 4 of 4 from 127.0.0.1"), "{}", ended.stderr);
    // an output without one of them would look whole
    let ended = run(&dir, &["convert", &index, "--follow-remote", "--to", "text", "-o", "all.txt"]);
    assert!(ended.code == 2 && !dir.join("all.txt").exists(), "{}", ended.stderr);
}

#[test]
fn a_robots_txt_that_must_be_waited_for_holds_up_no_other() {
    let server = Server::start(|asked, before| match asked.path() {
        "/robots.txt" if before == 0 => Reply::status(503).with("Retry-After", "1"),
        "/robots.txt" => Reply::ok("Sitemap: /list.txt\n"),
        "/list.txt" => Reply::ok(list(1, 2)),
        path if path.starts_with("/page") => Reply::ok("<!doctype html><title>A</title>"),
        _ => Reply::ok(RSS),
    });
    let dir = scratch("fetch-robots");
    let pages = ["/page1", "/page2"].map(|path| server.url(path) + "\n").concat();
    let feeds: String = (2..42).map(|n| format!("http://127.0.0.{n}:{}/feed\n", server.port())).collect();
    fs::write(dir.join("list"), pages + &feeds).expect("written");
    let args = ["migrate", "@list", "--discover", "--allow-private", "--to", "text", "--out", "out"];
    run(&dir, &args).ok("all answer in the end");
    let asked = server.asked();
    let places = |path: &str| {
        let at = asked.iter().enumerate().filter(|(_, asked)| asked.path() == path);
        at.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let (feeds, robots, lists) = (places("/feed"), places("/robots.txt"), places("/list.txt"));
    assert_eq!((feeds.len(), robots.len(), lists.len()), (40, 2, 1), "one site, and its robots.txt once again");
    assert!(feeds.iter().all(|place| *place < robots[1]), "{feeds:?} {robots:?}");
}

#[test]
fn links_of_a_page_have_its_base_and_nothing_is_dropped() {
    let many = 50_001;
    let server = Server::start(move |asked, _| match asked.path() {
        "/base" => Reply::ok(
            "<!doctype html><html><head><base href=\"/blog/\"><script>for(i=0;i<n;i++){} // don't\n</script>\
             <link rel=alternate type=application/rss+xml href=feed.rss></head></html>",
        ),
        "/robots.txt" if asked.header("host").starts_with("127.0.0.2") => {
            Reply::ok((0..many).map(|n| format!("Sitemap: /{n}.xml\n")).collect::<String>())
        }
        "/robots.txt" => Reply::ok("Sitemap: ftp://127.0.0.1/x.xml\n"),
        _ => Reply::ok(RSS),
    });
    let dir = scratch("fetch-links");
    let base = server.url("/base");
    let found = run(&dir, &["inspect", &base]).ok("a page");
    assert!(found.stderr.contains("ftp://127.0.0.1/x.xml"), "{}", found.stderr);
    assert!(found.text().contains(&server.url("/blog/feed.rss")), "{}", found.text());
    let ended = run(&dir, &["migrate", &base, "--discover", "--to", "text", "--out", "out"]);
    assert!(ended.code == 3 && ended.stderr.contains("ftp://127.0.0.1/x.xml"), "{}", ended.stderr);
    assert!(dir.join(format!("out/127.0.0.1_{}/blog/feed.txt", server.port())).is_file());
    let ended = run(&dir, &["inspect", &base.replace("127.0.0.1", "127.0.0.2")]);
    assert!(ended.code == 2 && ended.stderr.contains("it names more than 50000"), "{}", ended.stderr);
}

#[test]
fn a_wait_for_other_requests_is_no_delay_of_the_server() {
    let server = Server::start(|asked, _| match asked.header("host").starts_with("127.0.0.2:") {
        true => Reply::Late(Duration::from_millis(250), Box::new(Reply::ok(list(1, 2)))),
        false => Reply::to(
            302,
            &format!("http://127.0.0.2:{}{}", asked.header("host").split(':').nth(1).unwrap_or(""), asked.path()),
        ),
    });
    let dir = scratch("fetch-turns");
    let urls: String = (10..26).map(|n| format!("http://127.0.0.{n}:{}/{n}.txt\n", server.port())).collect();
    fs::write(dir.join("list"), urls).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--allow-private", "--timeout", "1.2"];
    common::transfeed(&dir, &[&args[..], &["--retries", "0"]].concat(), None).ok("sixteen, two at a time");
}

#[test]
fn a_host_that_does_not_answer_is_given_up() {
    let server = Server::start(|asked, _| match asked.header("host").starts_with("127.0.0.2:") {
        true => Reply::Late(Duration::from_secs(3), Box::new(Reply::ok(list(1, 2)))),
        false => Reply::ok(list(1, 2)),
    });
    let dir = scratch("fetch-dead");
    let urls: String = (0..30).map(|n| format!("http://127.0.0.{}:{}/{n}.txt\n", 1 + n % 2, server.port())).collect();
    fs::write(dir.join("list"), urls).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--first-byte-timeout", "0.2", "--json"];
    let ended = run(&dir, &args);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    let dead = server.asked().iter().filter(|asked| asked.header("host").starts_with("127.0.0.2:")).count();
    assert!((12..=18).contains(&dead), "{dead} requests, three for each of four documents");
    let told = ended.text();
    let done = told.lines().filter(|line| line.contains("\"status\":\"done\"")).count();
    assert_eq!((done, told.matches("did not answer the requests before").count() > 8), (15, true), "{told}");
}

#[test]
fn an_index_elsewhere_and_sitemaps_that_were_not_checked_are_noted() {
    let server = site();
    let dir = scratch("fetch-noted");
    let (robots, index) = (server.url("/robots.txt"), server.url("/index.xml"));
    let args = ["convert", &robots, "--follow-remote", "--to", "sitemap", "-q", "-o", "sp.xml"];
    // several documents have no URL that parts could be next to
    let ended = run(&dir, &[&args[..], &["--split", "1"]].concat());
    assert!(ended.code == 2 && ended.stderr.contains("--index-base"), "{}", ended.stderr);
    let many = Server::start(|_, _| Reply::ok(list(1, 2)));
    let url = many.url("/feeds/a.txt");
    let args = [&["convert", &url], &args[3..], &["--split", "1"]].concat();
    let ended = run(&dir, &args).ok("two parts");
    let says = format!("warning: the index names the parts below {}; pass --index-base", many.url("/feeds/"));
    assert!(ended.stderr.contains(&says), "{}", ended.stderr);
    let ended = run(&dir, &[&args[..], &["--index-base", "https://pond.example/"]].concat()).ok("a place");
    assert_eq!(ended.stderr, "");
    let ended = run(&dir, &["validate", &index, "-q"]).ok("an index");
    assert!(ended.stderr.contains("2 sitemaps listed, not checked; pass --follow-remote"), "{}", ended.stderr);
    let ended = run(&dir, &["validate", &index]).ok("an index");
    assert!(
        ended.text().contains("2 sitemaps listed, not checked (--follow-remote), nothing found"),
        "{}",
        ended.text()
    );
}

#[test]
fn a_summary_shows_what_was_asked_for() {
    let server = Server::start(|asked, _| tagged(asked, "\"1\"", RSS));
    let dir = scratch("fetch-summary");
    fs::write(dir.join("list"), format!("{}\n{}\n", server.url("/a.rss"), server.url("/b.rss"))).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--report", "r.json"];
    let first = run(&dir, &args).ok("the first run").stderr;
    let bytes = 2 * RSS.len();
    assert!(first.contains(&format!("fetched   2 documents: {bytes} B")) && first.contains("values "), "{first}");
    let second = run(&dir, &args).ok("the second run").stderr;
    assert!(second.contains("fetched   2 documents: 2 unchanged (304), 0 B\n"), "{second}");
    assert!(second.contains("2 up to date") && !second.contains("values "), "{second}");
    assert_eq!(json(&dir.join("r.json"))["fetched"]["unchanged"], 2);
    // an input that is gone is named with its output
    fs::write(dir.join("list"), server.url("/b.rss")).expect("written");
    let third = run(&dir, &args).ok("one less").stderr;
    let output = format!("127.0.0.1_{}/a.txt", server.port());
    assert!(third.contains(&format!("outputs are kept, as {output}: delete it if you do not need it")), "{third}");
    assert_eq!(json(&dir.join("r.json"))["kept_outputs"][0], output);
}

#[test]
fn a_run_that_is_refused_leaves_nothing_behind() {
    let server = Server::start(|_, _| Reply::ok(list(1, 2)));
    let dir = scratch("fetch-refused");
    let url = server.url("/a.txt");
    let args = ["migrate", &url, "--to", "text", "--out", "out", "--retry-failed"];
    let ended = run(&dir, &args);
    assert!(ended.code == 2 && ended.stderr.contains("no previous run"), "{}", ended.stderr);
    assert!(server.asked().is_empty() && !dir.join("out").exists());
    // what is known only after the documents are there
    let args = ["migrate", &url, "--to", "text", "--out", "out", "--report", "out/127.0.0.1/x.json"];
    let name = format!("out/127.0.0.1_{}/a.txt", server.port());
    let ended = run(&dir, &[&args[..6], &["--report", &name]].concat());
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(!dir.join("out/.transfeed/running").exists(), "no mark of a run");
}

#[test]
fn hosts_that_must_be_waited_for_hold_up_no_other() {
    // more of them than there are threads: they answer themselves, or lead to one that does
    for is_redirected in [false, true] {
        let server = Server::start(move |asked, before| {
            let host = asked.header("host").to_owned();
            let (name, port) = host.split_once(':').expect("a port");
            match name {
                "127.0.0.1" => Reply::ok(list(1, 2)),
                "127.0.0.99" if before > 1 => Reply::ok(list(1, 2)),
                "127.0.0.99" => Reply::status(429).with("Retry-After", "2"),
                _ if is_redirected => Reply::to(302, &format!("http://127.0.0.99:{port}{}", asked.path())),
                _ if before > 0 => Reply::ok(list(1, 2)),
                _ => Reply::status(429).with("Retry-After", "2"),
            }
        });
        let dir = scratch("fetch-hold-up");
        let slow = (2..22).map(|n| format!("http://127.0.0.{n}:{}/{n}.txt\n", server.port()));
        fs::write(dir.join("list"), slow.collect::<String>() + &server.url("/healthy.txt")).expect("written");
        let args = ["migrate", "@list", "--to", "text", "--out", "out", "--allow-private", "--retries", "20"];
        common::transfeed(&dir, &args, None).ok("all answer in the end");
        let asked = server.asked();
        let healthy = asked.iter().position(|asked| asked.path() == "/healthy.txt").expect("a request");
        let slow =
            |asked: &&Asked| asked.path() == "/2.txt" && !(is_redirected && asked.header("host").contains(".99"));
        let again = asked.iter().enumerate().filter(|(_, asked)| slow(asked)).nth(1).expect("a repetition").0;
        assert!(healthy < again, "{healthy} {again}");
    }
}

#[test]
fn a_host_that_asks_to_wait_long_is_given_up() {
    let server = Server::start(|_, _| Reply::status(429).with("Retry-After", "3600"));
    let dir = scratch("fetch-busy");
    let urls: Vec<String> = (0..40).map(|number| server.url(&format!("/{number}"))).collect();
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let done = common::transfeed(&dir, &["migrate", "@list", "--to", "text", "--out", "out"], None);
    assert_eq!(done.code, 3, "{}", done.stderr);
    assert!(server.asked().len() < 8, "{} requests", server.asked().len());
    assert!(done.stderr.contains("was too busy for the requests before this one"), "{}", done.stderr);
}

#[test]
fn a_host_that_refuses_everything_is_given_up() {
    let server = Server::start(|_, _| Reply::status(429).with("Retry-After", "0"));
    let dir = scratch("fetch-refuses");
    let urls: Vec<String> = (0..40).map(|number| server.url(&format!("/{number}"))).collect();
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let done = common::transfeed(&dir, &["migrate", "@list", "--to", "text", "--out", "out", "--retries", "1"], None);
    assert_eq!(done.code, 3, "{}", done.stderr);
    assert!(server.asked().len() < 16, "{} requests", server.asked().len());
    assert!(done.stderr.contains("was too busy for the requests before this one"), "{}", done.stderr);
}

#[test]
fn a_dead_port_is_not_its_host() {
    let server = Server::start(|_, _| Reply::ok(list(1, 2)));
    let dead = std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port");
    let dir = scratch("fetch-dead-port");
    let mut urls: Vec<String> = (0..12).map(|number| format!("http://{dead}/{number}")).collect();
    urls.push(server.url("/list.txt"));
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--retries", "0", "--allow-private"];
    let done = common::transfeed(&dir, &args, None);
    assert_eq!((done.code, server.asked().len()), (3, 1), "{}", done.stderr);
    assert!(done.stderr.contains("did not answer the requests before this one"), "{}", done.stderr);
}

#[test]
fn a_host_behind_redirects_is_waited_for_there() {
    let server = Server::start(|asked, times| match asked.path().split_once("/to") {
        Some((_, path)) => {
            Reply::to(302, &format!("http://{}{path}", asked.header("host").replace("127.0.0.1", "127.0.0.9")))
        }
        None if times == 0 => Reply::status(429).with("Retry-After", "1"),
        None => Reply::ok(list(1, 2)),
    });
    let dir = scratch("fetch-redirected");
    let urls: Vec<String> = (0..6).map(|number| server.url(&format!("/to/{number}"))).collect();
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--allow-private"];
    common::transfeed(&dir, &args, None).ok("all answer in the end");
    let redirects = server.asked().iter().filter(|asked| asked.path().starts_with("/to")).count();
    // a repetition begins with the URL of the list, a wait does not
    assert!(redirects <= 12, "{redirects} requests for 6 redirects");
}

#[test]
fn documents_that_wait_hold_no_connection() {
    let server = Server::start(|asked, _| match asked.path().ends_with("0.txt") {
        true => Reply::status(500),
        false => Reply::ok(list(1, 2)),
    });
    let dir = scratch("fetch-own-waits");
    let urls: Vec<String> = (0..40).map(|number| server.url(&format!("/{number}.txt"))).collect();
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--retries", "1", "--retry-wait", "2"];
    let done = common::transfeed(&dir, &args, None);
    assert_eq!(done.code, 3, "{}", done.stderr);
    let asked: Vec<String> = server.asked().iter().map(|asked| asked.path().to_owned()).collect();
    let again = asked.iter().enumerate().find(|(at, path)| asked[..*at].contains(path)).expect("a repetition").0;
    assert!(again >= 40, "all others first: {asked:?}");
}

#[test]
fn a_merged_output_that_stays_has_the_answers_of_its_run() {
    let state = Arc::new(AtomicBool::new(false));
    let fails = Arc::clone(&state);
    let server = Server::start(move |asked, _| match asked.path() {
        "/2.txt" if fails.load(Ordering::Relaxed) => Reply::status(404),
        _ if asked.header("if-none-match") == "\"1\"" => Reply::status(304),
        path => Reply::ok(list(10 * path[1..2].parse().unwrap_or(0), 2)).with("ETag", "\"1\""),
    });
    let dir = scratch("fetch-merged-again");
    let urls: Vec<String> = (0..3).map(|number| server.url(&format!("/{number}.txt"))).collect();
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--merge", "--report", "report.json"];
    let statuses = |code: i32| {
        let done = common::transfeed(&dir, &args, None);
        assert_eq!(done.code, code, "{}", done.stderr);
        let report = json(&dir.join("report.json"));
        let files = report["files"].as_array().expect("files").iter();
        let fetched = files.flat_map(|file| file["fetched"].as_array().cloned().unwrap_or_default());
        let mut statuses: Vec<u64> = fetched.filter_map(|one| one["status"].as_u64()).collect();
        statuses.sort_unstable();
        statuses
    };
    assert_eq!(statuses(0), [200, 200, 200]);
    assert_eq!(statuses(0), [304, 304, 304]);
    state.store(true, Ordering::Relaxed);
    assert_eq!(statuses(3), [304, 304, 404]);
}

#[test]
fn a_failed_night_is_no_reason_to_write_again() {
    let state = Arc::new(AtomicBool::new(false));
    let fails = Arc::clone(&state);
    let server = Server::start(move |_, _| match fails.load(Ordering::Relaxed) {
        true => Reply::status(404),
        false => Reply::ok(list(1, 2)),
    });
    let dir = scratch("fetch-failed-night");
    fs::write(dir.join("list"), server.url("/a.txt")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out"];
    let night = |code: i32| {
        let done = common::transfeed(&dir, &args, None);
        assert_eq!(done.code, code, "{}", done.stderr);
        done.stderr
    };
    night(0);
    assert!(night(0).contains("1 up to date"));
    state.store(true, Ordering::Relaxed);
    night(3);
    state.store(false, Ordering::Relaxed);
    assert!(night(0).contains("1 up to date"), "without validators its hash is compared");
}

#[test]
fn jobs_are_listed_without_secrets() {
    let dir = scratch("fetch-job-secrets");
    let file = "[job.nightly]\ncommand = \"migrate\"\ninputs = [\"http://bob:PASSWORD@pond.invalid/feed\"]\n\
                to = \"text\"\nout = \"out\"\nheader = [\"Authorization: Bearer TOKEN\"]\n";
    fs::write(dir.join("transfeed.toml"), file).expect("written");
    let done = common::transfeed(&dir, &["run"], None);
    let listed = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.code == 0 && listed.contains("pond.invalid/feed") && listed.contains("Authorization"), "{listed}");
    assert!(!listed.contains("PASSWORD") && !listed.contains("TOKEN"), "{listed}");
}

#[test]
fn a_document_that_changes_between_two_inputs_stays_readable() {
    let server = Server::start(|_, times| Reply::ok(list(10 * times, 2)));
    let url = server.url("/list.txt");
    for to in ["text", "sitemap", "jsonl"] {
        let dir = scratch(&format!("fetch-changes-{to}"));
        let args = ["convert", &url, &server.url("/other.txt"), &url, "--cache", "c", "--to", to, "-o", "out"];
        common::transfeed(&dir, &args, None).ok("both answers are read");
        let bodies = fs::read_dir(dir.join("c")).expect("a cache").flatten();
        let bodies = bodies.filter(|entry| entry.file_name().to_string_lossy().ends_with(".body")).count();
        assert_eq!(bodies, 2, "{to}: the older body goes at the end");
    }
}

#[test]
fn a_run_that_ends_at_a_failure_keeps_what_it_fetched() {
    let server = Server::start(|asked, _| match asked.path() {
        "/00" => Reply::ok("no feed at all"),
        path => Reply::ok(list(path[1..].parse().unwrap_or(0), 2)),
    });
    let dir = scratch("fetch-fail-fast");
    let urls: Vec<String> = (0..12).map(|number| server.url(&format!("/{number:02}"))).collect();
    fs::write(dir.join("list"), urls.join("\n")).expect("written");
    let args = ["migrate", "@list", "--to", "text", "--out", "out", "--fail-fast", "-j", "1"];
    let done = common::transfeed(&dir, &args, None);
    assert_eq!(done.code, 3, "{}", done.stderr);
    server.forget();
    let done = common::transfeed(&dir, &args[..6], None);
    assert_eq!(done.code, 3, "{}", done.stderr);
    assert!(server.asked().len() <= 2, "{} requests", server.asked().len());
}

#[test]
fn a_list_may_begin_with_a_mark() {
    let server = feeds();
    let dir = scratch("fetch-mark");
    fs::write(dir.join("list"), format!("\u{feff}{}\r\n", server.url("/1.txt"))).expect("written");
    run(&dir, &["migrate", "@list", "--to", "text", "--out", "out"]).ok("a list of another system");
}

/// Without the sign before its name, a list of feeds is a document itself.
#[test]
fn a_list_of_feeds_without_its_sign_is_noted() {
    let dir = scratch("fetch-sign");
    fs::write(
        dir.join("feeds.txt"),
        "https://pond.example/a.rss\nhttps://pond.example/feed/\nhttps://pond.example/c\n",
    )
    .expect("written");
    fs::write(dir.join("pages.txt"), list(1, 3)).expect("written");
    let note = "note: feeds.txt: a list of feeds, converted itself; transfeed migrate @feeds.txt";
    let ended = run(&dir, &["migrate", "feeds.txt", "pages.txt", "--to", "sitemap", "--out", "out"]).ok("a list");
    assert!(ended.stderr.contains(note) && !ended.stderr.contains("@pages.txt"), "{}", ended.stderr);
    let ended = run(&dir, &["convert", "feeds.txt", "--to", "sitemap"]).ok("a list");
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
}

/// The document of this name, in docs.
fn guide(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).expect("a document")
}

/// A document's command, run by a shell with the program.
fn typed(dir: &Path, command: &str) -> Run {
    let command = command.replacen("transfeed ", "\"$0\" ", 1);
    let output = common::shell(dir, &command).output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Run { code: output.status.code().unwrap_or(-1), stdout: output.stdout, stderr }
}

/// The commands of docs/fetch.md, for a server on this machine.
#[test]
fn the_commands_of_the_document_run() {
    let server = Server::start(|asked, _| match asked.path() {
        "/" => Reply::ok(
            "<!doctype html><html><head><link rel=alternate type=application/rss+xml title=News href=/feed.rss></head></html>",
        ),
        "/robots.txt" => Reply::ok("Sitemap: /sitemap.xml\n"),
        "/sitemap.xml" => Reply::ok(list(1, 2)),
        "/catalogue.mrss" => Reply::ok(include_str!("../samples/catalogue.mrss")),
        _ => Reply::ok(RSS),
    });
    let dir = scratch("fetch-commands");
    fs::write(dir.join("feeds.txt"), server.url("/feed.rss\n") + &server.url("/catalogue.mrss\n")).expect("written");
    let text = guide("fetch.md").replace("https://example.com", &server.url(""));
    let (mut commands, mut said) = (0, String::new());
    // a command, then lines of its output
    for line in text.lines().filter_map(|line| line.strip_prefix("    ")) {
        if line.starts_with("transfeed ") {
            let ended = typed(&dir, line).ok(line);
            said = ended.text() + &ended.stderr;
            commands += 1;
        } else if line.starts_with("test ") {
            fs::write(dir.join("moved.tsv"), server.url("/feed.rss\thttps://pond.example/new\n")).expect("written");
            typed(&dir, line).ok(line);
            let list = fs::read_to_string(dir.join("feeds.new")).expect("a list");
            assert_eq!(list, format!("https://pond.example/new\n{}\n", server.url("/catalogue.mrss")));
        } else {
            assert!(said.contains(line), "{line}: {said}");
        }
    }
    assert_eq!(commands, 5);
    assert!(dir.join("videos.xml").is_file());
    assert!(dir.join(format!("sitemaps/127.0.0.1_{}/feed.xml", server.port())).is_file());
}

/// Job 14 of the guide, three nights: its settings, and the command of its line for cron.
#[test]
fn the_nights_of_the_guide_are_as_it_says() {
    const FEED: &str = "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>T</title>\
        <link>https://pond.example/</link><description>D</description><item><title>A</title><link>https://pond.example/N</link>\
        <media:content url=\"https://pond.example/N.mp4\" type=\"video/mp4\" duration=\"60\"><media:title>A</media:title>\
        <media:description>It croaks.</media:description><media:thumbnail url=\"https://pond.example/N.jpg\"/></media:content>\
        </item></channel></rss>";
    let night = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(1));
    let now = std::sync::Arc::clone(&night);
    let server = Server::start(move |asked, _| {
        let number: usize = asked.path().trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
        let broken = match now.load(std::sync::atomic::Ordering::Relaxed) {
            1 => 0,
            2 => 1,
            _ => 3,
        };
        match asked.path() {
            "/old/0.rss" => Reply::to(301, "/0.rss"),
            _ if number > 0 && number <= broken => Reply::ok("<!doctype html><html><body>maintenance</body></html>"),
            _ if asked.header("if-none-match") == "\"1\"" => Reply::status(304),
            _ => Reply::ok(FEED.replace('N', &number.to_string())).with("ETag", "\"1\""),
        }
    });
    let dir = scratch("fetch-nights");
    let text = guide("guide.md");
    let job = text.split("## 14. Every night, from URLs").nth(1).expect("the job");
    let settings = job.split("```toml file=transfeed.toml\n").nth(1).and_then(|rest| rest.split("```").next());
    fs::write(dir.join("transfeed.toml"), settings.expect("the settings")).expect("written");
    let cron = job.lines().find_map(|line| line.split_once("cd /srv/feeds && ")).expect("the line for cron").1;
    let cron = &cron.replace("/usr/local/bin/", "");
    let urls = (1..60).map(|n| server.url(&format!("/{n}.rss\n")));
    fs::write(dir.join("feeds.txt"), server.url("/old/0.rss\n") + &urls.collect::<String>()).expect("written");
    let outputs = || {
        let mut files = Vec::new();
        common::files(dir.join("sitemaps"), &mut files);
        files.retain(|file| !file.to_string_lossy().contains("/."));
        files.sort();
        let read = |file: &std::path::PathBuf| (file.clone(), fs::read(file).expect("an output"));
        files.iter().map(read).collect::<Vec<_>>()
    };
    let first = typed(&dir, cron).ok("the first night");
    let (before, moved) = (outputs(), fs::read_to_string(dir.join("moved.tsv")).expect("a list"));
    assert_eq!((before.len(), first.stderr.as_str()), (60, ""));
    assert_eq!(moved, format!("{}\t{}\n", server.url("/old/0.rss"), server.url("/0.rss")));
    server.forget();
    night.store(2, std::sync::atomic::Ordering::Relaxed);
    let failed = server.url("/1.rss");
    let second = typed(&dir, cron).ok("the second night, when one of 60 is a page");
    assert!(second.stderr.contains(&failed), "{}", second.stderr);
    assert_eq!(outputs(), before, "the output of the feed that failed is kept");
    let asked = server.asked();
    let whole = asked.iter().filter(|asked| asked.header("if-none-match").is_empty());
    assert!(whole.clone().all(|asked| asked.path() == "/old/0.rss"), "{:?}", whole.collect::<Vec<_>>());
    let summary = json(&dir.join("reports/summary.json"));
    assert_eq!((&summary["counts"]["unchanged"], &summary["counts"]["failed"]), (&59.into(), &1.into()));
    assert!(summary.to_string().contains(&failed));
    assert!(fs::read_to_string(dir.join("reports/summary.html")).expect("a page").contains(&failed));
    night.store(3, std::sync::atomic::Ordering::Relaxed);
    let third = typed(&dir, cron);
    assert_eq!(third.code, 1, "{}", third.stderr);
    assert_eq!(outputs(), before);
}
