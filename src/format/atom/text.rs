//! Writes texts of Atom: text constructs and content (RFC 4287 sections 3.1 and 4.1.3).
//! Not how texts are read (read.rs).

use crate::emit::Out;
use crate::markup::is_markup;
use crate::model::{Str, Text, TextKind};
use crate::reason::{Reason, ValueChange};
use crate::text::html;
use crate::xml::names::Ns;

/// Writes a text as an element of this name.
pub(super) fn write(out: &mut Out<'_, '_>, name: &str, text: &Text<'_>, change: ValueChange) {
    out.element_always(name, |out| {
        match text.kind {
            TextKind::Html => out.constant("type", "html"),
            TextKind::Xhtml if is_markup(text.value.as_str()) => {
                out.constant("type", "xhtml");
                out.put_text_attributes(text);
                out.element_always("div", |out| {
                    out.constant("xmlns", Ns::Xhtml.uri());
                    out.markup(text.value.mark, text.value.as_str(), change);
                });
                return;
            }
            TextKind::Xhtml => {
                out.constant("type", "html");
                out.put_text_attributes(text);
                let change = Some(Reason::AsHtml);
                return out.text_as(text.value.mark, text.value.as_str(), change);
            }
            TextKind::Plain => (),
        }
        out.put_text_attributes(text);
        out.text_as(text.value.mark, text.value.as_str(), change);
    });
}

/// Writes `content`; `kind` is its MIME type, if it is neither text nor HTML.
pub(super) fn content(out: &mut Out<'_, '_>, text: &Text<'_>, kind: &Option<Str<'_>>) {
    let markup = text.kind == TextKind::Xhtml;
    let Some(kind) = kind.as_ref().filter(|_| !markup || is_markup(text.value.as_str())) else {
        return write(out, "content", text, None);
    };
    out.element_always("content", |out| {
        out.attr_as("type", kind.mark, kind.as_str(), None);
        out.put_text_attributes(text);
        match markup {
            true => out.markup(text.value.mark, text.value.as_str(), None),
            false => out.text_as(text.value.mark, text.value.as_str(), None),
        }
    });
}

/// A text without its markup.
pub(super) fn plain(text: &Text<'_>) -> String {
    match text.kind {
        TextKind::Plain => text.value.as_str().to_owned(),
        TextKind::Html | TextKind::Xhtml => html::to_plain(text.value.as_str()),
    }
}
