// The dialog that creates a tile grant.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { managesTileGrants } from '../../api/account.js';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { Lifetime, wrongDays } from '../../ui/lifetime.js';

/** @typedef {import('./use-grants.js').TileGrant} TileGrant */

/** The format of the origins that the API accepts. */
const ORIGIN = /^(https:\/\/[^/?#@*\s]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)\/?$/i;
const MOST_ORIGINS = 20;
const LONGEST_LABEL = 200;

/**
 * Asks for a product, origins, a label, and an expiry, and creates the grant.
 * @param {{onCreated: (grant: TileGrant) => void, onClose: () => void}} props
 */
export function CreateGrant({ onCreated, onClose }) {
  const [product, setProduct] = useState(/** @type {TileGrant['product']} */ ('displays'));
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('30');
  const [hasVisits, setHasVisits] = useState(false);
  const origins = text.split(/[\s,]+/).filter(Boolean);
  const wrong = {
    '/allowed_origins': wrongOrigins(origins),
    '/label': label.trim().length > LONGEST_LABEL ? `Use at most ${LONGEST_LABEL} characters.` : null,
    '/expires_in_days': days === '' ? 'Enter a number of days.' : wrongDays(days),
  };
  const form = useForm(wrong, async () => {
    const body = {
      allowed_origins: origins, label: label.trim() || null, expires_in_days: Number(days),
      include_visits: hasVisits && product === 'places',
    };
    const created = await call('create_tile_grant', { path: { product }, body });
    onCreated(created.body.data);
  });
  return html`
    <${Dialog} title="Create tile grant" onClose=${onClose}>
      <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
        <${Product} product=${product} onChange=${setProduct} />
        <${Field} label="Allowed origins" error=${form.at('/allowed_origins')}
          hint="One per line, such as https://maps.example.com. Other websites can’t show the tiles.">
          <textarea rows="3" spellcheck="false" value=${text}
            onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
        <//>
        <${Field} label="Label (optional)" error=${form.at('/label')}>
          <input autocomplete="off" value=${label}
            onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} />
        <//>
        ${product === 'places' && managesTileGrants.value && html`
          <div class="checks"><label>
            <input type="checkbox" checked=${hasVisits}
              onChange=${(/** @type {any} */ event) => setHasVisits(event.target.checked)} />
            Include weekly visits, which everyone who sees the map can read
          </label></div>`}
        <${Lifetime} days=${days} onChange=${setDays} error=${form.at('/expires_in_days')} isRequired />
        <${Failure} error=${form.error} />
        <div class="actions">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="primary" disabled=${form.isBusy}>Create grant · ${costOf('create_tile_grant')}</button>
        </div>
      </form>
    <//>`;
}

/** @param {{product: TileGrant['product'], onChange: (product: TileGrant['product']) => void}} props */
function Product({ product, onChange }) {
  return html`
    <${Field} label="Layer">
      <select autofocus value=${product}
        onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
        <option value="displays">Displays</option>
        <option value="places">Places</option>
      </select>
    <//>`;
}

/** @param {string[]} origins */
function wrongOrigins(origins) {
  if (origins.length === 0) return 'Enter at least one origin.';
  if (origins.length > MOST_ORIGINS) return `Enter at most ${MOST_ORIGINS} origins.`;
  const wrong = origins.find((origin) => !ORIGIN.test(origin));
  if (!wrong) return null;
  return `“${wrong}” isn’t a valid origin. Use https://host or https://host:port; http only for localhost.`;
}
