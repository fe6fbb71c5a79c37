// The form field for the spots of a campaign and their windows.

import { html } from 'htm/preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { WindowsField } from '../../scenario/flight-fields.js';
import { isDisplayId, lookUp, sites } from '../../scenario/sites.js';
import { count } from '../../ui/format.js';
import { AddById } from './add-by-id.js';

/** @typedef {import('../../scenario/campaign-form.js').Spot} Spot */
/** @typedef {import('../../scenario/sites.js').Site} Site */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */

/**
 * Lists the spots, each with its windows and a remove button.
 * @param {{spots: Spot[], flight: Days, onChange: (spots: Spot[]) => void, notes: Notes}} props
 */
export function SpotsField({ spots, flight, onChange, notes }) {
  // Cached rows call `change`, which must use the latest spots.
  const latest = useRef({ spots, onChange });
  latest.current = { spots, onChange };
  const change = (/** @type {(spots: Spot[]) => Spot[]} */ to) =>
    latest.current.onChange(to(latest.current.spots));
  const add = (/** @type {string[]} */ ids) => {
    const free = Math.max(0, ...spots.map((spot) => spot.spot_id)) + 1;
    onChange([...spots, ...ids.map((id, n) => ({ display_id: id, spot_id: free + n }))]);
    // The lookup is free. If it fails, saving still warns about unknown IDs.
    lookUp('displays', ids).catch(() => {});
  };
  const known = sites.displays.value;
  // Rerender rows only when they change, because rendering 2,000 rows would delay each keystroke.
  const rows = useMemo(() => spots.map((spot, n) => html`
    <${SpotRow} key=${`${n} ${spot.display_id}`} spot=${spot} flight=${flight}
      site=${known.get(spot.display_id)}
      error=${notes.errorAt(`/spots/${n}`)} windowError=${notes.errorAt(`/spots/${n}/windows`)}
      onChange=${(/** @type {Spot} */ next) => change((all) => all.map((one, i) => (i === n ? next : one)))}
      onRemove=${() => change((all) => all.filter((_, i) => i !== n))} />`), [spots, flight, notes, known]);
  return html`
    <fieldset class="card"><legend>${count(spots.length, 'display')}</legend>
      <ul class="in-form">${rows}</ul>
      <${AddById} label="Add displays by ID" known=${spots.map((spot) => spot.display_id)}
        error=${notes.errorAt('/spots')} isId=${isDisplayId} onAdd=${add} />
    </fieldset>`;
}

/**
 * @param {{spot: Spot, site: Site | null | undefined, flight: Days, error: string | null,
 *   windowError: string | null, onChange: (spot: Spot) => void, onRemove: () => void}} props
 */
function SpotRow({ spot, site, flight, error, windowError, onChange, onRemove }) {
  const [isOpen, setIsOpen] = useState(false);
  const windows = /** @type {Days[]} */ (spot.windows ?? []);
  const runs = windows.length > 0 ? count(windows.length, 'window') : 'Entire flight';
  const change = (/** @type {Days[]} */ next) => {
    const { windows: _, ...rest } = spot;
    onChange(next.length > 0 ? { ...rest, windows: next } : rest);
  };
  return html`
    <li>
      <span>${site?.name ?? 'Display'} <code>${spot.display_id}</code>
        ${' '}<small>${[site?.about, `spot ${spot.spot_id}`].filter(Boolean).join(' · ')}</small></span>
      <button type="button" class="quiet" aria-expanded=${isOpen || windowError !== null}
        aria-label=${`${runs}: display ${spot.display_id}`} onClick=${() => setIsOpen(!isOpen)}>${runs}
      </button>
      <button type="button" class="quiet" aria-label=${`Remove display ${spot.display_id}`}
        onClick=${onRemove}>
        Remove</button>
      ${error && html`<p class="error">${error}</p>`}
      ${site === null && html`<p class="warning">Not in the current data.</p>`}
      ${(isOpen || windowError) && html`
        <${WindowsField} name=${`display ${spot.display_id}`} windows=${windows} flight=${flight}
          onChange=${change}
          error=${windowError} />`}
    </li>`;
}
