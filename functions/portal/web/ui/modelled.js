// A label for figures that weren't measured, which also shows the source of the figures.

import { html } from 'htm/preact';
import { Disclosure } from './disclosure.js';
import { date } from './format.js';

/** @typedef {import('../api/types').Schema<'Provenance'>} Provenance */

/**
 * Labels modelled or computed figures. A click opens their provenance. Shows nothing for measured figures.
 * @param {{provenance: Provenance | null | undefined, what?: string, label?: string, meaning?: string}} props
 *   `provenance` is from a response's `meta`; `what` names the figures, such as `visits` or `shares`; `label`
 *   and `meaning` replace the default texts
 */
export function Modelled({ provenance, what = 'visits', label, meaning }) {
  if (!provenance || provenance.data_maturity === 'production') return null;
  const { source, data_vintage: vintage, known_gaps: gaps = [], source_doc: document } = provenance;
  const { modelled_from: inputs = [] } = provenance;
  return html`
    <${Disclosure} class="modelled" summary=${label ?? mark(provenance.data_maturity, what)}>
      <p>${meaning ?? MEANINGS[provenance.data_maturity]}</p>
      <p>Source: ${source}.${vintage && ` Data as of ${date(vintage)}.`}</p>
      ${inputs.length > 0 && html`
        <p>Modelled from:</p>
        <ul>${inputs.map((input) => html`<li>${input}</li>`)}</ul>`}
      <${Owners} provenance=${provenance} />
      ${gaps.length > 0 && html`
        <p>Known gaps:</p>
        <ul>${gaps.map((gap) => html`<li>${gap}</li>`)}</ul>`}
      <p><a href=${document} target="_blank" rel="noreferrer">About the data</a></p>
    <//>`;
}

/** @type {Record<Provenance['data_maturity'], string>} */
const MEANINGS = {
  production: 'These figures were measured or counted.',
  'research-preview': 'These figures are computed from counts. This is a preview, and the method may change.',
  'synthetic-only': 'These figures are modelled sample data for trying out Marquee, not measurements.',
  roadmap: 'These figures aren’t available yet.',
};

/**
 * @param {Provenance['data_maturity']} maturity
 * @param {string} what
 */
function mark(maturity, what) {
  if (maturity === 'synthetic-only') return `Sample data: ${what} are modelled`;
  return maturity === 'roadmap' ? `Sample data: ${what} are planned` : `Preview: ${what} are computed`;
}

/** @param {{provenance: Provenance}} props */
function Owners({ provenance: { sources = [], sources_total: total = 0 } }) {
  if (sources.length === 0) return null;
  const more = total - sources.length;
  return html`
    <p>Records from:</p>
    <ul>
      ${sources.map(({ source, data_vintage: vintage }) => html`<li>${source}, ${date(vintage)}</li>`)}
      ${more > 0 && html`<li>and ${more} more</li>`}
    </ul>`;
}
