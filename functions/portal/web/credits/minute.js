// The organization's call limit per minute, and the number of calls used.

import { html } from 'htm/preact';
import { minute } from '../api/limits.js';
import { organization } from '../api/account.js';
import { count, number } from '../ui/format.js';

/** Shows the limit and the number of calls used in the current minute. */
export function Minute() {
  const limits = organization.value?.limits;
  if (!limits) return null;
  const isNow = minute.value !== null && minute.value.resetsAt > Date.now();
  const used = isNow && minute.value ? minute.value.limit - minute.value.remaining : 0;
  return html`
    <div class="minute">
      <h3>This minute</h3>
      <progress max=${limits.calls_per_minute} value=${used} aria-label="Calls this minute"></progress>
      <p>
        Your organization can make <strong>${count(limits.calls_per_minute, 'call')} a minute</strong>.${' '}
        ${used > 0 ? `${number(used)} used this minute.` : 'The portal hasn’t used any this minute.'}${' '}
        Calls for keys, webhooks, members, and usage have a separate limit of
        ${' '}${number(limits.account_calls_per_minute)} a minute per person.
      </p>
    </div>`;
}
