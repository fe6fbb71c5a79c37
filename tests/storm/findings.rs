//! The results of a storm, for each kill and in total.

use std::time::Duration;

use accounting::OrgId;

use crate::books::Sums;
use crate::organization::Audit;

#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) kills: u64,
    /// The number of processes that were killed during startup.
    pub(crate) early_kills: u64,
    /// The number of acknowledged writes that were checked.
    pub(crate) writes: u64,
    /// The number of keys that were compared with their stored state and then used.
    pub(crate) keys: u64,
    calls: u64,
    unanswered: usize,
    assets: u64,
    charged_calls: i64,
    charged_credits: i64,
    unknown_entries: usize,
    sent_again: u64,
    repeats: u64,
    paid_twice: u64,
    sums: Sums,
}

impl Findings {
    /// Adds the audits after a kill to the totals and prints a summary of them.
    pub(crate) fn enter(&mut self, number: u64, calm: Duration, audits: &[(OrgId, Audit)]) {
        let (mut calls, mut unanswered, mut charged) = (0, 0, Vec::new());
        self.sums = Sums::default();
        for (org, audit) in audits {
            calls += audit.calls;
            unanswered += audit.unanswered.len();
            self.writes += audit.writes;
            self.assets += audit.assets;
            self.unknown_entries += audit.unknown_entries;
            self.sent_again += audit.sent_again;
            self.repeats += audit.repeats;
            self.paid_twice += audit.paid_twice;
            self.sums.add(audit.sums);
            for (name, line) in &audit.charged {
                self.charged_calls += line.calls;
                self.charged_credits += line.credits;
                let sent = audit.unanswered.iter().filter(|call| call.product == name);
                let sent: Vec<_> = sent.map(|call| call.call.as_str()).collect();
                charged.push(format!("{org}: {} for {} of [{}]", line.credits, line.calls, sent.join(", ")));
            }
        }
        self.calls += calls;
        self.unanswered += unanswered;
        println!(
            "kill {number} after {} ms: {calls} calls, {unanswered} without an answer, charged: {}",
            calm.as_millis(),
            if charged.is_empty() { "none".to_owned() } else { charged.join("; ") }
        );
    }

    pub(crate) fn print(&self, elapsed: Duration) {
        let Sums { granted, left, used, expired } = self.sums;
        let rows = [
            ("kills + kills during startup", format!("{} + {}", self.kills, self.early_kills)),
            ("seconds", elapsed.as_secs().to_string()),
            ("calls", self.calls.to_string()),
            ("calls without an answer", self.unanswered.to_string()),
            (
                "charged without an answer: calls, credits",
                format!("{}, {}", self.charged_calls, self.charged_credits),
            ),
            ("recent entries without an answer", self.unknown_entries.to_string()),
            ("creates repeated with their key", self.sent_again.to_string()),
            ("repeated creates: free replays", self.repeats.to_string()),
            ("repeated creates: charged twice", self.paid_twice.to_string()),
            ("acknowledged writes checked", self.writes.to_string()),
            ("assets compared", self.assets.to_string()),
            ("created keys compared and used", self.keys.to_string()),
            ("granted = left + used + expired", format!("{granted} = {left} + {used} + {expired}")),
        ];
        println!();
        for (what, figure) in rows {
            println!("{what:<46} {figure}");
        }
    }
}
