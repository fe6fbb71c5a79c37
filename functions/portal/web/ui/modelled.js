// The mark of figures that nobody measured, with where they come from.

import { html } from 'htm/preact';
import { Disclosure } from './disclosure.js';
import { date } from './format.js';

/** @typedef {import('../api/types').Schema<'Provenance'>} Provenance */

/**
 * Marks figures whose provenance says that a model or arithmetic made them; nothing for measured ones. The
 * word opens what the service says about the data.
 * @param {{provenance: Provenance | null | undefined, what?: string}} props `meta.provenance` of an answer;
 *   `what` is modelled, in the plural, such as `visits` or `shares`
 */
export function Modelled({ provenance, what = 'visits' }) {
  if (!provenance || provenance.data_maturity === 'production') return null;
  const { source, data_vintage: vintage, known_gaps: gaps = [], source_doc: document } = provenance;
  return html`
    <${Disclosure} class="modelled" summary=${mark(provenance.data_maturity, what)}>
      <p>${MEANINGS[provenance.data_maturity]}</p>
      <p>Source: ${source}.${vintage && ` Data of ${date(vintage)}.`}</p>
      <${Owners} provenance=${provenance} />
      ${gaps.length > 0 && html`
        <p>What is missing:</p>
        <ul>${gaps.map((gap) => html`<li>${gap}</li>`)}</ul>`}
      <p><a href=${document} target="_blank" rel="noreferrer">About the data</a></p>
    <//>`;
}

/** @type {Record<Provenance['data_maturity'], string>} */
const MEANINGS = {
  production: 'These figures were measured or counted.',
  'research-preview': 'These figures are arithmetic on counts. They are a preview: the method may change.',
  'synthetic-only': 'A model made these figures: sample data to build and plan with. Nothing was measured.',
  roadmap: 'These figures are not there yet.',
};

/**
 * @param {Provenance['data_maturity']} maturity
 * @param {string} what
 */
function mark(maturity, what) {
  if (maturity === 'synthetic-only') return `Sample data, ${what} are modelled`;
  return maturity === 'roadmap' ? `Sample data, ${what} are planned` : `Preview, ${what} are computed`;
}

/** @param {{provenance: Provenance}} props */
function Owners({ provenance: { sources = [], sources_total: total = 0 } }) {
  if (sources.length === 0) return null;
  const more = total - sources.length;
  return html`
    <p>Records of:</p>
    <ul>
      ${sources.map(({ source, data_vintage: vintage }) => html`<li>${source}, ${date(vintage)}</li>`)}
      ${more > 0 && html`<li>and ${more} more</li>`}
    </ul>`;
}
