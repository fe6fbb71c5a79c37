// What there is to read, and where to begin.

import { html } from 'htm/preact';
import { configuration, pageUrl } from '../../configuration.js';
import { Copy } from '../../ui/copy.js';
import { useTitle } from '../../ui/use-title.js';

const READINGS = [
  {
    page: 'docs/workflows', name: 'Workflows',
    about: 'From sign-up to a first call; then five ways from a question to an answer.',
  },
  {
    page: 'docs/reference', name: 'Reference',
    about: 'Every operation with its parameters and answers, to try with your own key.',
  },
  {
    page: 'docs/clients', name: 'Clients',
    about: 'How clients for Python and TypeScript are made from the contract, and call.',
  },
  {
    page: 'docs/errors', name: 'Errors',
    about: 'What each error code means, what it costs, and the way out.',
  },
  {
    page: 'docs/products', name: 'Products and tiers',
    about: 'What each call costs, who may make it, and the limits.',
  },
  {
    page: 'docs/model', name: 'The model',
    about: 'How visits are modelled where nothing was measured.',
  },
];

/** Leads to the documents, and says the addresses that a program needs. */
export default function Docs() {
  useTitle('Docs');
  return html`
    <article class="prose">
      <h1>Docs</h1>
      <dl class="readings">
        ${READINGS.map(({ page, name, about }) => html`
          <div><dt><a href=${pageUrl(page)}>${name}</a></dt><dd>${about}</dd></div>`)}
      </dl>
      <h2>Addresses</h2>
      <p>The interface, with the key in <code>X-API-Key</code>:</p>
      <p><${Copy} text=${`${location.origin}/v2`} what="the interface's address" /></p>
      <p>The search gateway, with the key in <code>apikey</code>:</p>
      <p><${Copy} text=${configuration.search_url ?? location.origin} what="the search gateway's address" />
      </p>
      <p>Its description, for generators of clients:
        ${' '}<a href="/v2/openapi.yaml" target="_self">openapi.yaml</a></p>
    </article>`;
}
