//! Operations: which method of which path sells what, and on which terms.

use accounting::{Audience, Product};
use http::{Method, StatusCode};
use serde_json::Value;
use store::Family;

use super::tables::Table;
use crate::error::ApiError;

/// One method of one path, and the terms on which it is called.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    /// The path, with `{name}` for its parameters.
    pub path: &'static str,
    pub terms: Terms,
}

/// The terms on which an operation is called.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub product: Product,
    /// Whose credentials it takes: the product's audience, except on the search gateway.
    pub audience: Audience,
    /// The table in its answer, which it serves as files too.
    pub table: Option<&'static Table>,
    /// The library in which it creates an asset, once for each idempotency key.
    pub(super) creates: Option<Family>,
    /// Whether pages of any origin may call it: its handler says which of them may read the answer.
    pub(super) is_for_pages: bool,
    pub(super) error_shape: Option<ErrorShape>,
}

/// Makes the status and the body of an error; `None` for one that is shown in the envelope.
pub(super) type ErrorShape = fn(&ApiError) -> Option<(StatusCode, Value)>;

impl Operation {
    /// Tells whether a request of a method is for it.
    pub(super) fn takes(&self, method: &Method) -> bool {
        self.method == *method || (*method == Method::HEAD && self.takes_head())
    }

    /// `HEAD` is taken where `GET` is free: elsewhere it would be charged for an answer of which nothing is
    /// seen.
    pub(super) fn takes_head(&self) -> bool {
        self.method == Method::GET && self.terms.product.credits() == 0
    }
}

impl Terms {
    /// Makes the terms of a product for its audience.
    pub fn of(product: Product) -> Self {
        let audience = product.audience();
        Self { product, audience, table: None, creates: None, is_for_pages: false, error_shape: None }
    }

    /// Serves the table in the answer as files too.
    pub fn with_table(self, table: &'static Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Takes API keys alone, in `apikey`, as the search gateway does, whoever else may call the product.
    pub fn with_search_key(self) -> Self {
        Self { audience: Audience::SearchKey, ..self }
    }

    /// Creates an asset once for each `Idempotency-Key`, when a call has one.
    pub fn creating(self, family: Family) -> Self {
        Self { creates: Some(family), ..self }
    }

    /// Lets pages of any origin call: the handler says which of them may read the answer.
    pub fn for_pages(self) -> Self {
        Self { is_for_pages: true, ..self }
    }

    /// Shows errors in shapes and with statuses of their own, and those in the envelope that `shape` has none
    /// for.
    pub fn with_errors(self, shape: ErrorShape) -> Self {
        Self { error_shape: Some(shape), ..self }
    }
}

impl From<Product> for Terms {
    fn from(product: Product) -> Self {
        Self::of(product)
    }
}
