// The displays or places of an asset, a row each.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { date } from '../../ui/format.js';
import { sites } from '../../scenario/sites.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('../../api/types').Schema<'CampaignSpot'>} Spot */

/**
 * Shows a row for each spot or place; a row that is on the map can be selected.
 * @param {{family: Family, asset: any, notes: import('../../scenario/violations.js').Notes,
 *   selected: string | null, onSelect: (id: string | null) => void}} props
 */
export function SiteList({ family, asset, notes, selected, onSelect }) {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const known = sites[family.sites].value;
  const ids = family.siteIds(asset);
  useEffect(() => {
    list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const pointer = family.sites === 'displays' ? '/spots' : '/place_ids';
  const whole = notes.warningAt(pointer);
  return html`
    <div class="site-list">
      ${whole && html`<p class="warning">${whole}</p>`}
      <ul ref=${list} tabindex="0" aria-label=${family.sites === 'displays' ? 'Displays' : 'Places'}>
        ${ids.map((id, n) => html`
          <li key=${`${n} ${id}`}>
            <${Row} id=${id} site=${known.get(id)} isSelected=${id === selected} onSelect=${onSelect}
              of=${family.sites === 'displays' ? asset.spots[n] : null} />
            ${notes.warningAt(`/spots/${n}`) && html`<p class="warning">${notes.warningAt(`/spots/${n}`)}</p>`}
          </li>`)}
      </ul>
    </div>`;
}

/**
 * @param {{id: string, site: import('../../scenario/sites.js').Site | null | undefined, of: Spot | null,
 *   isSelected: boolean, onSelect: (id: string | null) => void}} props
 */
function Row({ id, site, of, isSelected, onSelect }) {
  const about = html`
    <strong>${site?.name ?? id}</strong>
    ${site && html`<span>${site.about}</span>`}
    ${site === null && html`<span class="warning">This release does not have it.</span>`}
    <small>${site && html`<code>${id}</code> `}${of && ofSpot(of)}</small>`;
  if (!site) return html`<div class="row">${about}</div>`;
  return html`
    <button class="row" aria-pressed=${isSelected} onClick=${() => onSelect(isSelected ? null : id)}>${about}</button>`;
}

/** @param {Spot} spot */
function ofSpot({ spot_id: id, customer_spot_id: own, customer_operator_name: operator, windows }) {
  const runs = (windows ?? []).map((window) => {
    const { start_date: start, end_date: end } = /** @type {{start_date: string, end_date: string}} */ (window);
    return `${date(start)} – ${date(end)}`;
  });
  return [`spot ${id}`, own, operator, runs.join(', ')].filter(Boolean).join(' · ');
}
