// A webhook with its actions and its deliveries.

import { html } from 'htm/preact';
import { useId, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { Copy } from '../../ui/copy.js';
import { Failure } from '../../ui/failure.js';
import { date, time } from '../../ui/format.js';
import { who } from '../../ui/who.js';
import { describe } from './changes.js';
import { Deliveries } from './deliveries.js';
import { WebhookForm } from './form.js';
import { Delete, Disable, ReplaceSecret } from './questions.js';
import { useDeliveries } from './use-deliveries.js';

/** @typedef {import('../../api/types').Schema<'Webhook'>} ListedWebhook */
/** @typedef {import('../../api/types').Answer<'rotate_webhook_secret'>['data']} WithSecret */

/**
 * @typedef {object} Props
 * @property {ListedWebhook} webhook
 * @property {() => void} onChanged
 * @property {(webhook: WithSecret) => void} onSecret is called with a new secret
 * @property {() => void} onLost is called if the call for a new secret gets no response
 * @property {() => void} onDeleted
 */

/** The open dialog. */
/** @typedef {'edit' | 'disable' | 'replace' | 'delete' | null} Asked */

/** The texts that state why a webhook is disabled, and what to do. */
/** @type {Record<NonNullable<ListedWebhook['disabled_reason']>, (when: string) => string>} */
const REASONS = {
  owner: (when) => `An owner disabled this webhook on ${when}.`,
  failures: (when) => `Marquee disabled this webhook on ${when}, because all attempts to deliver a change `
    + 'failed within 24 hours. Fix the server, then enable the webhook.',
  gone: (when) => `Marquee disabled this webhook on ${when}, because the server responded with status 410 `
    + '(Gone). Fix the server, then enable the webhook.',
};

/**
 * Shows a webhook.
 * @param {Props} props
 */
export function Webhook({ webhook, ...on }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { webhook_id: own, url, enabled: isEnabled } = webhook;
  const deliveries = useDeliveries(own, isOpen);
  const open = (/** @type {boolean} */ isNowOpen) => {
    setIsOpen(isNowOpen);
    deliveries.reload();
  };
  // Sending a test also opens the list. The `toggle` event that follows must not load the deliveries again.
  const toggle = (/** @type {any} */ { target }) => target.open !== isOpen && open(target.open);
  return html`
    <section class="card webhook" aria-labelledby=${id}>
      <div class="head">
        <h2 id=${id}><code>${url}</code></h2>
        <span class=${`badge ${isEnabled ? 'completed' : 'draft'}`}>
          ${isEnabled ? 'Enabled' : 'Disabled'}
        </span>
      </div>
      <${Facts} webhook=${webhook} />
      <${Actions} webhook=${webhook} onTested=${() => open(true)} ...${on} />
      <details open=${isOpen} onToggle=${toggle}>
        <summary>Deliveries</summary>
        ${isOpen && html`<${Deliveries} webhook=${webhook} deliveries=${deliveries} />`}
      </details>
    </section>`;
}

/** @param {{webhook: ListedWebhook}} props */
function Facts({ webhook }) {
  const { created_at: at, created_by: by, disabled_at: disabledAt, disabled_reason: reason } = webhook;
  const { previous_secret_expires_at: until } = webhook;
  return html`
    ${disabledAt && html`
      <p class="warning">${REASONS[reason ?? 'owner'](time(disabledAt))}
        ${' '}Changes that happen while it’s disabled aren’t sent.</p>`}
    ${until && Date.parse(until) > Date.now() && html`
      <p>The previous secret also signs deliveries until ${time(until)}.</p>`}
    <dl>
      <div>
        <dt>Changes</dt>
        <dd class="tags">${webhook.event_types.map((type) => html`
          <code title=${describe(type).name}>${type}</code>`)}</dd>
      </div>
      <div><dt>Created</dt><dd>${date(at)} <small>by ${who(by)}</small></dd></div>
      <div><dt>ID</dt><dd><${Copy} text=${webhook.webhook_id} what="webhook ID" /></dd></div>
    </dl>`;
}

/** @param {Props & {onTested: () => void}} props */
function Actions({ webhook, onTested, ...on }) {
  const { webhook_id: id, url, enabled: isEnabled } = webhook;
  const [asked, setAsked] = useState(/** @type {Asked} */ (null));
  const [said, setSaid] = useState('');
  const { run, isBusy, error } = useAction();
  const path = { webhook_id: id };
  const tested = () => {
    setSaid('Test sent. Its result is listed under “Deliveries”.');
    onTested();
  };
  const test = () => run(() => call('test_webhook', { path }), tested);
  const enable = () => run(() => call('edit_webhook', { path, body: { enabled: true } }), on.onChanged);
  const button = (/** @type {string} */ text, /** @type {() => void} */ onClick, isDangerous = false) => html`
    <button class=${isDangerous ? 'danger' : ''} disabled=${isBusy} onClick=${onClick}
      aria-label=${`${text.replace('…', '')}: ${url}`}>${text}</button>`;
  return html`
    <div class="row-actions">
      ${isEnabled && button('Send test', test)}
      ${button('Edit…', () => setAsked('edit'))}
      ${button('Replace secret…', () => setAsked('replace'))}
      ${isEnabled ? button('Disable…', () => setAsked('disable')) : button('Enable', enable)}
      ${button('Delete…', () => setAsked('delete'), true)}
      <span role="status">${said}</span>
    </div>
    <${Failure} error=${error} />
    <${Dialogs} asked=${asked} webhook=${webhook} onClose=${() => setAsked(null)} ...${on} />`;
}

/** Runs one action at a time, and returns the error of the last one. */
function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const run = async (/** @type {() => Promise<unknown>} */ action, /** @type {() => void} */ done) => {
    setIsBusy(true);
    setError(null);
    await action().then(done, setError);
    setIsBusy(false);
  };
  return { run, isBusy, error };
}

/** @param {Props & {asked: Asked, onClose: () => void}} props */
function Dialogs({ asked, webhook, onClose, onChanged, onSecret, onLost, onDeleted }) {
  const shared = { webhook, onClose };
  return html`
    ${asked === 'edit' && html`<${Edit} ...${shared} onChanged=${onChanged} />`}
    ${asked === 'disable' && html`<${Disable} ...${shared} onDone=${onChanged} />`}
    ${asked === 'delete' && html`<${Delete} ...${shared} onDone=${onDeleted} />`}
    ${asked === 'replace' && html`<${ReplaceSecret} ...${shared} onDone=${onSecret} onLost=${onLost} />`}`;
}

/** @param {{webhook: ListedWebhook, onClose: () => void, onChanged: () => void}} props */
function Edit({ webhook, onClose, onChanged }) {
  const send = async (/** @type {import('./form.js').Wanted} */ wanted) => {
    await call('edit_webhook', { path: { webhook_id: webhook.webhook_id }, body: wanted });
    onChanged();
    onClose();
  };
  return html`
    <${WebhookForm} title="Edit webhook" action=${`Save · ${costOf('edit_webhook')}`} initial=${webhook}
      send=${send} onClose=${onClose} />`;
}
