//! The tools: operations of the API that agents can call.

use std::sync::LazyLock;

use accounting::{Credits, Product};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};
use strum::IntoEnumIterator;

/// The argument for the price of a purchase.
pub(crate) const CREDITS: &str = "credits";

/// A tool: an operation of the API and its arguments. `tools.yaml` and openapi.yaml define it.
#[derive(Clone, Debug, Deserialize)]
pub struct Definition {
    /// The operation's ID in openapi.yaml.
    pub name: String,
    title: String,
    description: String,
    product: String,
    pub effect: Effect,
    /// The HTTP method, such as `POST`.
    pub method: String,
    /// The path in openapi.yaml, such as `/place/profiles/{place_id}`.
    pub path: String,
    pub(crate) is_on_search_gateway: bool,
    /// The arguments that are sent in the query.
    pub(crate) query: Vec<String>,
    /// The arguments that are sent as headers, each with the header's name.
    pub(crate) headers: Vec<(String, String)>,
    /// Whether all other arguments are sent as the body.
    pub(crate) has_body: bool,
    /// The JSON schema of each argument, by the argument's name.
    pub(crate) properties: JsonObject,
    pub(crate) required: Vec<String>,
}

/// The effect of a tool on the organization's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    Read,
    Add,
    Change,
    Delete,
    /// Buys something with the organization's credits. The caller must state the price as an argument.
    Buy,
}

/// Returns the definitions of all tools, which are parsed on first use.
pub fn definitions() -> &'static [Definition] {
    static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(|| {
        let json = include_str!(concat!(env!("OUT_DIR"), "/tools.json"));
        serde_json::from_str(json).expect("the build script writes valid tools")
    });
    &DEFINITIONS
}

impl Definition {
    /// Returns the product that calls are billed as.
    pub fn product(&self) -> Product {
        let product = Product::iter().find(|product| product.name() == self.product);
        product.expect("tools.yaml names existing products")
    }

    /// Returns the price of a call in credits. For a tool that buys something, this is the price of the
    /// purchase.
    pub(crate) fn price(&self, measurement_credits: Option<Credits>) -> Credits {
        match (self.effect, measurement_credits) {
            (Effect::Buy, Some(credits)) => credits,
            _ => self.product().credits().into(),
        }
    }

    /// Returns the description for clients. `measurement_credits` is the price of a measurement.
    pub(crate) fn to_tool(&self, measurement_credits: Option<Credits>) -> Tool {
        let price = self.price(measurement_credits);
        let cost = match self.effect {
            Effect::Buy => {
                format!("The purchase costs {}. Pass this price as the `{CREDITS}` argument.", credits(price))
            }
            _ if price == 0 => "The call is free.".to_owned(),
            _ => format!("The call costs {}.", credits(price)),
        };
        let description = format!("{}\n\n{cost}", self.description);
        Tool::new(self.name.clone(), description, self.input_schema())
            .with_title(self.title.clone())
            .with_annotations(self.annotations())
            .with_meta(MetaObject(JsonObject::from_iter([(CREDITS.to_owned(), Value::from(price))])))
    }

    fn input_schema(&self) -> JsonObject {
        let mut properties = self.properties.clone();
        let mut required = self.required.clone();
        if self.effect == Effect::Buy {
            let description = "The price of the purchase in credits, to which the user agreed.";
            properties.insert(CREDITS.to_owned(), json!({"type": "integer", "description": description}));
            required.push(CREDITS.to_owned());
        }
        JsonObject::from_iter([
            ("type".to_owned(), Value::from("object")),
            ("properties".to_owned(), Value::from(properties)),
            ("required".to_owned(), Value::from(required)),
            ("additionalProperties".to_owned(), Value::from(false)),
        ])
    }

    fn annotations(&self) -> ToolAnnotations {
        let is_destructive = matches!(self.effect, Effect::Change | Effect::Delete | Effect::Buy);
        ToolAnnotations::with_title(self.title.clone())
            .read_only(self.effect == Effect::Read)
            .destructive(is_destructive)
            // Calls that create or buy something require an idempotency key.
            .idempotent(true)
            .open_world(false)
    }
}

fn credits(count: Credits) -> String {
    if count == 1 { "1 credit".to_owned() } else { format!("{count} credits") }
}
