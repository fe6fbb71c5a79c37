// The library of campaigns.

import { html } from 'htm/preact';
import { CAMPAIGNS } from './family.js';
import { Library } from './library.js';

export default function Campaigns() {
  return html`<${Library} family=${CAMPAIGNS} />`;
}
