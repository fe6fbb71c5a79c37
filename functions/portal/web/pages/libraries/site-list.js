// The list of an asset's displays or places.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { pageUrl } from '../../addresses.js';
import { date } from '../../ui/format.js';
import { sites } from '../../scenario/sites.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('../../api/types').Schema<'CampaignSpot'>} Spot */

/**
 * Shows a row for each spot or place. A row can be selected only if its site is on the map.
 * @param {{family: Family, asset: any, notes: import('../../scenario/violations.js').Notes,
 *   selected: string | null, onSelect: (id: string | null) => void}} props
 */
export function SiteList({ family, asset, notes, selected, onSelect }) {
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const isOfDisplays = family.sites === 'displays';
  const known = sites[family.sites].value;
  const drawn = useDrawn();
  const rows = family.siteIds(asset).map((id, n) => {
    const site = known.get(id);
    const warning = notes.warningAt(`/spots/${n}`);
    return drawn(n, [id, site, id === selected, warning, asset], () => html`
      <li key=${`${n} ${id}`}>
        <${Row} id=${id} site=${site} isWarned=${Boolean(warning)} isSelected=${id === selected}
          of=${isOfDisplays ? asset.spots[n] : null}
          onSelect=${(/** @type {string | null} */ next) => select.current(next)} />
        ${warning && html`<p class="warning">${warning}</p>`}
      </li>`);
  });
  const whole = notes.warningAt(isOfDisplays ? '/spots' : '/place_ids');
  return html`
    <div class="site-list">
      ${whole && html`<p class="warning">${whole}</p>`}
      <ul ref=${list} tabindex="0" aria-label=${isOfDisplays ? 'Displays' : 'Places'}>${rows}</ul>
    </div>`;
}

/** Caches rendered rows until their inputs change. A click changes at most two of up to 2,000 rows. */
function useDrawn() {
  const kept = useRef(/** @type {Map<number, {of: unknown[], row: any}>} */ (new Map()));
  return (/** @type {number} */ n, /** @type {unknown[]} */ of, /** @type {() => any} */ draw) => {
    const before = kept.current.get(n);
    if (before && before.of.every((value, i) => value === of[i])) return before.row;
    const row = draw();
    kept.current.set(n, { of, row });
    return row;
  };
}

/**
 * @param {{id: string, site: import('../../scenario/sites.js').Site | null | undefined, of: Spot | null,
 *   isWarned: boolean, isSelected: boolean, onSelect: (id: string | null) => void}} props
 */
function Row({ id, site, of, isWarned, isSelected, onSelect }) {
  const about = html`
    <strong>${site?.name ?? id}</strong>
    ${site && html`<span>${site.about}</span>`}
    ${site === null && !isWarned && html`<span class="warning">Not in the current data.</span>`}
    <small>${site && html`<code>${id}</code> `}${of && ofSpot(of)}</small>`;
  if (!site) return html`<div class="row">${about}</div>`;
  const report = of === null && html`
    <a href=${pageUrl(`places/${id}`)} aria-label=${`Report on ${site.name}`}>Report</a>`;
  return html`
    <button class="row" aria-pressed=${isSelected}
      onClick=${() => onSelect(isSelected ? null : id)}>${about}</button>${report}`;
}

/** @param {Spot} spot */
function ofSpot({ spot_id: id, customer_spot_id: own, customer_operator_name: owner, windows }) {
  const runs = (windows ?? []).map((window) => {
    const days = /** @type {import('../../scenario/flight-fields.js').Days} */ (window);
    return `${date(days.start_date)} – ${date(days.end_date)}`;
  });
  return [`spot ${id}`, own, owner, runs.join(', ')].filter(Boolean).join(' · ');
}
