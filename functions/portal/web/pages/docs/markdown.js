// Markdown as elements: `marked` reads it, and nothing of it is taken as HTML.

import { h } from 'preact';
import { html } from 'htm/preact';
import { lexer } from 'marked';
import { pageUrl } from '../../addresses.js';
import { DOCUMENTS } from '../../documents.js';

/** @typedef {any} Token of `marked`, whose kinds have no type in common */

/** The documents that are pages here, by their names in links. */
const PAGES = new RegExp(`^(?:\\./)?(${DOCUMENTS.map(({ name }) => name).join('|')})\\.md(#.*)?$`);

/**
 * Shows a text.
 * @param {{text: string}} props
 */
export function Markdown({ text }) {
  return lexer(text).map(block);
}

/**
 * Returns the first heading of a text.
 * @param {string} text
 */
export function titleOf(text) {
  return /^# (.+)$/m.exec(text)?.[1] ?? 'Docs';
}

/** @param {Token} token */
function block(token) {
  switch (token.type) {
    case 'heading':
      return h(`h${token.depth}`, { id: slug(token.text) }, token.tokens.map(inline));
    case 'paragraph':
      return html`<p>${token.tokens.map(inline)}</p>`;
    case 'code':
      return html`<pre tabindex="0"><code>${token.text}</code></pre>`;
    case 'list':
      return list(token);
    case 'table':
      return table(token);
    case 'blockquote':
      return html`<blockquote>${token.tokens.map(block)}</blockquote>`;
    case 'hr':
      return html`<hr />`;
    case 'space':
      return null;
    default:
      return inline(token);
  }
}

/** @param {Token} token */
function list(token) {
  // "402. The organization…" is a paragraph that begins with a status, and no list.
  if (token.start > 99) return html`<p>${token.start}. ${token.items[0].tokens.map(inline)}</p>`;
  return h(token.ordered ? 'ol' : 'ul', token.ordered ? { start: token.start } : {}, token.items.map(item));
}

/** @param {Token} token */
function item(token) {
  return html`<li>${token.tokens.map(block)}</li>`;
}

/** @param {Token} token */
function table(token) {
  const name = token.header.map((/** @type {Token} */ cell) => cell.text).join(', ');
  return html`
    <div class="scrolled" role="region" aria-label=${name} tabindex="0">
      <table>
        <thead><tr>${token.header.map((/** @type {Token} */ cell) => html`
          <th scope="col">${cell.tokens.map(inline)}</th>`)}</tr></thead>
        <tbody>${token.rows.map((/** @type {Token[]} */ row) => html`
          <tr>${row.map((cell) => html`<td>${cell.tokens.map(inline)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`;
}

/** @param {Token} token */
function inline(token) {
  const within = () => token.tokens.map(inline);
  switch (token.type) {
    case 'strong':
      return html`<strong>${within()}</strong>`;
    case 'em':
      return html`<em>${within()}</em>`;
    case 'codespan':
      return html`<code>${token.text}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return link(token, within());
    case 'text':
      return token.tokens ? within() : token.text;
    default:
      return token.raw;
  }
}

/**
 * Leads to the document's page here; what only the repository has stays words.
 * @param {Token} token
 * @param {any} words
 */
function link(token, words) {
  const page = PAGES.exec(token.href);
  if (page) return html`<a href=${pageUrl(`docs/${page[1]}${page[2] ?? ''}`)}>${words}</a>`;
  if (token.href.endsWith('openapi.yaml')) {
    return html`<a href="/v2/openapi.yaml" target="_self">${words}</a>`;
  }
  if (/^(https?:|#)/.test(token.href)) return html`<a href=${token.href}>${words}</a>`;
  return words;
}

/**
 * Names a heading as links to it do.
 * @param {string} text
 */
function slug(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-');
}
