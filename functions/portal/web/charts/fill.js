// The fills of series combine eight colors with five patterns, so that series can be told apart without
// color.

import { html } from 'htm/preact';

const COLORS = 8;

/** The patterns that are drawn over the colors, each in a square of 8 pixels; null means no pattern. */
const PATTERNS = [
  null,
  html`<path d="M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4" />`,
  html`<circle cx="4" cy="4" r="1.6" />`,
  html`<path d="M0,4 h8" />`,
  html`<path d="M0,0 l8,8 M8,0 l-8,8" />`,
];

/**
 * Defines a fill for each series, with the ID `<prefix><position>`.
 * @param {{prefix: string, length: number}} props
 */
export function Fills({ prefix, length }) {
  const fills = Array.from({ length }, (_, n) => html`
    <pattern id=${prefix + n} class=${`fill fill-${n % COLORS}`} width="8" height="8"
      patternUnits="userSpaceOnUse">
      <rect width="8" height="8" />
      ${PATTERNS[n % PATTERNS.length]}
    </pattern>`);
  return html`<defs>${fills}</defs>`;
}

/**
 * Shows the fill of the nth series, for a legend.
 * @param {{prefix: string, n: number}} props
 */
export function Swatch({ prefix, n }) {
  return html`
    <svg class="swatch" width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" fill=${`url(#${prefix}${n})`} />
    </svg>`;
}
