// The API reference, which shows openapi.yaml in Swagger UI. Calls use the person's sign-in or an API key.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fileUrl } from '../../addresses.js';
import { configuration } from '../../configuration.js';
import { theme } from '../../ui/theme.js';
import { isSignedIn, token } from '../../session/session.js';
import { Field } from '../../ui/field.js';
import { Loading } from '../../ui/loading.js';
import { addStyles } from '../../ui/vendor-styles.js';

const PACKAGE = 'vendor/swagger-ui-dist';
/** The class that enables Swagger UI's dark theme. */
const DARK = 'dark-mode';
const SEARCH = '/msearch/inventory';

/** The API key for calls. If it's empty, calls use the person's sign-in. The key is kept only in memory. */
const key = signal('');

/** Shows all operations, with a field for an API key. */
export default function Reference() {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [state, setState] = useState(/** @type {'loading' | 'ready' | 'failed'} */ ('loading'));
  useEffect(() => {
    let isLeft = false;
    const show = () => {
      if (isLeft || !place.current) return;
      start(place.current);
      setState('ready');
    };
    load().then(show, () => setState('failed'));
    return () => { isLeft = true; };
  }, []);
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle(DARK, theme.value === 'dark');
    return () => classList.remove(DARK);
  }, [theme.value]);
  return html`
    <div class="api-reference">
      <h1>API reference</h1>
      <${Credential} />
      ${state === 'loading' && html`<${Loading} what="the reference" lines=${8} />`}
      ${state === 'failed' && html`
        <p class="error" role="alert">The API reference couldn’t be loaded. Reload the page.</p>`}
      <div ref=${place} id="swagger"></div>
    </div>`;
}

function Credential() {
  const whose = isSignedIn.value
    ? 'Leave empty to make calls as yourself, with your organization’s credits.'
    : 'Without a key, only public calls work. Enter a key or sign in to try the others.';
  return html`
    <form class="credential" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <${Field} label="API key for trying calls" hint=${`${whose} The key stays in this window.`}>
        <input type="password" autocomplete="off" spellcheck="false" placeholder="mq_live_…"
          value=${key.value}
          onInput=${(/** @type {any} */ event) => { key.value = event.target.value.trim(); }} />
      <//>
    </form>`;
}

/**
 * Loads Swagger UI's script, which isn't a module.
 * @returns {Promise<void>}
 */
function load() {
  addStyles(`${PACKAGE}/swagger-ui.css`);
  if ('SwaggerUIBundle' in window) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const src = fileUrl(`${PACKAGE}/swagger-ui-bundle.js`);
    Object.assign(script, { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

/** @param {HTMLElement} place */
function start(place) {
  const bundle = /** @type {any} */ (window).SwaggerUIBundle;
  bundle({
    domNode: place,
    url: '/v2/openapi.yaml',
    validatorUrl: null,
    docExpansion: 'list',
    // Show the values of `x-extensible-enum`.
    showExtensions: true,
    defaultModelsExpandDepth: -1,
    requestInterceptor: withCredential,
    // Don't show the final request, because it contains the token.
    showMutatedRequest: false,
    plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec: here } } } }],
  });
}

/**
 * Returns a function that replaces the servers of a specification with the addresses that this page can call.
 * The page's origin can differ from the public address.
 * @param {(spec: any) => unknown} update
 */
function here(update) {
  return (/** @type {any} */ spec) => {
    const own = [{ url: `${location.origin}/v2` }];
    const search = [{ url: configuration.search_url ?? location.origin }];
    const paths = { ...spec.paths };
    for (const [path, item] of Object.entries(paths)) {
      if (item.servers) paths[path] = { ...item, servers: path === SEARCH ? search : own };
    }
    return update({ ...spec, servers: own, paths });
  };
}

/** @param {{url: string, headers: Record<string, string>, loadSpec?: boolean}} request */
function withCredential(request) {
  if (request.loadSpec) return request;
  const bearer = token();
  if (key.value) request.headers[request.url.endsWith(SEARCH) ? 'apikey' : 'X-API-Key'] = key.value;
  else if (bearer) request.headers.Authorization = `Bearer ${bearer}`;
  return request;
}
