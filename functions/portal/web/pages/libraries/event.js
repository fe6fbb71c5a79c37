// The page of one event.

import { html } from 'htm/preact';
import { AssetPage } from './asset-page.js';
import { EVENTS } from './family.js';

/** @param {{id: string}} props */
export default function Event({ id }) {
  return html`<${AssetPage} key=${id} family=${EVENTS} id=${id} />`;
}
