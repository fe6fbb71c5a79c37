//! The identity of a step of an account, by which it happens at most once.

use ring::digest::{SHA256, digest};

use crate::dynamo::{AccountChange, MarkedChange, MarkerChange, RetryMarker, RetryMarkers};
use crate::types::{EventId, RequestId};

/// The slots that an account has for the retry markers of recent steps.
const SLOTS: u8 = 44;

/// The identity of one step of an account: a digest of what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepId([u8; 6]);

impl StepId {
    /// Names the charge of a call.
    pub fn charge(request: RequestId) -> Self {
        Self::of(&[b"charge", request.as_bytes()])
    }

    /// Names the refund of a call, which has a slot of its own.
    pub fn refund(request: RequestId) -> Self {
        Self::of(&[b"refund", request.as_bytes()])
    }

    /// Names what a measurement event does to an account.
    pub fn event(id: &EventId) -> Self {
        Self::of(&[b"event", id.as_str().as_bytes()])
    }

    /// Marks a change of an account, as it was read, as this step's.
    pub fn mark(self, change: AccountChange, seen: &RetryMarkers, attempt: u8) -> MarkedChange {
        let (slot, after) = (self.slot(), RetryMarker { step: self.0, attempt });
        MarkedChange { marker: MarkerChange { slot, before: seen.get(slot), after }, change }
    }

    pub(super) fn slot(self) -> u8 {
        self.0[0] % SLOTS
    }

    /// Returns the number of the try that left a marker; `None` when the marker is another step's.
    pub(super) fn attempt_of(self, marker: RetryMarker) -> Option<u8> {
        (marker.step == self.0).then_some(marker.attempt)
    }

    fn of(parts: &[&[u8]]) -> Self {
        let digest = digest(&SHA256, &parts.concat());
        Self(*digest.as_ref().first_chunk().expect("a digest has 32 bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_takes_its_slot_on_the_condition_that_it_is_as_it_was_seen() {
        let (one, other) = (StepId([45, 1, 2, 3, 4, 5]), StepId([1, 9, 9, 9, 9, 9]));
        let first = one.mark(AccountChange::default(), &RetryMarkers::default(), 3).marker;
        assert_eq!((first.slot, first.before), (1, None));
        assert_eq!((one.attempt_of(first.after), other.attempt_of(first.after)), (Some(3), None));
        let seen = [(first.slot, first.after)].into_iter().collect();
        let second = other.mark(AccountChange::default(), &seen, 0).marker;
        assert_eq!(
            (second.slot, second.before),
            (1, Some(first.after)),
            "44 slots, the first byte's remainder"
        );
    }

    #[test]
    fn charge_refund_and_event_of_one_name_are_three_steps() {
        let request = RequestId::from_random([7; 16]);
        let event: EventId = "evt-1".parse().expect("an id");
        let steps = [StepId::charge(request), StepId::refund(request), StepId::event(&event)];
        assert!(steps[0] != steps[1] && steps[1] != steps[2] && steps[0] != steps[2]);
    }
}
