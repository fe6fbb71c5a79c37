// A column chart of consecutive periods. The axis starts at zero.

import { html } from 'htm/preact';
import { useId, useState } from 'preact/hooks';
import { number } from '../ui/format.js';
import { roundUp } from './scale.js';

/** The number of intervals between grid lines. */
const PARTS = 4;
/** The maximum number of period labels. */
const NAMED = 5;

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} name the period's label
 * @property {number} value
 */

/**
 * Shows a column chart, a slider to select a column by keyboard, and the value of the selected column.
 * @param {{caption: string, of: string, period: string, unit: string, columns: Column[],
 *   most?: number}} props `of` names the subject for screen readers; `period` is the kind of period, such
 *   as `Week`; `most` is the highest value of all charts that share the axis
 */
export function Columns({ caption, of, period, unit, columns, most }) {
  const id = useId();
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const top = roundUp(most ?? Math.max(0, ...columns.map(({ value }) => value)), PARTS);
  const text = (/** @type {number} */ n) => `${columns[n].name}: ${number(columns[n].value)} ${unit}`;
  const last = columns.length - 1;
  return html`
    <figure class="columns" onPointerLeave=${() => setAt(null)}>
      <figcaption id=${id}>${caption}<span class="hidden">, ${of}</span></figcaption>
      <${Plot} columns=${columns} top=${top} at=${at} onPoint=${setAt} />
      <${Names} columns=${columns} />
      <input type="range" min="0" max=${last} value=${at ?? last} aria-label=${`${period}, ${of}`}
        aria-describedby=${id} aria-valuetext=${text(at ?? last)}
        onInput=${(/** @type {any} */ event) => setAt(Number(event.target.value))} />
      <output>${at === null ? `Point to a ${period.toLowerCase()} to see its ${unit}` : text(at)}</output>
      <${Hidden} caption=${`${caption}, ${of}`} period=${period} unit=${unit} columns=${columns} />
    </figure>`;
}

/** @param {{columns: Column[], top: number, at: number | null, onPoint: (n: number) => void}} props */
function Plot({ columns, top, at, onPoint }) {
  const lines = Array.from({ length: PARTS + 1 }, (_, n) => (top / PARTS) * n);
  return html`
    <div class="plot" aria-hidden="true">
      ${lines.map((value) => html`
        <span class="line" style=${{ bottom: `${(100 * value) / top}%` }}>
          <small>${number(value)}</small>
        </span>`)}
      <div class="bodies">
        ${columns.map(({ key, value }, n) => html`
          <div key=${key} class=${n === at ? 'body at' : 'body'} onPointerEnter=${() => onPoint(n)}>
            <i style=${{ height: `${(100 * value) / top}%` }}></i>
          </div>`)}
      </div>
    </div>`;
}

/** @param {{columns: Column[]}} props */
function Names({ columns }) {
  const every = Math.ceil(columns.length / NAMED);
  return html`
    <div class="names" aria-hidden="true">
      ${columns.filter((_, n) => n % every === 0).map(({ key, name }) => html`
        <small key=${key}>${name}</small>`)}
    </div>`;
}

/** @param {{caption: string, period: string, unit: string, columns: Column[]}} props */
function Hidden({ caption, period, unit, columns }) {
  return html`
    <div class="hidden">
      <table>
        <caption>${caption}</caption>
        <thead><tr><th scope="col">${period}</th><th scope="col">${unit}</th></tr></thead>
        <tbody>${columns.map(({ key, name, value }) => html`
          <tr key=${key}><th scope="row">${name}</th><td>${number(value)}</td></tr>`)}</tbody>
      </table>
    </div>`;
}
