// The measurement of an asset: its purchase, its state, and its report.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { Question } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Modelled } from '../../ui/modelled.js';
import { Table } from '../../ui/table.js';
import { EstimateFigures } from '../../scenario/estimate-figures.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('../../api/types').Schema<'MeasurementReport'>} Report */
/** @typedef {import('../../api/types').Schema<'EstimatedPlace'>} Place */

/** The text below the heading for each state of the asset. */
const ABOUT = {
  draft: 'A measurement stores the results after each week and after the last day.',
  queued: 'Bought. The measurement starts on the first day.',
  in_flight: 'Running. The first results follow at the end of the first week.',
  completed: 'Completed by another measurement product, so its results aren’t here.',
  failed: 'The measurement failed. You can edit it and buy the measurement again.',
};

/** @type {import('../../ui/table.js').Column<Place>[]} */
const PLACE_COLUMNS = [
  { title: 'Place', cell: ({ place_name: name }) => name },
  { title: 'Visits', isNumber: true, cell: (row) => number(row.visits) },
  { title: 'People', isNumber: true, cell: (row) => number(row.unique_persons) },
  { title: 'Audience visits', isNumber: true, cell: (row) => number(row.target_visits) },
];

/**
 * Shows the measurement of an asset, and a button that buys it.
 * @param {{family: Family, asset: any, nameOf: (id: string) => string, onBought: () => void}} props `nameOf`
 *   returns the name of a display
 */
export function Measurement({ family, asset, nameOf, onBought }) {
  const { asset_id: id, state } = asset;
  const [isAsked, setIsAsked] = useState(false);
  const read = useCall(family.measurement, state === 'draft' ? null : { path: { asset_id: id } });
  return html`
    <section class="card" aria-labelledby="measurement">
      <h2 id="measurement">Measurement</h2>
      <${Outcome} state=${state} read=${read} nameOf=${nameOf} />
      ${(state === 'draft' || state === 'failed') && html`
        <button type="button" onClick=${() => setIsAsked(true)}>Measure…</button>`}
      ${isAsked && html`
        <${Purchase} family=${family} id=${id} onBought=${onBought} onClose=${() => setIsAsked(false)} />`}
    </section>`;
}

/**
 * Shows the report, or the measurement's state if there are no results.
 * @param {{state: keyof typeof ABOUT, read: import('../../api/use-call.js').Called<any>,
 *   nameOf: (id: string) => string}} props
 */
function Outcome({ state, read: { body, error, isLoading, retry }, nameOf }) {
  if (isLoading) return html`<${Loading} what="the measurement" />`;
  if (error) return html`<${Failure} error=${error} retry=${retry} />`;
  const report = body?.data.report;
  return html`
    ${report?.results
      ? html`<${Results} report=${report} meta=${body.meta} nameOf=${nameOf} />`
      : html`<p class="soft">${ABOUT[state]}</p>`}
    ${report?.failure && html`<p class="warning">Reason: ${report.failure}</p>`}`;
}

/** @param {{family: Family, id: string, onBought: () => void, onClose: () => void}} props */
function Purchase({ family, id, onBought, onClose }) {
  // Keep the key when the purchase is retried, so that the person is charged only once.
  const [key] = useState(() => crypto.randomUUID());
  const run = async () => {
    await call(family.measure, { path: { asset_id: id }, headers: { 'Idempotency-Key': key } });
    onClose();
    onBought();
  };
  return html`
    <${Question} title=${`Buy the measurement of this ${family.one}?`} name="" action="Buy" run=${run}
      onClose=${onClose}>
      <p>A model computes the results. They aren’t measured on site.</p>
      <p>It costs 25 credits, unless your administrator has set another price. If the measurement fails, the
        price is refunded, minus 1 credit.</p>
    <//>`;
}

/** @param {{report: Report, meta: any, nameOf: (id: string) => string}} props */
function Results({ report: { status, through_date: through, results }, meta, nameOf }) {
  const shown = /** @type {any} */ (results);
  return html`
    <p>${status === 'final' ? 'Final results' : 'Provisional results'} through ${through}.</p>
    ${shown.displays
      ? html`<${EstimateFigures} estimate=${{ data: shown, meta }} nameOf=${nameOf} />`
      : html`
        <${Modelled} provenance=${meta.provenance} label="Estimated with a model, not measured"
          meaning="A model computes these figures from average visits to the places." />
        <${Table} caption="Visits by place" columns=${PLACE_COLUMNS} rows=${shown.places}
          keyOf=${(/** @type {Place} */ row) => row.place_id} />`}`;
}
