// The dialogs that ask for confirmation before a webhook is disabled, its secret is replaced, or it's
// deleted.

import { html } from 'htm/preact';
import { call } from '../../api/client.js';
import { reportLoss } from '../../api/errors.js';
import { Question } from '../../ui/dialog.js';

/** @typedef {import('../../api/types').Schema<'Webhook'>} ListedWebhook */
/** @typedef {import('../../api/types').Answer<'rotate_webhook_secret'>['data']} WithSecret */

/**
 * Asks for confirmation, and then disables the webhook.
 * @param {{webhook: ListedWebhook, onDone: () => void, onClose: () => void}} props
 */
export function Disable({ webhook: { webhook_id: id, url }, onDone, onClose }) {
  const run = async () => {
    await call('edit_webhook', { path: { webhook_id: id }, body: { enabled: false } });
    onDone();
  };
  return html`
    <${Question} title="Disable this webhook?" name=${url} action="Disable webhook" keep="Keep it enabled"
      run=${run} onClose=${onClose}>
      <p>Changes aren’t sent while the webhook is disabled, and pending deliveries fail. You can enable the
        webhook again at any time.</p>
    <//>`;
}

/**
 * Asks for confirmation, and then replaces the webhook's secret.
 * @param {{webhook: ListedWebhook, onDone: (webhook: WithSecret) => void, onLost: () => void,
 *   onClose: () => void}} props `onLost` is called if the call gets no response, because it may still have
 *   replaced the secret
 */
export function ReplaceSecret({ webhook, onDone, onLost, onClose }) {
  const { webhook_id: id, url, previous_secret_expires_at: until } = webhook;
  const run = async () => {
    const rotating = call('rotate_webhook_secret', { path: { webhook_id: id } });
    const { body } = await rotating.catch(reportLoss(onLost));
    onDone(body.data);
  };
  return html`
    <${Question} title="Replace the signing secret?" name=${url} action="Replace secret" run=${run}
      onClose=${onClose}>
      <p>The new secret is shown once. The current secret also signs deliveries for 24 hours, so your server
        can accept both until you’ve configured the new one.</p>
      ${until && Date.parse(until) > Date.now() && html`
        <p class="warning">The secret was already replaced in the last 24 hours. If you replace it again,
          the oldest secret stops signing deliveries immediately.</p>`}
    <//>`;
}

/**
 * Asks for confirmation, and then deletes the webhook.
 * @param {{webhook: ListedWebhook, onDone: () => void, onClose: () => void}} props
 */
export function Delete({ webhook: { webhook_id: id, url }, onDone, onClose }) {
  const run = async () => {
    await call('delete_webhook', { path: { webhook_id: id } });
    onDone();
  };
  return html`
    <${Question} title="Delete this webhook?" name=${url} action="Delete webhook" run=${run}
      onClose=${onClose}>
      <p>No more changes are sent to this URL, and its deliveries can’t be viewed anymore. This can’t be
        undone.</p>
    <//>`;
}
