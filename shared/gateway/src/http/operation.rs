//! A router's operations and their terms.

use accounting::{AuthRequirement, Product};
use http::{Method, StatusCode};
use serde_json::Value;
use store::Family;

use super::tables::Table;
use crate::error::ApiError;

/// A method and path, and the terms for calling them.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    /// The path, with parameters written as `{name}`.
    pub path: &'static str,
    pub terms: Terms,
}

/// How an operation's calls are authorized and charged, and which response formats they support.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub product: Product,
    /// The accepted credentials. They depend only on the product, except on the search gateway.
    pub auth: AuthRequirement,
    /// The table in the response, if it's also available as a file.
    pub table: Option<&'static Table>,
    /// Whether calls that return a client error are also refunded.
    pub errors_are_free: bool,
    /// The family of the created assets, if the operation supports idempotency keys.
    pub(super) creates: Option<Family>,
    /// The family of the changed assets, if the operation is a batch. A batch's operations are charged
    /// instead of the call.
    pub(super) batches: Option<Family>,
    /// Whether pages on any origin can send requests. The handler decides which pages can read the response.
    pub(super) is_for_pages: bool,
    pub(super) error_shape: Option<ErrorShape>,
}

/// Returns an error's status and body, or `None` if the error uses the envelope.
pub(super) type ErrorShape = fn(&ApiError) -> Option<(StatusCode, Value)>;

impl Operation {
    /// Returns whether the operation handles the given method.
    pub(super) fn takes(&self, method: &Method) -> bool {
        self.method == *method || (*method == Method::HEAD && self.supports_head())
    }

    /// Returns whether the operation supports `HEAD`. Only free `GET` operations do, because callers
    /// shouldn't be charged for a response without a body.
    pub(super) fn supports_head(&self) -> bool {
        self.method == Method::GET && self.terms.product.credits() == 0
    }
}

impl Terms {
    /// Creates the terms for a product, with the credentials that the product accepts.
    pub fn of(product: Product) -> Self {
        Self {
            product,
            auth: product.auth(),
            table: None,
            errors_are_free: false,
            creates: None,
            batches: None,
            is_for_pages: false,
            error_shape: None,
        }
    }

    /// Also offers the response's table as a file.
    pub fn with_table(self, table: &'static Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Accepts only API keys in the `apikey` header, like the search gateway, regardless of the product's
    /// credentials elsewhere.
    pub fn with_search_key(self) -> Self {
        Self { auth: AuthRequirement::SearchKey, ..self }
    }

    /// Also refunds calls that return a client error, such as a 400.
    pub fn with_free_errors(self) -> Self {
        Self { errors_are_free: true, ..self }
    }

    /// Supports `Idempotency-Key`: requests with the same key create only one asset, which belongs to
    /// `family`.
    pub fn creating(self, family: Family) -> Self {
        Self { creates: Some(family), ..self }
    }

    /// Charges a batch's operations instead of the call. The operations change assets of the given family.
    pub fn batching(self, family: Family) -> Self {
        Self { batches: Some(family), errors_are_free: true, ..self }
    }

    /// Accepts requests from pages on any origin. The handler decides which pages can read the response.
    pub fn for_pages(self) -> Self {
        Self { is_for_pages: true, ..self }
    }

    /// Sets a function that writes errors. The envelope is used if it returns `None`.
    pub fn with_errors(self, shape: ErrorShape) -> Self {
        Self { error_shape: Some(shape), ..self }
    }
}

impl From<Product> for Terms {
    fn from(product: Product) -> Self {
        Self::of(product)
    }
}
