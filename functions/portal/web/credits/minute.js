// The limit of a minute: how many calls the organization may make, and what is left of them now.

import { html } from 'htm/preact';
import { minute } from '../api/limits.js';
import { organization } from '../api/account.js';
import { count, number } from '../ui/format.js';

/** Shows the limit, and the minute that the last counted call was in. */
export function Minute() {
  const limits = organization.value?.limits;
  if (!limits) return null;
  const isNow = minute.value !== null && minute.value.resetsAt > Date.now();
  const used = isNow && minute.value ? minute.value.limit - minute.value.remaining : 0;
  return html`
    <div class="minute">
      <h3>This minute</h3>
      <progress max=${limits.calls_per_minute} value=${used} aria-label="Calls of this minute"></progress>
      <p>
        Your organization may make <strong>${count(limits.calls_per_minute, 'call')} a minute</strong>;${' '}
        ${used > 0
          ? `at the last call of these pages, ${number(used)} were used.`
          : 'these pages have made none in this minute.'}${' '}
        Calls about keys, members and usage do not count there: each person has${' '}
        ${number(limits.account_calls_per_minute)} of those a minute.
      </p>
    </div>`;
}
