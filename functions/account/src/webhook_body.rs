//! The bodies of requests that create and change webhooks.

use std::collections::BTreeSet;

use deserr::Deserr;
use gateway::{InvalidValue, Items, Named, Parsed, Violations};
use store::{ChangeType, WebhookEdit, WebhookUrl};

use crate::distinct::distinct;

/// The body of a request to create a webhook. See `WebhookRequest` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct WebhookBody {
    pub(crate) url: Parsed<WebhookUrl>,
    pub(crate) event_types: EventTypes,
}

/// The body of a request to change a webhook. See `WebhookEdit` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct WebhookEditBody {
    url: Option<Parsed<WebhookUrl>>,
    event_types: Option<EventTypes>,
    enabled: Option<bool>,
}

/// A list of change types with at least one item and without duplicates.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(Items<Named<ChangeType>, 1>) = EventTypes::new -> InvalidValue)]
pub(crate) struct EventTypes(pub(crate) BTreeSet<ChangeType>);

impl WebhookEditBody {
    pub(crate) fn into_edit(self) -> WebhookEdit {
        let Self { url, event_types, enabled } = self;
        WebhookEdit {
            url: url.map(|Parsed(url)| url),
            event_types: event_types.map(|EventTypes(types)| types),
            is_enabled: enabled,
        }
    }
}

impl EventTypes {
    fn new(named: Items<Named<ChangeType>, 1>) -> Result<Self, InvalidValue> {
        distinct(named, "type").map(Self)
    }
}
