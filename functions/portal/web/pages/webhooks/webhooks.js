// The page for the organization's webhooks.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { reportLoss } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { managesWebhooks } from '../../api/account.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { count } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { OtherWindow } from '../../ui/other-window.js';
import { OwnersOnly } from '../../ui/owners-only.js';
import { Secret } from '../../ui/secret.js';
import { useFragment } from '../../ui/use-fragment.js';
import { WebhookForm } from './form.js';
import { LostSecret } from './lost-secret.js';
import { Webhook } from './webhook.js';

/** @typedef {import('../../api/types').Answer<'create_webhook'>['data']} WithSecret */

/** The maximum number of webhooks per organization. */
const MOST = 10;

/** Shows the organization's webhooks to owners, and a notice to members. */
export default function Webhooks() {
  if (!managesWebhooks.value) {
    return html`
      <div class="sheet">
        <h1>Webhooks</h1>
        <${OwnersOnly} what="create, view, and delete webhooks">
          <p>Webhooks send your organization’s changes to its own servers.</p>
        <//>
      </div>`;
  }
  return html`<div class="sheet"><${WebhooksOfOwner} /></div>`;
}

function WebhooksOfOwner() {
  const { body, error, retry } = useCall('list_webhooks', {});
  const [isCreating, setIsCreating] = useState(false);
  useFragment('create', () => setIsCreating(true));
  const { shown, isLost, show, lost, hide } = useSecret(retry);
  const webhooks = body?.data ?? [];
  const created = (/** @type {WithSecret} */ webhook) => {
    setIsCreating(false);
    show(webhook);
  };
  const deleted = (/** @type {string} */ id) => {
    if (id === shown?.webhook_id) hide();
    retry();
  };
  return html`
    <div class="heading">
      <h1>Webhooks</h1>
      <button class=${webhooks.length > 0 ? 'primary' : ''} disabled=${!body || webhooks.length >= MOST}
        onClick=${() => setIsCreating(true)}>Create webhook…</button>
    </div>
    <p>A webhook sends changes in your organization to your server, as signed POST requests.${' '}
      ${body && allowance(webhooks.length)}${' '}
      <${OtherWindow} href=${pageUrl('docs/webhooks')}>How to receive changes<//></p>
    ${shown && html`<${NewSecret} webhook=${shown} onDone=${hide} />`}
    ${isLost && !isCreating && html`<${LostSecret} />`}
    <${Failure} error=${error} retry=${retry} />
    ${!body && !error && html`<${Loading} what="the webhooks" />`}
    ${body && webhooks.length === 0 && html`<${NoWebhooks} onCreate=${() => setIsCreating(true)} />`}
    ${webhooks.map((webhook) => html`
      <${Webhook} key=${webhook.webhook_id} webhook=${webhook} onChanged=${retry} onSecret=${show}
        onLost=${lost} onDeleted=${() => deleted(webhook.webhook_id)} />`)}
    ${isCreating && html`
      <${Create} onCreated=${created} onLost=${lost} onClose=${() => setIsCreating(false)} />`}`;
}

/**
 * Returns the webhook whose new secret is being shown, and whether a secret may have been created without
 * being shown.
 * @param {() => void} reload loads the webhooks again
 */
function useSecret(reload) {
  const [shown, setShown] = useState(/** @type {WithSecret | null} */ (null));
  const [isLost, setIsLost] = useState(false);
  const show = (/** @type {WithSecret} */ webhook) => {
    setShown(webhook);
    setIsLost(false);
    reload();
  };
  const lost = () => {
    setIsLost(true);
    reload();
  };
  return { shown, isLost, show, lost, hide: () => setShown(null) };
}

/** @param {{webhook: WithSecret, onDone: () => void}} props */
function NewSecret({ webhook, onDone }) {
  return html`
    <${Secret} title="Signing secret" text=${webhook.secret} what="the secret" onDone=${onDone}>
      <p>Your server uses it to verify deliveries to <code>${webhook.url}</code>.</p>
    <//>`;
}

/** @param {{onCreate: () => void}} props */
function NoWebhooks({ onCreate }) {
  return html`
    <${Empty} title="No webhooks">
      <p>A webhook tells your server about changes, so it doesn’t have to poll the API.</p>
      <button class="primary" onClick=${onCreate}>Create webhook…</button>
    <//>`;
}

/**
 * @param {{onCreated: (webhook: WithSecret) => void, onLost: () => void, onClose: () => void}} props `onLost`
 *   is called if the call gets no response, because it may still have created the webhook
 */
function Create({ onCreated, onLost, onClose }) {
  const send = async (/** @type {import('./form.js').Wanted} */ wanted) => {
    const { body } = await call('create_webhook', { body: wanted }).catch(reportLoss(onLost));
    onCreated(body.data);
  };
  return html`
    <${WebhookForm} title="Create webhook" action=${`Create webhook · ${costOf('create_webhook')}`}
      send=${send} onClose=${onClose} />`;
}

/** @param {number} created */
function allowance(created) {
  if (created < MOST) return `You can create ${count(MOST - created, 'more webhook')}.`;
  return `You’ve reached the limit of ${count(MOST, 'webhook')}. Delete a webhook to create another.`;
}
