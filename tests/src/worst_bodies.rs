//! Request bodies that need the most memory relative to their size.
//!
//! Each kind of body fills a given number of bytes and values, so it can test both small and large limits.
//! All operations reject these bodies, because each one is a list, a string, or an object with unknown
//! members.

use std::fmt::Write;

/// A kind of body that takes a lot of memory to parse.
#[derive(Clone, Copy, Debug)]
pub struct WorstBody {
    pub name: &'static str,
    fill: fn(Room) -> Vec<u8>,
}

/// The limits for a body.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub bytes: usize,
    /// The total number of arrays, objects, items, and members.
    pub values: usize,
}

impl WorstBody {
    /// Creates the largest body of this kind within the limits.
    pub fn filling(&self, room: Room) -> Vec<u8> {
        let text = (self.fill)(room);
        assert!(text.len() <= room.bytes, "{} has {} bytes", self.name, text.len());
        text
    }
}

const fn body(name: &'static str, fill: fn(Room) -> Vec<u8>) -> WorstBody {
    WorstBody { name, fill }
}

pub const WORST_BODIES: [WorstBody; 37] = [
    body("nested arrays, never closed", |room| b"[".repeat(room.bytes)),
    body("nested arrays", |room| nested(room.bytes, "[", "", "]")),
    body("nested objects, never closed", |room| b"{\"\":".repeat(room.bytes / 4)),
    body("nested objects", |room| nested(room.bytes, "{\"\":", "0", "}")),
    body("alternating arrays and objects", |room| nested(room.bytes, "[{\"\":", "0", "}]")),
    body("towers of arrays", |room| list(room, 15, &tower("[", "", "]"))),
    body("towers of arrays of two", |room| list(room, 31, &tower("[0,", "0", "]"))),
    body("towers of objects", |room| list(room, 16, &tower("{\"\":", "0", "}"))),
    body("towers of objects of two", |room| list(room, 32, &tower("{\"a\":0,\"\":", "0", "}"))),
    body("towers of objects with names", |room| list(room, 16, &tower("{\"seventeen letters\":", "0", "}"))),
    body("empty arrays", |room| list(room, 1, "[]")),
    body("empty objects", |room| list(room, 1, "{}")),
    body("arrays of one", |room| list(room, 2, "[0]")),
    body("objects of one member", |room| list(room, 2, "{\"\":0}")),
    body("objects of five members", |room| list(room, 6, &object(5, 1, "0"))),
    body("objects of 33 members", |room| list(room, 34, &object(33, 2, "0"))),
    body("objects of 129 members", |room| list(room, 130, &object(129, 18, "0"))),
    body("objects of 129 strings", |room| list(room, 130, &object(129, 8, "\"eight by\""))),
    body("objects of 256 members", |room| list(room, 257, &object(256, 18, "0"))),
    body("an object of too many members", |room| object(room.bytes / 12, 6, "0").into_bytes()),
    body("a repeated member", |room| [b"{\"a\":0", &*b",\"a\":0".repeat(room.bytes / 6 - 2), b"}"].concat()),
    body("long names", |room| object(200, room.bytes / 200 - 5, "0").into_bytes()),
    body("a long name", |room| framed("{\"", "x", "\":0}", room.bytes)),
    body("a long name with escapes", |room| framed("{\"", "\\u0078", "\":0}", room.bytes)),
    body("numbers", |room| list(room, 1, "0")),
    body("large numbers", |room| list(room, 1, "18446744073709551615")),
    body("fractions", |room| list(room, 1, "-1.7976931348623157e308")),
    body("one number of many digits", |room| b"9".repeat(room.bytes)),
    body("one fraction of many digits", |room| framed("0.", "1", "", room.bytes)),
    body("empty strings", |room| list(room, 1, "\"\"")),
    body("strings of one character", |room| list(room, 1, "\"x\"")),
    body("strings of 20 characters", |room| list(room, 1, "\"twenty characters ...\"")),
    body("a long string", |room| framed("\"", "x", "\"", room.bytes)),
    body("a long string of escapes", |room| framed("\"", "\\n", "\"", room.bytes)),
    body("a long string of surrogates", |room| framed("\"", "\\ud83d\\ude00", "\"", room.bytes)),
    body("a string that never ends", |room| framed("\"", "\\\\", "", room.bytes)),
    body("blanks", |room| b" ".repeat(room.bytes)),
];

/// Creates the longest list of equal items that fits. `values_each` is the number of values per item.
pub fn list(room: Room, values_each: usize, item: &str) -> Vec<u8> {
    let most = room.values.saturating_sub(1) / values_each;
    let items = most.min((room.bytes - 1) / (item.len() + 1));
    let text = format!("[{}", format!("{item},").repeat(items));
    format!("{}]", text.trim_end_matches(',')).into_bytes()
}

/// Creates an object whose member names all have the given length.
pub fn object(members: usize, name_length: usize, value: &str) -> String {
    let mut text = String::from("{");
    for member in 0..members {
        let comma = if member == 0 { "" } else { "," };
        let name = format!("{member:x}");
        write!(text, "{comma}\"{name:~<name_length$}\":{value}").expect("text");
    }
    text + "}"
}

/// Nests values as deeply as the given number of bytes allows.
fn nested(bytes: usize, opening: &str, innermost: &str, closing: &str) -> Vec<u8> {
    let depth = (bytes - innermost.len()) / (opening.len() + closing.len());
    nested_to_depth(depth, opening, innermost, closing).into_bytes()
}

/// Creates a list item nested as deeply as the service accepts.
fn tower(opening: &str, innermost: &str, closing: &str) -> String {
    nested_to_depth(15, opening, innermost, closing)
}

fn nested_to_depth(depth: usize, opening: &str, innermost: &str, closing: &str) -> String {
    [&opening.repeat(depth), innermost, &closing.repeat(depth)].concat()
}

fn framed(opening: &str, part: &str, closing: &str, bytes: usize) -> Vec<u8> {
    let parts = (bytes - opening.len() - closing.len()) / part.len();
    [opening, &part.repeat(parts), closing].concat().into_bytes()
}
