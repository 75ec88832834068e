//! What stands under the name of an output: a pipe is written to, a link is followed, and neither is replaced.
#![cfg(unix)]

mod common;

use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use common::{scratch, transfeed};

fn page(dir: &Path) {
    std::fs::write(dir.join("pages.txt"), "https://pond.example/1\n").expect("a page list");
}

#[test]
fn a_pipe_with_a_name_is_written_to() {
    let dir = scratch("outputs-pipe");
    page(&dir);
    let made = std::process::Command::new("mkfifo").arg(dir.join("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for options in [&[][..], &["--strict"]] {
        let pipe = dir.join("pipe");
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            std::fs::File::open(pipe).expect("the pipe").read_to_string(&mut text).expect("its text");
            text
        });
        let args = [&["convert", "pages.txt", "--to", "text", "-o", "pipe"], options].concat();
        transfeed(&dir, &args, None).ok("a pipe");
        assert!(dir.join("pipe").metadata().expect("still there").file_type().is_fifo(), "the pipe was replaced");
        assert_eq!(reader.join().expect("a reader"), "https://pond.example/1\n");
    }
}

#[test]
fn a_link_stays_a_link() {
    let dir = scratch("outputs-link");
    page(&dir);
    std::fs::create_dir_all(dir.join("real")).expect("a folder");
    std::fs::write(dir.join("real/out.txt"), "before").expect("a file");
    let link = dir.join("out.txt");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink("real/out.txt", &link).expect("a link");
    transfeed(&dir, &["convert", "pages.txt", "--to", "text", "-o", "out.txt"], None).ok("a link");
    assert!(link.symlink_metadata().expect("the link").file_type().is_symlink(), "the link was replaced");
    assert_eq!(std::fs::read_to_string(dir.join("real/out.txt")).expect("a file"), "https://pond.example/1\n");
}
