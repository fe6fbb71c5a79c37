//! Pages that are asked for by their number.

use deserr::Deserr;
use serde::Serialize;

use super::value::Bounded;
use super::violations::{InvalidValue, Violations};

/// A page of `DEFAULT_SIZE` results unless another size is asked for, of `MAX_SIZE` at most, that ends no
/// deeper than at result `MAX_DEPTH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserr)]
#[deserr(error = Violations, try_from(PageBody<MAX_SIZE>) = Page::within_depth -> InvalidValue)]
pub struct Page<const DEFAULT_SIZE: usize, const MAX_SIZE: usize, const MAX_DEPTH: usize> {
    number: usize,
    size: usize,
}

/// A page of a search: 50 results unless fewer or more are asked for, and no deeper than the 10,000th.
pub type SearchPage = Page<50, 10_000, 10_000>;

/// The members of `pagination`.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct PageBody<const MAX_SIZE: usize> {
    page: Option<Bounded<1, { usize::MAX }>>,
    page_size: Option<Bounded<1, MAX_SIZE>>,
}

/// Where a page lies among its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PagePosition {
    page: usize,
    page_size: usize,
    total_results: usize,
    total_pages: usize,
}

impl<const DEFAULT_SIZE: usize, const MAX_SIZE: usize, const MAX_DEPTH: usize> Default
    for Page<DEFAULT_SIZE, MAX_SIZE, MAX_DEPTH>
{
    fn default() -> Self {
        Self { number: 1, size: DEFAULT_SIZE }
    }
}

impl<const DEFAULT_SIZE: usize, const MAX_SIZE: usize, const MAX_DEPTH: usize>
    Page<DEFAULT_SIZE, MAX_SIZE, MAX_DEPTH>
{
    pub fn size(self) -> usize {
        self.size
    }

    /// Returns how many results come before the page.
    pub fn skip(self) -> usize {
        (self.number - 1).saturating_mul(self.size)
    }

    /// Tells where the page lies. Pages that lie too deep to be asked for are not counted.
    pub fn position(self, total_results: usize) -> PagePosition {
        PagePosition {
            page: self.number,
            page_size: self.size,
            total_results,
            total_pages: total_results.div_ceil(self.size).min(MAX_DEPTH / self.size),
        }
    }

    fn within_depth(body: PageBody<MAX_SIZE>) -> Result<Self, InvalidValue> {
        let number = body.page.map_or(1, Bounded::get);
        let size = body.page_size.map_or(DEFAULT_SIZE, Bounded::get);
        let depth = number.saturating_mul(size);
        if depth > MAX_DEPTH {
            return Err(InvalidValue(format!(
                "page times page_size must be at most {MAX_DEPTH}, is {depth}; \
                 narrow the filter to reach what lies deeper"
            )));
        }
        Ok(Self { number, size })
    }
}
