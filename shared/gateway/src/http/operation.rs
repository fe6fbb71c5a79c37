//! The operations of a router, and their terms.

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
    /// The path. Its parameters are written as `{name}`.
    pub path: &'static str,
    pub terms: Terms,
}

/// The terms for calling an operation.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub product: Product,
    /// The credentials that the operation accepts. They are the product's, except on the search gateway.
    pub auth: AuthRequirement,
    /// The table that the response contains, if it's also available as a file.
    pub table: Option<&'static Table>,
    /// Whether all calls that end in an error are refunded, including those with a client error.
    pub errors_are_free: bool,
    /// The family of the assets that the operation creates, if it supports idempotency keys.
    pub(super) creates: Option<Family>,
    /// The family of the assets that the operation changes, if it's a batch. The operations of the batch are
    /// charged instead of the call.
    pub(super) batches: Option<Family>,
    /// Whether the operation accepts requests from pages of any origin. The handler decides which pages can
    /// read the response.
    pub(super) is_for_pages: bool,
    pub(super) error_shape: Option<ErrorShape>,
}

/// A function that returns the status and body of an error. Returns `None` if the error uses the envelope.
pub(super) type ErrorShape = fn(&ApiError) -> Option<(StatusCode, Value)>;

impl Operation {
    /// Returns whether the operation handles requests with the given method.
    pub(super) fn takes(&self, method: &Method) -> bool {
        self.method == *method || (*method == Method::HEAD && self.supports_head())
    }

    /// Returns whether the operation supports `HEAD`. Only free `GET` operations do. Otherwise, callers would
    /// be charged for a response without a body.
    pub(super) fn supports_head(&self) -> bool {
        self.method == Method::GET && self.terms.product.credits() == 0
    }
}

impl Terms {
    /// Creates the terms of a product, with the credentials that the product accepts.
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

    /// Also makes the table in the response available as a file.
    pub fn with_table(self, table: &'static Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Accepts only API keys in the header `apikey`, like the search gateway, regardless of the credentials
    /// that the product accepts elsewhere.
    pub fn with_search_key(self) -> Self {
        Self { auth: AuthRequirement::SearchKey, ..self }
    }

    /// Refunds all calls that end in an error. Other operations charge for client errors such as a 400.
    pub fn with_free_errors(self) -> Self {
        Self { errors_are_free: true, ..self }
    }

    /// Supports `Idempotency-Key`: requests with the same key create only one asset of the family.
    pub fn creating(self, family: Family) -> Self {
        Self { creates: Some(family), ..self }
    }

    /// Charges the operations of a batch that changes assets of the family, instead of the call.
    pub fn batching(self, family: Family) -> Self {
        Self { batches: Some(family), errors_are_free: true, ..self }
    }

    /// Accepts requests from pages of any origin. The handler decides which pages can read the response.
    pub fn for_pages(self) -> Self {
        Self { is_for_pages: true, ..self }
    }

    /// Sets a function that writes errors. If it returns `None`, the error uses the envelope.
    pub fn with_errors(self, shape: ErrorShape) -> Self {
        Self { error_shape: Some(shape), ..self }
    }
}

impl From<Product> for Terms {
    fn from(product: Product) -> Self {
        Self::of(product)
    }
}
