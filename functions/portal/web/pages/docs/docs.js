// What there is to read, and where to begin.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { configuration } from '../../configuration.js';
import { DOCUMENTS } from '../../documents.js';
import { Copy } from '../../ui/copy.js';
import { useTitle } from '../../ui/use-title.js';

/** Stands among the documents, and is a page of its own. */
const REFERENCE = {
  name: 'reference', title: 'Reference',
  about: 'Every operation with its parameters and answers, to try with your own key.',
};

/** Leads to the documents, and says the addresses that a program needs. */
export default function Docs() {
  useTitle('Docs');
  return html`
    <article class="prose">
      <h1>Docs</h1>
      <dl class="readings">
        ${DOCUMENTS.toSpliced(1, 0, REFERENCE).map(({ name, title, about }) => html`
          <div><dt><a href=${pageUrl(`docs/${name}`)}>${title}</a></dt><dd>${about}</dd></div>`)}
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
