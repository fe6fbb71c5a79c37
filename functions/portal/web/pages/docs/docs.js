// The page that lists the documents and the addresses of the API.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { configuration } from '../../configuration.js';
import { DOCUMENTS } from '../../documents.js';
import { Copy } from '../../ui/copy.js';
import { OtherWindow } from '../../ui/other-window.js';
import { useTitle } from '../../ui/use-title.js';

/**
 * Lists the documents. Documents are separate pages that people can read without signing in, so they open in
 * another window.
 */
export default function Docs() {
  useTitle('Docs');
  return html`
    <article class="prose">
      <h1>Docs</h1>
      <dl class="readings">
        <div>
          <dt><a href=${pageUrl('docs/reference')}>API reference</a></dt>
          <dd>Every operation with its parameters and responses. Try calls with your own key.</dd>
        </div>
        ${DOCUMENTS.map(({ name, title, about }) => html`
          <div>
            <dt><${OtherWindow} href=${pageUrl(`docs/${name}`)}>${title}<//></dt>
            <dd>${about}</dd>
          </div>`)}
      </dl>
      <h2>Addresses</h2>
      <p>API, with the key in <code>X-API-Key</code>:</p>
      <p><${Copy} text=${`${location.origin}/v2`} what="the API’s address" /></p>
      <p>Search gateway, with the key in <code>apikey</code>:</p>
      <p><${Copy} text=${configuration.search_url ?? location.origin} what="the search gateway’s address" />
      </p>
      <p>Description for client generators:
        ${' '}<a href="/v2/openapi.yaml" target="_self">openapi.yaml</a></p>
    </article>`;
}
