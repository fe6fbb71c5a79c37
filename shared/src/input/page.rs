use serde::Serialize;

use super::wire::{At, Violations};

/// A page that is asked for by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its number, from 1.
    pub number: usize,
    /// How many results a page holds.
    pub size: usize,
}

/// How large and how deep pages may be.
#[derive(Clone, Copy, Debug)]
pub struct PageBounds {
    /// The size when none is asked for.
    pub default_size: usize,
    /// The largest size.
    pub max_size: usize,
    /// The most that number times size may be; `None` for any.
    pub max_depth: Option<usize>,
}

/// Where a page lies among its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PagePosition {
    page: usize,
    page_size: usize,
    total_results: usize,
    total_pages: usize,
}

impl Page {
    /// Returns the first page.
    pub fn first(bounds: PageBounds) -> Self {
        Self { number: 1, size: bounds.default_size }
    }

    /// Reads `{page, page_size}`.
    pub fn read(at: At<'_>, bounds: PageBounds, violations: &mut Violations) -> Option<Self> {
        let page = at.object(violations, |members, violations| {
            let number = members.optional("page", violations, |at, violations| integer(at, usize::MAX, violations));
            let size =
                members.optional("page_size", violations, |at, violations| integer(at, bounds.max_size, violations));
            Some(Self { number: number?.unwrap_or(1), size: size?.unwrap_or(bounds.default_size) })
        })?;
        let depth = page.number.saturating_mul(page.size);
        match bounds.max_depth {
            Some(max) if depth > max => {
                let detail = format!(
                    "page times page_size must be at most {max}, is {depth}; narrow the filter to reach what lies deeper"
                );
                at.refuse(violations, detail);
                None
            }
            _ => Some(page),
        }
    }

    /// Returns how many results come before the page.
    pub fn skip(self) -> usize {
        (self.number - 1).saturating_mul(self.size)
    }

    /// Tells where the page lies among so many results.
    pub fn position(self, total_results: usize) -> PagePosition {
        PagePosition {
            page: self.number,
            page_size: self.size,
            total_results,
            total_pages: total_results.div_ceil(self.size),
        }
    }
}

fn integer(at: At<'_>, max: usize, violations: &mut Violations) -> Option<usize> {
    let value = at.integer(violations)?;
    match usize::try_from(value) {
        Ok(value) if (1..=max).contains(&value) => Some(value),
        _ => {
            let bounds = if max == usize::MAX { "at least 1".to_owned() } else { format!("from 1 to {max}") };
            at.refuse(violations, format!("must be {bounds}, is {value}"));
            None
        }
    }
}
