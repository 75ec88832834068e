//! Progress bars on a terminal of known width: one line, gone at the end, none with `-q`. Unix only.
#![cfg(unix)]

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::common::{count, is_ignored, program, scratch};

/// What a terminal shows.
#[derive(Default)]
struct Screen {
    lines: Vec<Vec<char>>,
    row: usize,
    column: usize,
    width: usize,
    /// A character was written behind the last column.
    wrapped: bool,
    /// How often a line was erased: a bar erases its own.
    erased: usize,
}

impl Screen {
    fn of(width: usize, bytes: &[u8]) -> Screen {
        let mut screen = Screen { width, ..Screen::default() };
        let text = String::from_utf8_lossy(bytes);
        let mut characters = text.chars();
        while let Some(c) = characters.next() {
            match c {
                '\r' => screen.column = 0,
                '\n' => (screen.row, screen.column) = (screen.row + 1, 0),
                '\x1b' => screen.obey(&mut characters),
                c => screen.put(c),
            }
        }
        screen
    }

    /// A sequence of the terminal: `ESC [ number letter`.
    fn obey(&mut self, characters: &mut std::str::Chars<'_>) {
        if characters.next() != Some('[') {
            return;
        }
        let mut number = String::new();
        for c in characters.by_ref() {
            if !c.is_ascii_alphabetic() {
                number.push(c);
                continue;
            }
            let count = number.trim_start_matches('?').parse().unwrap_or(1);
            match c {
                'A' => self.row = self.row.saturating_sub(count),
                'B' => self.row += count,
                'K' => {
                    self.erased += 1;
                    if let Some(line) = self.lines.get_mut(self.row) {
                        line.clear();
                    }
                }
                _ => (),
            }
            return;
        }
    }

    fn put(&mut self, c: char) {
        if self.column >= self.width {
            self.wrapped = true;
            (self.row, self.column) = (self.row + 1, 0);
        }
        if self.lines.len() <= self.row {
            self.lines.resize_with(self.row + 1, Vec::new);
        }
        let line = &mut self.lines[self.row];
        if line.len() <= self.column {
            line.resize(self.column + 1, ' ');
        }
        line[self.column] = c;
        self.column += 1;
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned());
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

/// Runs the program with a terminal of so many columns as standard error; sends SIGINT once a bar is there, if wanted.
fn on_terminal(dir: &Path, args: &[&str], width: usize, interrupt: bool) -> (Option<i32>, Screen) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("its other side");
    unlockpt(&master).expect("unlocked");
    let size = Winsize { ws_row: 24, ws_col: width as u16, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).expect("a size");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let side = File::options().read(true).write(true).open(name.to_str().expect("a path")).expect("the other side");
    let mut command = program(dir);
    command.args(args).env("TERM", "xterm").env_remove("NO_COLOR");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(side).spawn().expect("the program");
    drop(command);
    let (mut master, mut shown, mut piece, mut sent) = (File::from(master), Vec::new(), [0; 4096], false);
    loop {
        match master.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => shown.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            // the other side is closed
            Err(_) => break,
        }
        if interrupt && !sent && shown.windows(3).any(|part| part == b" MB") {
            let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
            sent = status.success();
        }
    }
    let ended = child.wait().expect("the program ends");
    (ended.code(), Screen::of(width, &shown))
}

/// Lists of so many pages with long paths.
fn tree(dir: &Path, pages: u32) {
    let folder = dir.join("feeds").join("of-a-folder-with-a-name-that-is-longer-than-half-of-the-terminal");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text: String = (0..pages).map(|n| format!("https://pond.example/{n}?a=b&c=d\n")).collect();
    for number in 0..8 {
        let name = format!("a-list-of-pages-with-a-name-that-does-not-fit-on-the-line-{number}.txt");
        std::fs::write(folder.join(name), &text).expect("a list");
    }
}

#[test]
fn a_bar_of_a_tree_is_one_line_and_goes_away() {
    let dir = scratch("terminal-tree");
    let args = ["migrate", "feeds", "--to", "sitemap", "--out", "out", "-j", "2", "--no-limits", "--force"];
    for width in [80, 44].into_iter().take(count(1, 2)) {
        // the bar waits for half a second, and a fast machine needs more pages for that
        let runs = (0..7).map(|doublings| {
            tree(&dir, 20_000 << doublings);
            on_terminal(&dir, &args, width, false)
        });
        let mut last = None;
        for (code, screen) in runs {
            assert_eq!(code, Some(0), "{}", screen.text());
            if last.insert(screen).erased > 0 {
                break;
            }
        }
        let screen = last.expect("a run");
        assert!(screen.erased > 0, "there was no bar: {}", screen.text());
        assert!(screen.text().starts_with("files     8 done"), "{}", screen.text());
        assert!(width < 80 || !screen.wrapped, "{}", screen.text());
    }
    let (code, screen) = on_terminal(&dir, &[&args[..], &["-q"]].concat(), 80, false);
    assert_eq!((code, screen.erased, screen.text()), (Some(0), 0, String::new()));
}

#[test]
fn a_bar_is_gone_after_an_interrupt() {
    if is_ignored("INT") {
        return;
    }
    let dir = scratch("terminal-interrupt");
    tree(&dir, 20_000);
    let args = ["migrate", "feeds", "--to", "sitemap", "--out", "out", "-j", "1"];
    let (code, screen) = on_terminal(&dir, &args, 80, true);
    assert!(matches!(code, Some(0 | 130)), "{code:?}: {}", screen.text());
    assert!(!screen.wrapped, "{}", screen.text());
    assert!(!screen.text().contains(['█', '░']), "{}", screen.text());
}

#[test]
fn a_bar_of_a_conversion_is_one_line_and_goes_away() {
    let dir = scratch("terminal-convert");
    let item = |n: u32| format!("<item><title>{n}</title><link>https://pond.example/{n}</link></item>\n");
    let items: String = (0..80_000).map(item).collect();
    std::fs::write(dir.join("feed.rss"), format!("<rss version=\"2.0\"><channel>{items}</channel></rss>"))
        .expect("a feed");
    let args = ["convert", "feed.rss", "--to", "sitemap", "--no-limits", "-o", "out.xml", "-j", "1"];
    for width in [80, 60].into_iter().take(count(1, 2)) {
        let (code, screen) = on_terminal(&dir, &args, width, false);
        assert_eq!(code, Some(0), "{}", screen.text());
        assert!(!screen.wrapped, "{}", screen.text());
        assert!(screen.text().starts_with("out.xml: 80,000 pages"), "{}", screen.text());
    }
    let (code, screen) = on_terminal(&dir, &[&args[..], &["-q"]].concat(), 80, false);
    assert_eq!((code, screen.erased, screen.text()), (Some(0), 0, String::new()));
}
