// The window in which a tile grant is minted.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { Lifetime, wrongDays } from '../../ui/lifetime.js';

/** @typedef {import('./use-grants.js').TileGrant} TileGrant */

/** What the service takes as an origin. */
const ORIGIN = /^(https:\/\/[^/?#@*\s]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)\/?$/i;
const MOST_ORIGINS = 20;
const LONGEST_LABEL = 200;

/**
 * Asks which product, whose pages and for how long, and mints the grant.
 * @param {{onMinted: (grant: TileGrant) => void, onClose: () => void}} props
 */
export function MintGrant({ onMinted, onClose }) {
  const [product, setProduct] = useState(/** @type {TileGrant['product']} */ ('displays'));
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('30');
  const origins = text.split(/[\s,]+/).filter(Boolean);
  const wrong = {
    '/allowed_origins': wrongOrigins(origins),
    '/label': label.trim().length > LONGEST_LABEL ? `Use at most ${LONGEST_LABEL} characters.` : null,
    '/expires_in_days': days === '' ? 'Enter after how many days it ends.' : wrongDays(days),
  };
  const form = useForm(wrong, async () => {
    const body = { allowed_origins: origins, label: label.trim() || null, expires_in_days: Number(days) };
    const minted = await call('mint_tile_grant', { path: { product }, body });
    onMinted(minted.body.data);
  });
  return html`
    <${Dialog} title="Mint a tile grant" onClose=${onClose}>
      <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
        <${Product} product=${product} onChange=${setProduct} />
        <${Field} label="Origins of the pages" error=${form.at('/allowed_origins')}
          hint="One a line, such as https://maps.example.com. Pages of no other origin can show the tiles.">
          <textarea rows="3" spellcheck="false" value=${text}
            onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
        <//>
        <${Field} label="What it is for (optional)" error=${form.at('/label')}>
          <input autocomplete="off" value=${label}
            onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} />
        <//>
        <${Lifetime} days=${days} onChange=${setDays} error=${form.at('/expires_in_days')} isRequired />
        <${Failure} error=${form.error} />
        <div class="actions">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="primary" disabled=${form.isBusy}>Mint grant · ${costOf('mint_tile_grant')}</button>
        </div>
      </form>
    <//>`;
}

/** @param {{product: TileGrant['product'], onChange: (product: TileGrant['product']) => void}} props */
function Product({ product, onChange }) {
  return html`
    <${Field} label="What the map shows">
      <select autofocus value=${product}
        onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
        <option value="displays">Displays</option>
        <option value="places">Places</option>
      </select>
    <//>`;
}

/** @param {string[]} origins */
function wrongOrigins(origins) {
  if (origins.length === 0) return 'Name the origin of the page that shows the map.';
  if (origins.length > MOST_ORIGINS) return `Name at most ${MOST_ORIGINS} origins.`;
  const wrong = origins.find((origin) => !ORIGIN.test(origin));
  if (!wrong) return null;
  return `${wrong} is no origin: write https://host, with a port or without. http is for this machine.`;
}
