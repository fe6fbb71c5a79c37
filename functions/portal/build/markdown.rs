//! Renders Markdown to HTML or converts only its links. In HTML, headings have anchors, and wide tables can
//! be scrolled.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Returns a document's title and HTML. The title is the first heading. `address` converts the targets of
/// links.
pub(crate) fn render(text: &str, address: impl Fn(&str) -> String) -> (String, String) {
    let events: Vec<Event> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let is_title =
        |event: &Event| matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }));
    let title = events.iter().position(is_title).map(|at| words(&events[at + 1..], is_end_of_heading));
    let rendered =
        events.iter().enumerate().flat_map(|(at, event)| rendered(event, &events[at + 1..], &address));
    let mut html = String::new();
    html::push_html(&mut html, rendered);
    (title.expect("a document has a heading of level 1"), html)
}

/// Returns the Markdown text with its link targets converted by `address`.
pub(crate) fn with_addresses(text: &str, address: impl Fn(&str) -> String) -> String {
    let mut converted = String::new();
    let mut copied = 0;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. }) = event else { continue };
        let target = text[range.clone()].rfind(&*dest_url).expect("a link contains its target");
        let start = range.start + target;
        converted += &text[copied..start];
        converted += &address(&dest_url);
        copied = start + dest_url.len();
    }
    converted + &text[copied..]
}

/// Returns the events to render in place of a Markdown event. `rest` contains the events that follow it.
fn rendered<'a>(event: &Event<'a>, rest: &[Event], address: impl Fn(&str) -> String) -> Vec<Event<'a>> {
    match event {
        Event::Start(Tag::Heading { level, .. }) => {
            vec![Event::Html(format!("<{level} id=\"{}\">", slug(&words(rest, is_end_of_heading))).into())]
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let (dest_url, title, id) = (address(dest_url).into(), title.clone(), id.clone());
            vec![Event::Start(Tag::Link { link_type: *link_type, dest_url, title, id })]
        }
        Event::Start(Tag::CodeBlock(kind)) => {
            let is_diagram = matches!(kind, CodeBlockKind::Fenced(language) if &**language == "mermaid");
            assert!(!is_diagram, "the portal can't serve diagrams: rendering them needs JavaScript");
            vec![Event::Html("<pre tabindex=\"0\"><code>".into())]
        }
        Event::End(TagEnd::CodeBlock) => vec![Event::Html("</code></pre>\n".into())],
        Event::Start(Tag::Table(_)) => {
            let columns = words(rest, |event| matches!(event, Event::End(TagEnd::TableHead)));
            let region =
                format!("<div class=\"scrolled\" role=\"region\" aria-label=\"{columns}\" tabindex=\"0\">");
            vec![Event::Html(region.into()), event.clone()]
        }
        Event::End(TagEnd::Table) => vec![event.clone(), Event::Html("</div>\n".into())],
        Event::Html(html) | Event::InlineHtml(html) => panic!("documents can't contain HTML: {html}"),
        event => vec![event.clone()],
    }
}

fn is_end_of_heading(event: &Event) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

/// Returns the text of the events before the first one for which `is_end` returns true. Table cells are
/// separated by commas.
fn words(events: &[Event], is_end: impl Fn(&Event) -> bool) -> String {
    let text = events.iter().take_while(|event| !is_end(event)).map(|event| match event {
        Event::Text(text) | Event::Code(text) => text,
        Event::End(TagEnd::TableCell) => ", ",
        _ => "",
    });
    text.collect::<String>().trim_end_matches(", ").to_owned()
}

/// Returns a heading's anchor in GitHub's format, so that links work both on GitHub and in the portal.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
}
