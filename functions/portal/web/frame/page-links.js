// Links to pages. The link to the open page is marked.

import { html } from 'htm/preact';
import { pageUrl } from '../addresses.js';
import { pageAt } from '../routes.js';

/**
 * Shows a link to each page. If the open page is below one of the pages, that page's link is marked.
 * @param {{pages: import('../routes.js').Page[], path: string}} props
 */
export function PageLinks({ pages, path }) {
  const open = pageAt(path)?.path.split('/')[0];
  return pages.map((page) => html`
    <a href=${pageUrl(page.path)} aria-current=${page.path === open ? 'page' : undefined}>${page.title}</a>`);
}
