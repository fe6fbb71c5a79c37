use super::wire::{Violations, shown};

/// The query parameters of a list, of which each is known and comes once.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'a>(&'a [(String, String)]);

impl<'a> Parameters<'a> {
    /// Reads parameters; unknown and repeated ones are refused, since what they ask for would not be done.
    pub fn read(parameters: &'a [(String, String)], known: &[&str], violations: &mut Violations) -> Self {
        for (index, (name, _)) in parameters.iter().enumerate() {
            let pointer = format!("?{}", shown(name));
            if !known.contains(&name.as_str()) {
                violations.add(pointer, format!("is not a parameter here; allowed are {}", known.join(", ")));
            } else if parameters[..index].iter().any(|(earlier, _)| earlier == name) {
                violations.add(pointer, "must be given once");
            }
        }
        Self(parameters)
    }

    /// Returns a parameter's text.
    pub fn find(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Reads the parameter `limit`, a page's size.
    pub fn limit(&self, bounds: std::ops::RangeInclusive<usize>, default: usize, violations: &mut Violations) -> usize {
        let Some(text) = self.find("limit") else {
            return default;
        };
        // `parse` would take a plus sign.
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(limit) if digits && bounds.contains(&limit) => limit,
            _ => {
                violations.add("?limit", format!("must be an integer from {} to {}", bounds.start(), bounds.end()));
                default
            }
        }
    }
}
