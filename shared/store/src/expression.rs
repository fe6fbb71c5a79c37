//! Builds update expressions and their conditions.

use std::collections::HashMap;

use accounting::Timestamp;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem,
    Update,
};

use super::item::{Item, NewItem, number};

/// An update expression with its condition, names, and values.
#[derive(Debug, Default)]
pub(super) struct Expression {
    sets: Vec<String>,
    removes: Vec<String>,
    conditions: Vec<String>,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
    returns_item: bool,
}

impl Expression {
    /// Returns the placeholder for an attribute's name.
    pub(super) fn name(&mut self, name: &str) -> String {
        if let Some(placeholder) =
            self.names.iter().find_map(|(key, value)| (value == name).then(|| key.clone()))
        {
            return placeholder;
        }
        let placeholder = format!("#n{}", self.names.len());
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    /// Returns the placeholder for a value.
    pub(super) fn value(&mut self, value: AttributeValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// Returns the document path of an entry in a top-level map.
    pub(super) fn path(&mut self, map: &str, entry: &str) -> String {
        format!("{}.{}", self.name(map), self.name(entry))
    }

    /// Sets a top-level attribute.
    pub(super) fn set(&mut self, name: &str, value: AttributeValue) {
        let (name, value) = (self.name(name), self.value(value));
        self.sets.push(format!("{name} = {value}"));
    }

    /// Sets several top-level attributes.
    pub(super) fn set_all(&mut self, attributes: NewItem) {
        attributes.build().into_iter().for_each(|(name, value)| self.set(&name, value));
    }

    /// Adds a clause to the `SET` part of the update.
    pub(super) fn set_clause(&mut self, clause: String) {
        self.sets.push(clause);
    }

    /// Adds to a top-level number, which must exist.
    pub(super) fn add(&mut self, name: &str, added: impl ToString) {
        let (path, added) = (self.name(name), self.value(number(added)));
        self.sets.push(format!("{path} = {path} + {added}"));
    }

    /// Adds to the number at a path. A missing number counts as 0.
    pub(super) fn add_at(&mut self, path: String, added: impl ToString) {
        let (zero, added) = (self.value(number(0)), self.value(number(added)));
        self.sets.push(format!("{path} = if_not_exists({path}, {zero}) + {added}"));
    }

    /// Increments the number at a path, on the condition that it's below `limit`. A missing number counts as
    /// 0.
    pub(super) fn count_below(&mut self, path: String, limit: impl ToString) {
        let limit = self.value(number(limit));
        self.require(format!("(attribute_not_exists({path}) OR {path} < {limit})"));
        self.add_at(path, 1);
    }

    /// Sets the time when the database can delete the item.
    pub(super) fn set_time_to_live(&mut self, until: Timestamp) {
        self.set("ttl", number(until.unix_seconds()));
    }

    /// Removes a top-level attribute.
    pub(super) fn remove(&mut self, name: &str) {
        let name = self.name(name);
        self.removes.push(name);
    }

    /// Sets a top-level attribute or removes it if the value is `None`.
    pub(super) fn set_or_remove(&mut self, name: &str, value: Option<AttributeValue>) {
        match value {
            Some(value) => self.set(name, value),
            None => self.remove(name),
        }
    }

    /// Sets a top-level attribute if it doesn't exist yet.
    pub(super) fn set_if_missing(&mut self, name: &str, value: AttributeValue) {
        let (name, value) = (self.name(name), self.value(value));
        self.sets.push(format!("{name} = if_not_exists({name}, {value})"));
    }

    /// Adds a condition. The write succeeds only if all conditions are met.
    pub(super) fn require(&mut self, condition: impl Into<String>) {
        self.conditions.push(condition.into());
    }

    /// Requires a top-level attribute to equal a value.
    pub(super) fn require_equal(&mut self, name: &str, value: AttributeValue) {
        let (name, value) = (self.name(name), self.value(value));
        self.conditions.push(format!("{name} = {value}"));
    }

    /// Requires a top-level number to be less than `limit`.
    pub(super) fn require_less(&mut self, name: &str, limit: impl ToString) {
        let (name, limit) = (self.name(name), self.value(number(limit)));
        self.conditions.push(format!("{name} < {limit}"));
    }

    /// Makes the database return the current item if the condition of this write fails.
    pub(super) fn returning_item(self) -> Self {
        Self { returns_item: true, ..self }
    }

    /// Returns an update for use in a transaction.
    pub(super) fn into_write(self, table: &str, key: Item) -> TransactWriteItem {
        let update = Update::builder()
            .table_name(table)
            .set_key(Some(key))
            .update_expression(self.update())
            .set_condition_expression(self.condition())
            .set_expression_attribute_names(self.names())
            .set_expression_attribute_values(self.values())
            .set_return_values_on_condition_check_failure(self.on_failure());
        TransactWriteItem::builder()
            .update(update.build().expect("the table, key, and expression are set"))
            .build()
    }

    /// Returns a conditional put for use in a transaction.
    pub(super) fn into_put(self, table: &str, item: Item) -> TransactWriteItem {
        let put = Put::builder()
            .table_name(table)
            .set_item(Some(item))
            .set_condition_expression(self.condition())
            .set_expression_attribute_names(self.names())
            .set_expression_attribute_values(self.values())
            .set_return_values_on_condition_check_failure(self.on_failure());
        TransactWriteItem::builder().put(put.build().expect("the table and the item are set")).build()
    }

    /// Returns a conditional delete for use in a transaction.
    pub(super) fn into_delete(self, table: &str, key: Item) -> TransactWriteItem {
        let delete = Delete::builder()
            .table_name(table)
            .set_key(Some(key))
            .set_condition_expression(self.condition())
            .set_expression_attribute_names(self.names())
            .set_expression_attribute_values(self.values());
        TransactWriteItem::builder().delete(delete.build().expect("the table and the key are set")).build()
    }

    /// Returns a condition check for use in a transaction. The check doesn't write anything.
    pub(super) fn into_check(self, table: &str, key: Item) -> TransactWriteItem {
        let check = ConditionCheck::builder()
            .table_name(table)
            .set_key(Some(key))
            .set_condition_expression(self.condition())
            .set_expression_attribute_names(self.names())
            .set_expression_attribute_values(self.values());
        let check = check.build().expect("the table, key, and condition are set");
        TransactWriteItem::builder().condition_check(check).build()
    }

    /// Returns an update of a single item, outside a transaction.
    pub(super) fn into_update(self, client: &Client, table: &str, key: Item) -> UpdateItemFluentBuilder {
        let update = client.update_item().table_name(table).set_key(Some(key));
        update
            .update_expression(self.update())
            .set_condition_expression(self.condition())
            .set_expression_attribute_names(self.names())
            .set_expression_attribute_values(self.values())
    }

    fn update(&self) -> String {
        let clauses = [("SET", &self.sets), ("REMOVE", &self.removes)];
        let clauses = clauses.iter().filter(|(_, list)| !list.is_empty());
        clauses.map(|(verb, list)| format!("{verb} {}", list.join(", "))).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(" AND "))
    }

    /// Returns the attribute names, or `None` if there are none, because the database rejects an empty map.
    pub(super) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    /// Returns the values, or `None` if there are none, because the database rejects an empty map.
    pub(super) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }

    fn on_failure(&self) -> Option<ReturnValuesOnConditionCheckFailure> {
        self.returns_item.then_some(ReturnValuesOnConditionCheckFailure::AllOld)
    }
}
