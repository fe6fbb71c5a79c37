//! Pages that are asked for by their number.

use deserr::{Deserr, ValuePointerRef};
use serde::Serialize;

use super::value::Bounded;
use super::violations::{InvalidValue, Violations};

/// A page of `DEFAULT_SIZE` results unless another size is asked for, of `MAX_SIZE` at most, that ends no
/// deeper than at result `MAX_DEPTH`: `pagination` of a body.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = Page::within_depth -> InvalidValue)]
pub struct Page<const DEFAULT_SIZE: usize, const MAX_SIZE: usize, const MAX_DEPTH: usize> {
    page: Option<Bounded<1, { usize::MAX }>>,
    page_size: Option<Bounded<1, MAX_SIZE>>,
}

/// A page of a search: 50 results unless fewer or more are asked for, and no deeper than the 10,000th.
pub type SearchPage = Page<50, 10_000, 10_000>;

/// Where a page lies among its results.
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

    /// Returns how many results come before the page.
    pub fn skip(self) -> usize {
        (self.number() - 1).saturating_mul(self.size())
    }

    /// Tells where the page lies. Pages that lie too deep to be asked for are not counted.
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
                "must have page times page_size at most {MAX_DEPTH}, got {depth}; \
                 narrow the filter to reach further results"
            )));
        }
        Ok(self)
    }
}
