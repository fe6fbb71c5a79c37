// A campaign's client links: the form that creates a link, and the list of active links.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { costOf } from '../../api/limits.js';
import { Question } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { useForm } from '../../ui/form.js';
import { date, time } from '../../ui/format.js';
import { Lifetime, wrongDays } from '../../ui/lifetime.js';
import { Secret } from '../../ui/secret.js';
import { Table } from '../../ui/table.js';
import { useActors } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'ClientLink'>} ClientLink */

/** The maximum lifetime of a link, in days. */
const LONGEST = 90;

/**
 * Lets people share a campaign with clients, who don't need to sign in.
 * @param {{id: string}} props
 */
export function ClientLinks({ id }) {
  const [url, setUrl] = useState(/** @type {string | null} */ (null));
  const [ending, setEnding] = useState(/** @type {ClientLink | null} */ (null));
  const listed = useCall('list_client_links', { path: { asset_id: id } });
  const created = (/** @type {string} */ next) => {
    setUrl(next);
    listed.retry();
  };
  const links = listed.body?.data ?? [];
  const creators = useActors(links.length > 0);
  return html`
    <section class="card client-links" aria-labelledby="client-links">
      <h2 id="client-links">Share with a client</h2>
      <p>Anyone with a link can view the campaign’s name, flight, displays, and results without signing in.
        Advertiser, organization, and people aren’t shown.</p>
      ${url && html`
        <${Secret} title="Link created" text=${url} what="the link" onDone=${() => setUrl(null)} />`}
      <${Create} id=${id} onCreated=${created} />
      <${Failure} error=${listed.error} retry=${listed.retry} />
      ${links.length > 0 && html`
        <${Table} isStacked caption="Active links" columns=${columnsWith(creators, setEnding)} rows=${links}
          keyOf=${(/** @type {ClientLink} */ { link_id: link }) => link} />`}
      ${ending && html`
        <${Revoke} link=${ending} onClose=${() => setEnding(null)} onRevoked=${listed.retry} />`}
    </section>`;
}

/** @param {{id: string, onCreated: (url: string) => void}} props */
function Create({ id, onCreated }) {
  const [days, setDays] = useState('30');
  const [hasRates, setHasRates] = useState(false);
  const form = useForm({ '/expires_in_days': wrongDays(days, LONGEST, true) }, async () => {
    const body = { include_rates: hasRates, expires_in_days: Number(days) };
    const { body: { data } } = await call('create_client_link', { path: { asset_id: id }, body });
    onCreated(data.url);
  });
  return html`
    <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
      <${Lifetime} days=${days} onChange=${setDays} error=${form.at('/expires_in_days')} longest=${LONGEST}
        isRequired />
      <div class="checks"><label>
        <input type="checkbox" checked=${hasRates}
          onChange=${(/** @type {any} */ event) => setHasRates(event.target.checked)} /> Show rates
      </label></div>
      <${Failure} error=${form.error} />
      <button disabled=${form.isBusy}>Create link · ${costOf('create_client_link')}</button>
    </form>`;
}

/** @param {{link: ClientLink, onClose: () => void, onRevoked: () => void}} props */
function Revoke({ link: { asset_id: asset, link_id: link, created_at: at }, onClose, onRevoked }) {
  const run = async () => {
    await call('revoke_client_link', { path: { asset_id: asset, link_id: link } });
    onRevoked();
    onClose();
  };
  return html`
    <${Question} title="Revoke link?" name=${`Created ${time(at)}`} run=${run} onClose=${onClose}
      action=${`Revoke link · ${costOf('revoke_client_link')}`}>
      <p>It stops working immediately and can’t be restored.</p>
    <//>`;
}

/**
 * @param {ReturnType<typeof useActors>} creators
 * @param {(link: ClientLink) => void} onRevoke
 * @returns {import('../../ui/table.js').Column<ClientLink>[]}
 */
function columnsWith(creators, onRevoke) {
  return [
    {
      title: 'Created',
      cell: ({ created_at: at, created_by: by }) => html`${time(at)}<br /><small>by ${creators(by)}</small>`,
    },
    { title: 'Expires', cell: ({ expires_at: at }) => date(at) },
    { title: 'Rates', cell: ({ include_rates: hasRates }) => (hasRates ? 'Shown' : 'Hidden') },
    {
      title: 'Action',
      cell: (link) => html`
        <button class="danger" aria-label=${`Revoke the link created ${time(link.created_at)}`}
          onClick=${() => onRevoke(link)}>Revoke…</button>`,
    },
  ];
}
