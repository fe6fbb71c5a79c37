// The page of one asset, with a readable view and an edit form.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useCall } from '../../api/use-call.js';
import { ApiError } from '../../api/errors.js';
import { pageUrl } from '../../addresses.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { capital } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import { AssetHead } from './asset-head.js';
import { AssetReadable } from './asset-readable.js';
import { Developer } from './developer.js';
import { EditForm } from './edit-form.js';
import { titleOf } from './family.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('./family.js').Version} Version */
/** @typedef {import('./asset-head.js').View} View */

/**
 * Loads an asset and shows it in the selected view.
 * @param {{family: Family, id: string}} props
 */
export function AssetPage({ family, id }) {
  const read = useCall(family.read, /** @type {any} */ ({ path: { asset_id: id } }));
  const [written, setWritten] = useState(/** @type {Version | null} */ (null));
  const [view, setView] = useState(/** @type {View} */ ('readable'));
  const [said, setSaid] = useState('');
  const etag = read.headers?.get('ETag') ?? '';
  const version = written ?? (read.body ? { asset: read.body.data, etag } : null);
  const title = version && titleOf(family, version.asset);
  useTitle(title);
  if (!version) return html`<${NotRead} family=${family} read=${read} />`;
  const show = (/** @type {View} */ next) => {
    setSaid('');
    setView(next);
  };
  const save = (/** @type {Version} */ next) => {
    setWritten(next);
    setView('readable');
    setSaid('Saved.');
  };
  const bought = () => {
    setWritten(null);
    setSaid('Bought.');
    read.retry();
  };
  return html`
    <article class="asset">
      <${AssetHead} family=${family} version=${version} view=${view} onView=${show} />
      <p role="status" class="said">${said}</p>
      ${view === 'readable' && html`
        <${AssetReadable} family=${family} asset=${version.asset} onBought=${bought} />`}
      ${view === 'edit' && html`
        <${EditForm} family=${family} version=${version} onSaved=${save}
          onLeave=${() => show('readable')} />`}
      <${Developer} family=${family} asset=${version.asset} />
    </article>`;
}

/** @param {{family: Family, read: import('../../api/use-call.js').Called<any>}} props */
function NotRead({ family: { one, many }, read }) {
  const isGone = read.error instanceof ApiError && read.error.status === 404;
  if (isGone) {
    return html`
      <h1 class="hidden">${capital(one)} not found</h1>
      <${Empty} title=${`${capital(one)} not found`}>
        <p>It was deleted, or it belongs to another organization.</p>
        <p><a href=${pageUrl(many)}>View your ${many}</a></p>
      <//>`;
  }
  if (read.error) return html`<h1>${capital(one)}</h1><${Failure} error=${read.error} retry=${read.retry} />`;
  return html`<h1 class="hidden">${capital(one)}</h1><${Loading} what=${`the ${one}`} lines=${8} />`;
}
