//! The table of rules as text: one rule for a terminal, all of them as the page docs/rules.md.

use std::fmt::Write;

use super::{Profile, Rule, Severity, Within, slices};

/// One rule for who asks what a code means.
pub fn text(rule: &Rule) -> String {
    let mut text = format!("{}  {}\n\n", rule.code, rule.title);
    let _ = writeln!(text, "Why it matters\n  {}\n", rule.why);
    let _ = writeln!(text, "How to fix it\n  {}\n", rule.mend);
    let _ = writeln!(text, "Bad\n{}\nGood\n{}", indented(rule.bad), indented(rule.good));
    if let Some(around) = around(rule.within) {
        let _ = writeln!(text, "  ({around})\n");
    }
    let _ = writeln!(text, "Severity");
    for (profile, letters) in rule.levels {
        let cases = super::cases(rule.code);
        if cases.is_empty() || words(letters) == word(letters.split(';').next().unwrap_or("")) {
            let _ = writeln!(text, "  {:<10} {}", profile.name(), words(letters));
            continue;
        }
        let _ = writeln!(text, "  {}", profile.name());
        for (case, variant) in cases.iter().zip(0_u8..) {
            let level = rule.level(*profile, variant).map_or("–", Severity::name);
            let _ = writeln!(text, "    {level:<8} {case}");
        }
    }
    let (source, section) = rule.source;
    let _ = writeln!(text, "\nSource\n  {}: {section}\n  {} (as of {})\n", source.title, source.address, source.read);
    let profile = rule.levels.first().map_or("google", |(profile, _)| profile.name());
    let _ =
        writeln!(text, "Shown by\n  transfeed validate FILE --profile {profile} --select {} --level info", rule.code);
    text
}

/// The names of the severities of a rule, from its letters, one per case.
fn words(letters: &str) -> String {
    let words: Vec<&str> = letters.split(';').map(word).collect();
    match words.split_first() {
        Some((first, rest)) if rest.iter().all(|word| word == first) => (*first).to_owned(),
        _ => words.join(", "),
    }
}

fn word(letter: &str) -> &'static str {
    match letter {
        "E" => Severity::Error.name(),
        "W" => Severity::Warning.name(),
        "I" => Severity::Info.name(),
        _ => "–",
    }
}

fn indented(example: &str) -> String {
    match example.is_empty() {
        true => "  (nothing)\n".to_owned(),
        false => example.lines().map(|line| format!("  {line}\n")).collect(),
    }
}

/// The context of an example, as text.
pub fn around(within: Within) -> Option<&'static str> {
    Some(match within {
        Within::Document | Within::Text | Within::Words => return None,
        Within::Urlset => "in <urlset>",
        Within::Url => "in the <url> of https://a.example/p",
        Within::Video => "in the <video:video> of the page https://a.example/p",
        Within::Index => "in a <sitemapindex> at https://a.example/dir/sitemap.xml",
        Within::Channel => "in <channel>",
        Within::Item => "in <item>",
        Within::Feed => "in <feed>",
        Within::Entry => "in <entry>",
    })
}

/// All codes with their titles, by table.
pub fn list() -> String {
    let mut text = String::new();
    for slice in slices() {
        let _ = writeln!(text, "{}", slice.title);
        for rule in slice.rules.iter().copied().flatten() {
            let _ = writeln!(text, "  {}  {}", rule.code, rule.title);
        }
        text.push('\n');
    }
    text
}

/// The page of all rules.
pub fn markdown() -> String {
    let mut page = String::from(
        "# What it checks\n\n`transfeed validate` checks documents against these rules, offline, and reports line and \
        column. A letter is the severity\nfor a profile: E error, W warning, I info; several letters are the cases of \
        a rule. `transfeed explain CODE` shows a rule\nwith examples. This page is generated from the tables in \
        `src/rules/table/`.\n",
    );
    let letter = |rule: &Rule, profile: Profile| {
        let found = rule.levels.iter().find(|(of, _)| *of == profile);
        found.map_or(String::new(), |(_, letters)| letters.replace(';', "\u{a0}"))
    };
    for slice in slices() {
        let _ = write!(page, "\n## {}\n\n| code | problem |", slice.title);
        let profiles: Vec<Profile> = Profile::ALL
            .into_iter()
            .filter(|profile| slice.rules.iter().copied().flatten().any(|rule| !letter(rule, *profile).is_empty()))
            .collect();
        for profile in &profiles {
            let _ = write!(page, " {} |", profile.name());
        }
        let _ = writeln!(page, " reason and fix | source |\n|---|---|{}---|---|", "---|".repeat(profiles.len()));
        for rule in slice.rules.iter().copied().flatten() {
            let _ = write!(page, "| {} | {} |", rule.code, cell(rule.title));
            for profile in &profiles {
                let _ = write!(page, " {} |", letter(rule, *profile));
            }
            let (source, section) = rule.source;
            let (why, mend) = (cell(rule.why), cell(rule.mend));
            let _ = writeln!(page, " {why} {mend} | [{}]({}), {} |", source.title, source.address, cell(section));
        }
    }
    page.push_str(
        "\n## Sources\n\nDates are those of the documents; 2026-11 marks documents without a date, read in that month.\
        \n\n| source | as of |\n|---|---|\n",
    );
    let mut sources: Vec<_> = super::all().map(|rule| rule.source.0).collect();
    sources.sort_by_key(|source| source.title);
    sources.dedup();
    for source in sources {
        let _ = writeln!(page, "| [{}]({}) | {} |", source.title, source.address, source.read);
    }
    page
}

/// A text in a cell of a table: markup as code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
