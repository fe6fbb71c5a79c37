//! What a person must be at the moment of a write, whatever a process remembers of them.
//!
//! Decided in `docs/decisions/0040-members-and-invitations.md`.

use accounting::OrgId;
use aws_sdk_dynamodb::types::builders::ConditionCheckBuilder;
use aws_sdk_dynamodb::types::{ConditionCheck, TransactWriteItem};

use super::client::Dynamo;
use super::item::{key, text};
use super::keys;
use crate::{Role, Subject};

/// Makes the condition that a person is an owner of an organization.
pub(super) fn is_owner(dynamo: &Dynamo, org: &OrgId, person: &Subject) -> TransactWriteItem {
    let check = check(dynamo, org, person)
        .condition_expression("org = :org AND #role = :owner")
        .expression_attribute_names("#role", "role")
        .expression_attribute_values(":owner", text(Role::Owner.to_string()));
    write(check)
}

/// Makes the condition that a person belongs to an organization.
pub(super) fn is_member(dynamo: &Dynamo, org: &OrgId, person: &Subject) -> TransactWriteItem {
    write(check(dynamo, org, person).condition_expression("org = :org"))
}

fn check(dynamo: &Dynamo, org: &OrgId, person: &Subject) -> ConditionCheckBuilder {
    ConditionCheck::builder()
        .table_name(&dynamo.credentials)
        .set_key(Some(key(keys::subject(person), keys::SUBJECT)))
        .expression_attribute_values(":org", text(org.as_str()))
}

fn write(check: ConditionCheckBuilder) -> TransactWriteItem {
    let check = check.build().expect("table, key and condition are set");
    TransactWriteItem::builder().condition_check(check).build()
}
