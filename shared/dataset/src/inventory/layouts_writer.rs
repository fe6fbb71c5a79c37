//! The layouts of the records, written: cut into forms, and what fills their gaps.

use foldhash::HashMap;

use super::id::SpotId;
use super::layout_forms::{NEAR, OwnValues, Token};
use super::layouts::{OWN, PIECES, SECTION};
use super::record::Layout;
use crate::index::{Interner, Ordinals, ordinals_of};
use crate::release::file::{FileWriter, Runs};

/// The longest rest of a text behind what all texts of a record begin with. Rests are pieces of the form, of
/// which there should be few.
const LONGEST_REST: usize = 3;

/// Collects the layouts of records.
#[derive(Clone, Debug, Default)]
pub(super) struct LayoutsWriter {
    pieces: Interner,
    forms: HashMap<Box<[Token]>, u32>,
    /// The number of each record's form, from 1; 0 without layouts.
    numbers: Vec<u32>,
    /// What fills the gaps of all records, and where each one's ends.
    own: Vec<u8>,
    own_ends: Vec<usize>,
    /// Empty, and long enough for the layouts of most records.
    json: Vec<u8>,
}

/// JSON between gaps, and what is in these.
enum Part<'a> {
    Json(&'a str),
    Number(i64),
    Text(&'a str),
}

impl LayoutsWriter {
    pub(super) fn push(&mut self, id: SpotId, layouts: Option<&[Layout<'_>]>) {
        let number = layouts.map_or(0, |layouts| {
            let mut json = std::mem::take(&mut self.json);
            serde_json::to_writer(&mut json, layouts).expect("written into memory");
            let form = self.form(id, &cut(std::str::from_utf8(&json).expect("JSON is UTF-8")));
            json.clear();
            self.json = json;
            self.number_of(form)
        });
        self.numbers.push(number);
        self.own_ends.push(self.own.len());
    }

    /// Writes the layouts in another order than that in which they came.
    pub(super) fn write(self, file: &mut FileWriter, order: &[u32]) {
        let Self { pieces, forms, numbers, own, own_ends, .. } = self;
        let pieces = pieces.into_texts();
        let order_of_pieces = pieces.sorted(u32::cmp);
        file.texts(PIECES, order_of_pieces.iter().map(|piece| pieces.get(*piece)));
        let renumbered = ordinals_of(&order_of_pieces);
        let raw = |token: &Token| match token {
            Token::Piece(piece) => Token::Piece(renumbered[*piece as usize]).raw(),
            other => other.raw(),
        };
        let bytes = |form: &[Token]| {
            let write = |bytes, token| postcard::to_extend(&raw(token), bytes).expect("written into memory");
            form.iter().fold(Vec::new(), write)
        };
        let mut forms: Vec<(Vec<u8>, u32)> =
            forms.iter().map(|(form, number)| (bytes(form), *number)).collect();
        forms.sort_unstable();
        let mut ordinals = vec![0; forms.len() + 1];
        for (at, (_, number)) in (1..).zip(&forms) {
            ordinals[*number as usize] = at;
        }
        Runs::write(file, SECTION, forms.iter().map(|(form, _)| form.as_slice()));
        let of_records: Vec<u32> = order.iter().map(|at| ordinals[numbers[*at as usize] as usize]).collect();
        Ordinals::write_packed(file, SECTION, &of_records, forms.len());
        let own_of_record = |at: &u32| {
            let start = at.checked_sub(1).map_or(0, |before| own_ends[before as usize]);
            &own[start..own_ends[*at as usize]]
        };
        Runs::write(file, OWN, order.iter().map(own_of_record));
    }

    /// Returns the form of a record's layouts, and appends what fills its gaps.
    fn form(&mut self, id: SpotId, parts: &[Part<'_>]) -> Vec<Token> {
        let stem = stem(parts);
        let (mut form, mut before, mut is_said) = (Vec::new(), i64::from(id.raw()), false);
        for part in parts {
            match part {
                Part::Json(json) => form.push(self.piece(json)),
                Part::Number(number) => form.push(number_token(id, *number).unwrap_or_else(|| {
                    OwnValues::push_number(&mut self.own, number.wrapping_sub(before));
                    before = *number;
                    Token::OwnNumber
                })),
                Part::Text(text) => {
                    let said = stem.unwrap_or(text);
                    if is_said && stem.is_some() {
                        form.push(Token::SameText);
                    } else {
                        OwnValues::push_text(&mut self.own, said);
                        form.push(Token::OwnText);
                    }
                    is_said = true;
                    let rest = &text[said.len()..];
                    form.extend((!rest.is_empty()).then(|| self.piece(rest)));
                }
            }
        }
        form
    }

    /// Returns the number of a form, from 1.
    fn number_of(&mut self, form: Vec<Token>) -> u32 {
        if let Some(number) = self.forms.get(form.as_slice()) {
            return *number;
        }
        let next = count(self.forms.len() + 1);
        self.forms.insert(form.into(), next);
        next
    }

    fn piece(&mut self, json: &str) -> Token {
        Token::Piece(self.pieces.number(json))
    }
}

/// Cuts JSON at the values of its members whose names end in `id`. In a text a quotation mark is escaped, so
/// `id":` is nowhere but at the end of a name.
fn cut(json: &str) -> Vec<Part<'_>> {
    const NAME_END: &str = "id\":";
    let (mut parts, mut rest, mut from) = (Vec::new(), json, 0);
    while let Some(found) = rest[from..].find(NAME_END) {
        let value = from + found + NAME_END.len();
        let is_text = rest[value..].starts_with('"');
        let start = value + usize::from(is_text);
        let end = start + if is_text { text_length(&rest[start..]) } else { number_length(&rest[start..]) };
        let inside = &rest[start..end];
        let part = if is_text { Some(Part::Text(inside)) } else { inside.parse().ok().map(Part::Number) };
        let Some(part) = part else {
            from = end;
            continue;
        };
        parts.extend([Part::Json(&rest[..start]), part]);
        (rest, from) = (&rest[end..], 0);
    }
    parts.push(Part::Json(rest));
    parts
}

fn text_length(json: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: u8| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    };
    json.bytes().position(is_end).unwrap_or(json.len())
}

fn number_length(json: &str) -> usize {
    json.bytes().position(|byte| byte != b'-' && !byte.is_ascii_digit()).unwrap_or(json.len())
}

/// Returns the token of an id that is close to the record's.
fn number_token(id: SpotId, number: i64) -> Option<Token> {
    let distance = u32::try_from(number.checked_sub(i64::from(id.raw()))?).ok()?;
    (distance < NEAR).then_some(Token::NearId(distance))
}

/// Returns what several texts begin with when little is behind it.
fn stem<'a>(parts: &[Part<'a>]) -> Option<&'a str> {
    let mut texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(*text),
        _ => None,
    });
    let (first, mut longest) = (texts.next()?, 0);
    let stem = texts.fold(first, |stem, text| {
        longest = longest.max(text.len());
        common_start(stem, text)
    });
    let longest = longest.max(first.len());
    (!stem.is_empty() && longest - stem.len() <= LONGEST_REST).then_some(stem)
}

fn common_start<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b).last();
    same.map_or("", |((at, character), _)| &one[..at + character.len_utf8()])
}

fn count(of: usize) -> u32 {
    u32::try_from(of).expect("fewer than four thousand million forms")
}
