// The library filters that the API applies. They're stored in the address, so that a filtered list can be
// shared.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { Field } from '../../ui/field.js';
import { STATES } from '../../ui/state-badge.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('../../ui/state-badge.js').AssetState} AssetState */

/**
 * @typedef {object} ListFilters
 * @property {AssetState | undefined} state undefined for all states
 * @property {string} name the start of the name
 * @property {string} own the complete external ID
 * @property {string} since the earliest date of the last update, in UTC; empty for all dates
 */

/**
 * Reads the filters from the query parameters of an address. Ignores unknown states and malformed dates.
 * @param {Record<string, string>} query
 * @returns {ListFilters}
 */
export function filtersOf({ state = '', name = '', own = '', since = '' }) {
  const known = STATES.find((one) => one === state);
  return { state: known, name, own, since: /^\d{4}-\d{2}-\d{2}$/.test(since) ? since : '' };
}

/**
 * Returns the address of a filtered library.
 * @param {Family} family
 * @param {ListFilters} filters
 */
export function listUrl({ many }, { state, ...texts }) {
  const given = Object.entries({ state: state ?? '', ...texts }).filter(([, text]) => text !== '');
  return `${pageUrl(many)}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
}

/**
 * Returns whether any filter is set.
 * @param {ListFilters} filters
 */
export function isFiltered({ state, name, own, since }) {
  return Boolean(state || name || own || since);
}

/**
 * Shows the filters as a search form.
 * @param {{family: Family, filters: ListFilters}} props
 */
export function Filters({ family, filters }) {
  const { route } = useLocation();
  const [draft, setDraft] = useState(filters);
  const apply = (/** @type {Event} */ event) => {
    event.preventDefault();
    route(listUrl(family, { ...draft, name: draft.name.trim(), own: draft.own.trim() }));
  };
  /** @type {(name: 'name' | 'own' | 'since', label: string, type?: string) => any} */
  const field = (name, label, type = 'text') => html`
    <${Field} label=${label}>
      <input type=${type} value=${draft[name]} maxlength=${name === 'name' ? 100 : undefined}
        onInput=${(/** @type {any} */ event) => setDraft({ ...draft, [name]: event.target.value })} />
    <//>`;
  return html`
    <form class="filters" role="search" onSubmit=${apply}>
      ${field('name', 'Name starts with')}
      ${field('own', 'External ID')}
      ${field('since', 'Updated since', 'date')}
      <button>Find · ${costOf(family.list)}</button>
      ${(filters.name || filters.own || filters.since) && html`
        <a href=${listUrl(family, { state: filters.state, name: '', own: '', since: '' })}>Clear</a>`}
    </form>`;
}
