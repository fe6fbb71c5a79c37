//! An archive of hostile bodies: those that cost the most memory for what they cost their sender.
//!
//! Each is made to fill a room of bytes and values, so that the same shape tries a small limit and a large
//! one. No operation takes any of them: each is a list, a text, or has a member that nothing has.

use std::fmt::Write;
use std::iter::repeat_n;

/// A shape of body that is hard to read in little memory.
#[derive(Clone, Copy, Debug)]
pub struct WorstBody {
    pub name: &'static str,
    fill: fn(Room) -> Vec<u8>,
}

/// How much a body may hold.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub bytes: usize,
    /// Arrays, objects and what is in them.
    pub values: usize,
}

impl WorstBody {
    /// Makes the body as large as fits.
    pub fn filling(&self, room: Room) -> Vec<u8> {
        let text = (self.fill)(room);
        assert!(text.len() <= room.bytes, "{} has {} bytes", self.name, text.len());
        text
    }
}

const fn body(name: &'static str, fill: fn(Room) -> Vec<u8>) -> WorstBody {
    WorstBody { name, fill }
}

/// The archive.
pub const WORST_BODIES: [WorstBody; 37] = [
    body("arrays in one another, never closed", |room| b"[".repeat(room.bytes)),
    body("arrays in one another", |room| nested(room.bytes, "[", "", "]")),
    body("objects in one another, never closed", |room| b"{\"\":".repeat(room.bytes / 4)),
    body("objects in one another", |room| nested(room.bytes, "{\"\":", "0", "}")),
    body("arrays and objects in turn", |room| nested(room.bytes, "[{\"\":", "0", "}]")),
    body("towers of arrays", |room| list(room, 15, |_| tower("[", "", "]"))),
    body("towers of arrays of two", |room| list(room, 31, |_| tower("[0,", "0", "]"))),
    body("towers of objects", |room| list(room, 16, |_| tower("{\"\":", "0", "}"))),
    body("towers of objects of two", |room| list(room, 32, |_| tower("{\"a\":0,\"\":", "0", "}"))),
    body("towers of objects with names", |room| {
        list(room, 16, |_| tower("{\"seventeen letters\":", "0", "}"))
    }),
    body("empty arrays", |room| list(room, 1, |_| "[]".to_owned())),
    body("empty objects", |room| list(room, 1, |_| "{}".to_owned())),
    body("arrays of one", |room| list(room, 2, |_| "[0]".to_owned())),
    body("objects of one member", |room| list(room, 2, |_| "{\"\":0}".to_owned())),
    body("objects of five members", |room| list(room, 6, |_| object(5, 1, "0"))),
    body("objects of 33 members", |room| list(room, 34, |_| object(33, 2, "0"))),
    body("objects of 129 members", |room| list(room, 130, |_| object(129, 18, "0"))),
    body("objects of 129 texts", |room| list(room, 130, |_| object(129, 8, "\"eight by\""))),
    body("objects of 256 members", |room| list(room, 257, |_| object(256, 18, "0"))),
    body("an object of too many members", |room| object(room.bytes / 12, 6, "0").into_bytes()),
    body("a member many times", |room| {
        [b"{\"a\":0", &*b",\"a\":0".repeat(room.bytes / 6 - 2), b"}"].concat()
    }),
    body("long names", |room| object(200, room.bytes / 200 - 5, "0").into_bytes()),
    body("a long name", |room| framed("{\"", "x", "\":0}", room.bytes)),
    body("a long name of escapes", |room| framed("{\"", "\\u0078", "\":0}", room.bytes)),
    body("numbers", |room| list(room, 1, |_| "0".to_owned())),
    body("large numbers", |room| list(room, 1, |_| "18446744073709551615".to_owned())),
    body("fractions", |room| list(room, 1, |_| "-1.7976931348623157e308".to_owned())),
    body("one number of many digits", |room| b"9".repeat(room.bytes)),
    body("one fraction of many digits", |room| framed("0.", "1", "", room.bytes)),
    body("empty texts", |room| list(room, 1, |_| "\"\"".to_owned())),
    body("texts of one character", |room| list(room, 1, |_| "\"x\"".to_owned())),
    body("texts of 20 characters", |room| list(room, 1, |_| "\"twenty characters ...\"".to_owned())),
    body("a long text", |room| framed("\"", "x", "\"", room.bytes)),
    body("a long text of escapes", |room| framed("\"", "\\n", "\"", room.bytes)),
    body("a long text of surrogates", |room| framed("\"", "\\ud83d\\ude00", "\"", room.bytes)),
    body("a text that never ends", |room| framed("\"", "\\\\", "", room.bytes)),
    body("blanks", |room| b" ".repeat(room.bytes)),
];

/// Makes a list of items, each of so many values, as long as fits.
pub fn list(room: Room, values_each: usize, item: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = b"[".to_vec();
    let most = room.values.saturating_sub(1) / values_each;
    for item in (0..most).map(item) {
        if text.len() + item.len() + 2 > room.bytes {
            break;
        }
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend_from_slice(item.as_bytes());
    }
    text.push(b']');
    text
}

/// Makes an object of so many members, whose names have so many characters.
pub fn object(members: usize, name_length: usize, value: &str) -> String {
    let mut text = String::from("{");
    for member in 0..members {
        let comma = if member == 0 { "" } else { "," };
        let name = format!("{member:x}");
        write!(text, "{comma}\"{name:~<name_length$}\":{value}").expect("text");
    }
    text + "}"
}

/// Makes arrays or objects that lie in one another, as deep as fits.
fn nested(bytes: usize, opening: &str, innermost: &str, closing: &str) -> Vec<u8> {
    let depth = (bytes - innermost.len()) / (opening.len() + closing.len());
    in_one_another(depth, opening, innermost, closing).into_bytes()
}

/// Makes a tower that, in a list, is as deep as a body may be.
fn tower(opening: &str, innermost: &str, closing: &str) -> String {
    in_one_another(15, opening, innermost, closing)
}

fn in_one_another(depth: usize, opening: &str, innermost: &str, closing: &str) -> String {
    let parts = repeat_n(opening, depth).chain([innermost]).chain(repeat_n(closing, depth));
    parts.collect()
}

fn framed(opening: &str, part: &str, closing: &str, bytes: usize) -> Vec<u8> {
    let parts = (bytes - opening.len() - closing.len()) / part.len();
    [opening, &part.repeat(parts), closing].concat().into_bytes()
}
