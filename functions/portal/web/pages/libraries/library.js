// A library: a list of assets that can be filtered and is loaded one page at a time.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { commands } from '../../ui/commands.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { titleOf } from './family.js';
import { AssetTable } from './asset-table.js';
import { Filters, filtersOf, isFiltered } from './filters.js';
import { StateTabs } from './state-tabs.js';
import { usePages } from './use-pages.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('./family.js').Listed} Listed */

/** The maximum number of assets of a library that the command palette lists. */
const IN_PALETTE = 25;

/**
 * Shows a library, filtered as the address specifies.
 * @param {{family: Family}} props
 */
export function Library({ family }) {
  const { query } = useLocation();
  const filters = filtersOf(query);
  const summary = useCall(family.summarize, {});
  const pages = usePages(family, filters);
  const [words, setWords] = useState('');
  const counts = summary.body?.data ?? null;
  const shown = pages.rows.filter((row) => hasWords(family, row, words));
  useCommands(family, pages.rows);
  // If both calls fail, only one error is shown, and its button retries both calls.
  const retry = () => {
    if (summary.error) summary.retry();
    pages.retry();
  };
  const isNew = counts?.total === 0 && pages.rows.length === 0;
  return html`
    <div class="library">
      <div class="head">
        <h1>${family.title}</h1>
        <a class="button primary"
          href=${pageUrl(family.planner)}>Plan ${family.one === 'event' ? 'an event' : 'a campaign'}</a>
      </div>
      <${StateTabs} family=${family} counts=${counts} filters=${filters} />
      <${Failure} error=${pages.error ? null : summary.error} retry=${summary.retry} />
      ${isNew ? html`<${NothingYet} family=${family} />` : html`
        <${Filters} key=${JSON.stringify(query)} family=${family} filters=${filters} />
        <${LoadedFilter} words=${words} onWords=${setWords} loaded=${pages.rows.length} shown=${shown.length}
          hasMore=${pages.hasMore} many=${family.many} />
        ${shown.length > 0 && html`<${AssetTable} family=${family} rows=${shown} />`}
        ${pages.isLoading && pages.rows.length === 0 && html`<${Loading} what=${family.many} lines=${8} />`}
        ${!pages.isLoading && !pages.error && pages.rows.length === 0 && html`
          <${NothingFound} family=${family} filters=${filters} hasMore=${pages.hasMore} />`}
        <${Failure} error=${pages.error} retry=${retry} />
        ${pages.hasMore && !pages.error && html`
          <button disabled=${pages.isLoading} onClick=${pages.more}>
            ${pages.isLoading ? 'Loading…' : `Load more · ${costOf(family.list)}`}
          </button>`}`}
    </div>`;
}

/** @param {{family: Family}} props */
function NothingYet({ family: { one, many, planner } }) {
  return html`
    <${Empty} title=${`No ${many} yet`}>
      <p>${one === 'campaign'
        ? 'A campaign consists of displays, a flight, and an audience to measure.'
        : 'An event consists of places, periods, and an audience to measure.'}</p>
      <p><a class="button primary" href=${pageUrl(planner)}>Plan your first ${one}</a></p>
    <//>`;
}

/** @param {{family: Family, filters: import('./filters.js').ListFilters, hasMore: boolean}} props */
function NothingFound({ family, filters, hasMore }) {
  const so = hasMore ? `No matches among the ${family.many} searched so far.` : `No ${family.many} match.`;
  return html`
    <p role="status">${so} ${isFiltered(filters) && html`
      <a href=${pageUrl(family.many)}>Show all ${family.many} · ${costOf(family.list)}</a>`}</p>`;
}

/**
 * @param {{words: string, onWords: (words: string) => void, loaded: number, shown: number, hasMore: boolean,
 *   many: string}} props
 */
function LoadedFilter({ words, onWords, loaded, shown, hasMore, many }) {
  const rest = hasMore ? ' Others aren’t loaded yet.' : '';
  const said = words.trim() === ''
    ? `${number(loaded)} ${many} loaded${hasMore ? '; more available' : ''}.`
    : `${number(shown)} of ${number(loaded)} loaded ${many}.${rest}`;
  return html`
    <div class="loaded">
      <input type="search" aria-label="Filter loaded rows" placeholder="Filter loaded rows · free"
        value=${words}
        onInput=${(/** @type {any} */ event) => onWords(event.target.value)} />
      <span role="status">${loaded > 0 && said}</span>
    </div>`;
}

/**
 * @param {Family} family
 * @param {Listed} row
 * @param {string} words
 */
function hasWords(family, row, words) {
  const { customer_scenario_id: id = '', customer_name: customer = '' } = row.customer ?? {};
  const text = `${titleOf(family, row)} ${id} ${customer}`.toLowerCase();
  const wanted = words.toLowerCase().split(/\s+/);
  return wanted.every((word) => text.includes(word) || word === row.asset_id);
}

/**
 * Adds the newest assets to the command palette.
 * @param {Family} family
 * @param {Listed[]} rows
 */
function useCommands(family, rows) {
  useEffect(() => {
    if (rows.length === 0) return;
    const found = rows.slice(0, IN_PALETTE).map((row) => ({
      name: titleOf(family, row), hint: family.one, url: pageUrl(`${family.many}/${row.asset_id}`),
    }));
    commands.value = [...commands.value.filter(({ hint }) => hint !== family.one), ...found];
  }, [family, rows]);
}
