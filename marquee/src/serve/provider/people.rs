//! Who can sign in: two people of every start, and those that somebody makes up.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use lru::LruCache;
use shared::types::{Email, Person};

use super::issuer::LocalIssuer;

/// How many of those that were made up are remembered: the page lists them all.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(100).expect("not 0");

/// The length of what a made-up person's subject has of the digest of their address: no two meet.
const SUBJECT_DIGITS: usize = 32;

pub(super) struct People {
    developer: Person,
    newcomer: Person,
    /// By their subjects.
    made_up: Mutex<LruCache<String, Person>>,
}

impl People {
    pub(super) fn of(issuer: &LocalIssuer) -> Self {
        Self {
            developer: issuer.developer(),
            newcomer: issuer.newcomer(),
            made_up: Mutex::new(LruCache::new(REMEMBERED)),
        }
    }

    /// Finds somebody by their subject.
    pub(super) fn find(&self, subject: &str) -> Option<Person> {
        let known = [&self.developer, &self.newcomer].into_iter();
        let known = known.into_iter().find(|person| person.subject.subject == subject);
        known.cloned().or_else(|| self.lock().get(subject).cloned())
    }

    /// Makes somebody up, or finds them again: an address is the same person's after a restart, too, since
    /// the data folder has their organization.
    pub(super) fn make_up(&self, email: Email, is_email_verified: bool) -> Person {
        for known in [&self.developer, &self.newcomer] {
            if known.email.as_ref() == Some(&email) {
                return Person { is_email_verified, ..known.clone() };
            }
        }
        let mut subject = self.developer.subject.clone();
        subject.subject = format!("local-{}", &email.digest()[..SUBJECT_DIGITS]);
        let person = Person { subject, email: Some(email), is_email_verified };
        self.lock().put(person.subject.subject.clone(), person.clone());
        person
    }

    /// Lists those that were made up, the latest first.
    pub(super) fn made_up(&self) -> Vec<Person> {
        self.lock().iter().map(|(_, person)| person.clone()).collect()
    }

    /// Returns the person who has an organization from the start.
    pub(super) fn developer(&self) -> &Person {
        &self.developer
    }

    /// Returns the person who can sign up.
    pub(super) fn newcomer(&self) -> &Person {
        &self.newcomer
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<String, Person>> {
        self.made_up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
