//! `GET /v2/changes`: the changes to an organization's assets, in order and without gaps.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

use accounting::{OrgId, Timestamp};
use axum::extract::State;
use gateway::{ApiError, App, Caller, Code, QueryParameters, Reply, Violations, read_cursor, write_cursor};
use serde::Serialize;
use serde_json::value::RawValue;
use store::{CHANGE_DAYS, ChangePage, ChangeType, Changes, MessageId, RecordedChange};

/// A page of changes. See `ChangeList` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct ChangeList {
    changes: Vec<ShownChange>,
    /// The cursor for the next page. It's also set on the last page, so that later changes can be fetched
    /// with it.
    cursor: String,
    has_more: bool,
}

/// A change, in the same format as the body of a webhook delivery.
#[derive(Debug, Serialize)]
struct ShownChange {
    change_id: MessageId,
    #[serde(rename = "type")]
    change_type: ChangeType,
    timestamp: Timestamp,
    data: Box<RawValue>,
}

/// Responds with the changes after the cursor in the request, or with the oldest stored changes if there is
/// no cursor. A page can contain fewer than `limit` changes even if more follow, because changes to keys and
/// credits are omitted.
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    parameters: QueryParameters,
) -> Result<Reply<ChangeList>, ApiError> {
    let mut violations = Violations::default();
    parameters.allow(&["cursor", "limit"], &mut violations);
    let limit = parameters.limit(&mut violations);
    let name = list_name(caller.org());
    let after = parameters.cursor("organization", |text| number_in(&name, text), &mut violations);
    violations.or(())?;
    let changes = Changes::new(app.dynamo.clone());
    let page = changes.page(caller.org(), after, limit, app.clock.now()).await?;
    let (changes, last, has_more) = match page {
        ChangePage::Read { changes, last, has_more } => (changes, last, has_more),
        ChangePage::Expired => return Err(expired()),
        ChangePage::Ahead => {
            return Err(Violations::one("?cursor", "must be a cursor that this list returned").into());
        }
    };
    let changes = changes.into_iter().filter(is_of_an_asset).map(ShownChange::new).collect();
    let cursor = write_cursor(&name, last.to_string().as_bytes());
    Ok(Reply::new(ChangeList { changes, cursor, has_more }))
}

impl ShownChange {
    fn new(change: RecordedChange) -> Self {
        let change_id = change.id();
        let RecordedChange { number: _, change_type, at, recorded_at: _, data } = change;
        let data = RawValue::from_string(data).expect("the details are a JSON object");
        Self { change_id, change_type, timestamp: at, data }
    }
}

/// Returns whether a change is listed. Changes to keys and credits are delivered only to webhooks, which only
/// owners can manage.
fn is_of_an_asset(change: &RecordedChange) -> bool {
    match change.change_type {
        ChangeType::AssetCreated
        | ChangeType::AssetUpdated
        | ChangeType::AssetStateChanged
        | ChangeType::AssetDeleted => true,
        ChangeType::KeyCreated | ChangeType::KeyRevoked | ChangeType::CreditsLow => false,
    }
}

fn list_name(org: &OrgId) -> String {
    format!("{org}\nchanges")
}

fn number_in(list: &str, cursor: &str) -> Option<u64> {
    String::from_utf8(read_cursor(list, cursor)?).ok()?.parse().ok()
}

fn expired() -> ApiError {
    let message = format!(
        "changes are kept for {CHANGE_DAYS} days, and some changes after this cursor have been deleted; read \
         all assets again, then list the changes without a cursor"
    );
    ApiError::new(Code::CursorExpired, message)
}
