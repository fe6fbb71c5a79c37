// The header of a place's page: name, address, and the figures for an average week.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { Copy } from '../../ui/copy.js';
import { download } from '../../ui/download.js';
import { Failure } from '../../ui/failure.js';
import { number, percent } from '../../ui/format.js';
import { Modelled } from '../../ui/modelled.js';
import { isUnmeasured, WEEKLY_VISITS } from './report.js';

/** @typedef {import('./report.js').Side} Side */

/**
 * Shows a place's name, address, actions, and figures. If the figures are missing, shows the reason.
 * @param {{side: Side, isAlone: boolean}} props
 */
export function PlaceHead({ side, isAlone }) {
  const { place, report, error, retry } = side;
  if (!place) return null;
  const street = [place.street_address, place.city, `${place.state} ${place.zip_code}`].filter(Boolean);
  const areas = [place.county_name, place.dma_name && `${place.dma_name} market`].filter(Boolean);
  return html`
    <section class="card place-head" aria-label=${place.place_name}>
      ${!isAlone && html`<h2><a href=${pageUrl(`places/${place.place_id}`)}>${place.place_name}</a></h2>`}
      <div class="who">
        <div>
          <p>${place.place_type_name} · ${street.join(', ')}</p>
          <p><small>${areas.join(' · ')}</small></p>
          <div class="identity">
            <${Copy} text=${place.place_id} what="place ID" />
            ${report && html`<${Modelled} provenance=${report.meta.provenance} />`}
          </div>
        </div>
        <div class="actions">
          <a class="button" href=${pageUrl(`event-planner?places=${place.place_id}`)}>Plan an event here</a>
          ${report && html`
            <button onClick=${() => save(report, side.id)}>Download report (JSON)</button>`}
        </div>
      </div>
      ${report && html`<${Numbers} report=${report} type=${place.place_type_name} />`}
      ${isUnmeasured(error)
        ? html`<p role="status">This place has no visit data.</p>`
        : html`<${Failure} error=${error} retry=${retry} />`}
    </section>`;
}

/** @param {{report: import('./report.js').Report, type?: string}} props */
function Numbers({ report, type }) {
  const [place] = report.places;
  const local = place.local_radius_visits_local / place.visits;
  /** @type {[string, string, string, string][]} */
  const shown = [
    ['Weekly visits', number(place.visits), 'visits', place.maturity === 'production' ? '' : 'modelled'],
    ['Percentile for its type', number(place.percentile), 'percentile', 'by visits; 100 is the most visited'],
    ['Weekly visitors', number(place.visits_unique_persons), 'visits_unique_persons', ''],
    ['Visits per person', decimal(place.visits_frequency_per_person), 'visits_frequency_per_person', ''],
    ['Average dwell time', `${place.visits_avg_dwell.toFixed(0)} min`, 'visits_avg_dwell', ''],
    ['Visits by local residents', percent(local), '', `${number(place.local_radius_visits_local)} a week`],
    ['Weekly presences', number(place.activities), 'activities', 'at and around the place'],
  ];
  const constants = /** @type {string[]} */ (place.constants_of_type);
  return html`
    <dl class="numbers">
      ${shown.map(([title, value, member, note]) => html`
        <div>
          <dt title=${member === 'visits' ? WEEKLY_VISITS : undefined}>${title}</dt>
          <dd>${value}
            ${constants.includes(member) && html`<small class="typical">typical for its type</small>`}
            ${note && html`<small>${note}</small>`}</dd>
        </div>`)}
    </dl>
    ${constants.length > 0 && html`
      <p><small>“Typical for its type” values are the same for every ${type}. Don’t use them to compare
        places.</small></p>`}
    ${place.certified && html`<p class="good">Certified by the data provider.</p>`}`;
}

/** @param {number | null} value */
function decimal(value) {
  return value?.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) ?? '–';
}

/**
 * @param {import('./report.js').Report} report
 * @param {string} id
 */
function save(report, id) {
  download(`place-${id}.json`, 'application/json', JSON.stringify(report, null, 2));
}
