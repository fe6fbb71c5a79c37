// Links to pages, with a mark at the open one.

import { html } from 'htm/preact';
import { pageUrl } from '../addresses.js';
import { pageAt } from '../routes.js';

/**
 * Shows a link to each page. Pages below an open page count as the open one.
 * @param {{pages: import('../routes.js').Page[], path: string}} props
 */
export function PageLinks({ pages, path }) {
  const open = pageAt(path)?.path.split('/')[0];
  return pages.map((page) => html`
    <a href=${pageUrl(page.path)} aria-current=${page.path === open ? 'page' : undefined}>${page.title}</a>`);
}
