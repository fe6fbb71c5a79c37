//! Pagination by page number.

use deserr::{Deserr, ValuePointerRef};
use serde::Serialize;

use super::value::Bounded;
use super::violations::{InvalidValue, Violations};

/// The `pagination` object in a body. A page has `DEFAULT_SIZE` results by default, and at most `MAX_SIZE`.
/// Only the first `MAX_DEPTH` results are accessible.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = Page::within_depth -> InvalidValue)]
pub struct Page<const DEFAULT_SIZE: usize, const MAX_SIZE: usize, const MAX_DEPTH: usize> {
    page: Option<Bounded<1, { usize::MAX }>>,
    page_size: Option<Bounded<1, MAX_SIZE>>,
}

/// A page of search results. The default size is 50, and only the first 10,000 results are accessible.
pub type SearchPage = Page<50, 10_000, 10_000>;

/// A page's position within all results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PagePosition {
    page: usize,
    page_size: usize,
    total_results: usize,
    total_pages: usize,
}

impl<const DEFAULT_SIZE: usize, const MAX_SIZE: usize, const MAX_DEPTH: usize>
    Page<DEFAULT_SIZE, MAX_SIZE, MAX_DEPTH>
{
    pub fn size(self) -> usize {
        self.page_size.map_or(DEFAULT_SIZE, Bounded::get)
    }

    /// Returns the number of results before the page.
    pub fn skip(self) -> usize {
        (self.number() - 1).saturating_mul(self.size())
    }

    /// Returns the page's position. `total_pages` counts only pages within the first `MAX_DEPTH` results.
    pub fn position(self, total_results: usize) -> PagePosition {
        PagePosition {
            page: self.number(),
            page_size: self.size(),
            total_results,
            total_pages: total_results.div_ceil(self.size()).min(MAX_DEPTH / self.size()),
        }
    }

    fn number(self) -> usize {
        self.page.map_or(1, Bounded::get)
    }

    fn within_depth(self, _location: ValuePointerRef<'_>) -> Result<Self, InvalidValue> {
        let depth = self.number().saturating_mul(self.size());
        if depth > MAX_DEPTH {
            return Err(InvalidValue(format!(
                "must not reach past result {MAX_DEPTH} (page times page_size), got {depth}; \
                 narrow the filter to reach further results"
            )));
        }
        Ok(self)
    }
}
