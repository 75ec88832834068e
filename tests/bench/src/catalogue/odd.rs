//! Documents that look for cliffs: many entries, a huge one, many attributes, deep nesting.

use super::entry::{Entry, number};

/// What the huge entry comes to; transfeed leaves out entries above 64 MiB.
const GIANT: u64 = 60 << 20;

/// About 100 bytes.
pub fn tiny(entry: &mut Entry, out: &mut String) {
    number(out, "<item><title>n ", entry.number);
    out.push_str("</title><link>");
    entry.link_escaped(out);
    out.push_str("</link></item>\n");
}

/// Number 1,000 is huge, or the first where the document has no room for that many.
pub fn giant(entry: &mut Entry, out: &mut String, size: u64) {
    let huge = if size > 1 << 20 { 1000 } else { 0 };
    if entry.number != huge {
        return tiny(entry, out);
    }
    number(out, "<item><title>n ", entry.number);
    out.push_str("</title><link>");
    entry.link_escaped(out);
    out.push_str("</link>");
    let until = out.len() + GIANT.min(size / 2) as usize;
    while out.len() < until {
        out.push_str("<lh:frame><lh:note>");
        entry.prose(30, out);
        number(out, "</lh:note><lh:at second=\"", entry.number);
        out.push_str("\"/></lh:frame>\n");
    }
    out.push_str("</item>\n");
}

/// As many attributes as the limits allow, less a few.
pub fn attributes(entry: &mut Entry, out: &mut String) {
    open(entry, out);
    out.push_str("<lh:measures");
    for k in 0..9_990 {
        number(out, " a", k);
        number(out, "=\"", (k * 7 + entry.number) % 1000);
        out.push('"');
    }
    out.push_str("/></item>\n");
}

/// As deep as the limits allow, less a few.
pub fn depth(entry: &mut Entry, out: &mut String) {
    open(entry, out);
    for k in 0..240 {
        number(out, "<lh:level n=\"", k);
        out.push_str("\">");
    }
    entry.text(3, out);
    for _ in 0..240 {
        out.push_str("</lh:level>");
    }
    out.push_str("</item>\n");
}

fn open(entry: &mut Entry, out: &mut String) {
    out.push_str("<item><title>");
    entry.title(out);
    out.push_str("</title><link>");
    entry.link_escaped(out);
    out.push_str("</link>");
}
