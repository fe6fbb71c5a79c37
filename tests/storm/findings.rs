//! What the looks of a storm found, kill by kill and in all.

use std::time::Duration;

use accounting::OrgId;

use crate::books::Sums;
use crate::organization::Look;

#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) kills: u64,
    /// The starts that were killed before they were waited for.
    pub(crate) early_kills: u64,
    /// The acknowledged writes that were looked for.
    pub(crate) writes: u64,
    /// The keys that were compared, and used.
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
    /// Enters what was found after a kill, and tells of it.
    pub(crate) fn enter(&mut self, number: u64, calm: Duration, looks: &[(OrgId, Look)]) {
        let (mut calls, mut unanswered, mut charged) = (0, 0, Vec::new());
        self.sums = Sums::default();
        for (org, look) in looks {
            calls += look.calls;
            unanswered += look.unanswered.len();
            self.writes += look.writes;
            self.assets += look.assets;
            self.unknown_entries += look.unknown_entries;
            self.sent_again += look.sent_again;
            self.repeats += look.repeats;
            self.paid_twice += look.paid_twice;
            self.sums.add(look.sums);
            for (name, line) in &look.charged {
                self.charged_calls += line.calls;
                self.charged_credits += line.credits;
                let sent = look.unanswered.iter().filter(|call| call.product == name);
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
            ("kills, and starts killed besides", format!("{} + {}", self.kills, self.early_kills)),
            ("seconds", elapsed.as_secs().to_string()),
            ("calls", self.calls.to_string()),
            ("calls without an answer", self.unanswered.to_string()),
            ("of these charged: calls, credits", format!("{}, {}", self.charged_calls, self.charged_credits)),
            ("recent entries known by no answer", self.unknown_entries.to_string()),
            ("creates sent again by their keys", self.sent_again.to_string()),
            ("of these repeats of an asset, free", self.repeats.to_string()),
            ("of these paid twice: killed before the asset", self.paid_twice.to_string()),
            ("acknowledged writes looked for", self.writes.to_string()),
            ("assets compared whole", self.assets.to_string()),
            ("minted keys compared and used", self.keys.to_string()),
            ("granted = left + used + expired", format!("{granted} = {left} + {used} + {expired}")),
        ];
        println!();
        for (what, figure) in rows {
            println!("{what:<46} {figure}");
        }
    }
}
