// The library of events.

import { html } from 'htm/preact';
import { EVENTS } from './family.js';
import { Library } from './library.js';

export default function Events() {
  return html`<${Library} family=${EVENTS} />`;
}
