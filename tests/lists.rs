//! Lists of addresses are read a short way, line by line, where a line says nothing else. Whoever asks for every
//! occurrence has them read the usual way: both must write the same and book the same.

use transfeed::convert::{Bytes, Conversion, Input};
use transfeed::format;
use transfeed::options::{Options, Profile, TitleSource};
use transfeed::report;

use crate::common;
use crate::generate::Random;

/// The output and the report; with `full`, every occurrence is asked for. Nothing of a feed for Yandex, which is refused.
fn converted(list: &[u8], to: &'static format::Format, options: &Options, full: bool) -> Option<(String, String)> {
    let (mut out, mut lines, mut told) = (Vec::new(), Vec::new(), Vec::new());
    let conversion = Conversion::to(to).with(options.clone());
    let input = Bytes { name: "-", bytes: list };
    let inputs: [&dyn Input; 1] = [&input];
    let summary = if full {
        conversion.run(&inputs, &mut out, Some(&mut lines))
    } else {
        conversion.run(&inputs, &mut out, None)
    };
    let summary = match summary {
        Err(error) if options.profile == Profile::Yandex && error.to_string().contains("for Yandex") => return None,
        summary => summary.expect("a list can be converted"),
    };
    report::json(&summary, to, "", &mut told).expect("a report");
    Some((String::from_utf8(out).expect("text"), String::from_utf8(told).expect("text")))
}

/// A line of a list, mostly an address in normal form.
fn line(random: &mut Random, number: usize) -> String {
    let host = random.pick(&["example.com", "www.example.org", "cdn-1.example.net"]);
    let path = random.pick(&["watch", "a.b/c-d_e~f", "index.php", "", "a//b/", "(x);y=1,2", "'q'"]);
    let query = random.pick(&["", "?v=1", "?a=1&b=2&c=3", "?q=*!$@:"]);
    let plain = format!("https://{host}/{path}/{number}{query}");
    if random.chance(80) {
        return plain;
    }
    let odd = [
        format!("{plain}#part"),
        format!(" {plain}\t"),
        plain.to_uppercase(),
        plain.replace("https:", "HTTP:"),
        plain.replace("/watch", "/./watch/.."),
        format!("{plain}%2f%zz"),
        format!("{plain}ж"),
        format!("{plain} and words"),
        format!("{plain}&amp;x"),
        format!("{plain}/{}", "long".repeat(random.below(600))),
        format!("https://{host}"),
        format!("https://{host}/watch/{}", random.below(40)),
        format!("# {plain}"),
        format!("\u{feff}{plain}"),
        "ftp://example.com/a".to_owned(),
        "words".to_owned(),
        String::new(),
    ];
    odd[random.below(odd.len())].clone()
}

fn list(seed: u64) -> String {
    let mut random = Random::new(seed);
    let count = 20 + random.below(300);
    let end = random.pick(&["\n", "\r\n", "\r"]);
    (0..count).map(|number| line(&mut random, number) + end).collect()
}

fn ways() -> Vec<(&'static str, Options)> {
    let of = |change: fn(&mut Options)| {
        let mut options = Options { threads: 1, ..Options::default() };
        options.limits.chunk = 1_000;
        change(&mut options);
        options
    };
    vec![
        ("plain", of(|_| ())),
        ("two threads", of(|options| options.threads = 2)),
        ("pretty", of(|options| options.pretty = true)),
        ("iri", of(|options| options.iri = true)),
        ("no grouping", of(|options| options.no_group = true)),
        ("fragments", of(|options| options.keep_fragments = true)),
        ("google", of(|options| options.profile = Profile::Google)),
        ("yandex", of(|options| options.profile = Profile::Yandex)),
        (
            "yandex, pages of one folder",
            of(|options| {
                options.profile = Profile::Yandex;
                options.base = Some("https://example.com/watch/sitemap.xml".to_owned());
            }),
        ),
        ("titles of slugs", of(|options| options.title_from = Some(TitleSource::Slug))),
    ]
}

#[test]
fn the_short_way_is_the_usual_one() {
    let ways = ways();
    for seed in 0..common::count(2, 36) as u64 {
        let list = list(seed);
        for (number, to) in format::targets().enumerate() {
            // all ways to all targets, a few for each list
            for (name, options) in ways.iter().skip((seed as usize + number) % 3).step_by(3) {
                let short = converted(list.as_bytes(), to, options, false);
                let usual = converted(list.as_bytes(), to, options, true);
                assert_eq!(short.is_some(), usual.is_some(), "seed {seed} to {}, {name}", to.id);
                let (Some(short), Some(usual)) = (short, usual) else { continue };
                for (short, usual) in short.0.lines().zip(usual.0.lines()) {
                    assert_eq!(short, usual, "seed {seed} to {}, {name}", to.id);
                }
                assert!(short.0 == usual.0, "seed {seed} to {}, {name}: one is longer", to.id);
                assert_eq!(short.1, usual.1, "seed {seed} to {}, {name}", to.id);
            }
        }
    }
}
