// A cohort composed of up to four blocks: an age, a sex, an ethnicity, and a household income.

import { html } from 'htm/preact';
import { Field } from '../ui/field.js';

/** @typedef {import('./cohorts.js').Cohort} Cohort */

/** Separates the IDs of the blocks in the ID of a composed cohort. */
const SEPARATOR = '.';

/** The blocks, by the category of their cohorts. The API combines at most one cohort of each. */
const BLOCKS = [
  { category: 'Age', label: 'Age' },
  { category: 'Sex', label: 'Sex' },
  { category: 'Ethnicity and race', label: 'Ethnicity' },
  { category: 'Household income', label: 'Household income' },
];

/**
 * Shows a list for each block. If the combination can't be used, explains why.
 * @param {{cohorts: Cohort[], id: string | null, onChange: (id: string | null) => void}} props `id` is the
 *   selected cohort, which doesn't have to consist of blocks
 */
export function CohortBlocks({ cohorts, id, onChange }) {
  const parts = partsOf(cohorts, id);
  const chosen = (/** @type {string} */ category) =>
    parts.find((part) => part.category === category)?.service_segment_id ?? '';
  const change = (/** @type {string} */ category, /** @type {string} */ part) => {
    const ids = BLOCKS.map((block) => (block.category === category ? part : chosen(block.category)));
    onChange(ids.filter(Boolean).join(SEPARATOR) || null);
  };
  return html`
    <fieldset class="blocks">
      <legend>Combine groups</legend>
      <div class="row">
        ${BLOCKS.map(({ category, label }) => html`
          <${Field} key=${category} label=${label}>
            <select value=${chosen(category)}
              onChange=${(/** @type {any} */ event) => change(category, event.target.value)}>
              <option value="">Any</option>
              ${cohorts.filter((cohort) => cohort.category === category).map((cohort) => html`
                <option value=${cohort.service_segment_id}>${shortName(cohort)}</option>`)}
            </select>
          <//>`)}
      </div>
      <${Missing} cohorts=${cohorts} id=${id} />
    </fieldset>`;
}

/**
 * Returns a text that explains why a combination of blocks can't be used; null if it can.
 * @param {Cohort[]} cohorts
 * @param {string | null} id
 */
export function missingCombination(cohorts, id) {
  const parts = partsOf(cohorts, id);
  const unknown = idsOf(id).length - parts.length;
  if (unknown > 0) return 'A group of this audience isn’t in the current data. Choose another audience.';
  if (parts.length < 2) return null;
  if (parts.some(({ category }) => category === 'Everyone')) {
    return 'Everyone can’t be combined with other groups. Choose only the other groups.';
  }
  const groups = [...Map.groupBy(parts, ({ category }) => category).values()];
  const double = groups.find((group) => group.length > 1);
  return double
    ? `This combination doesn’t exist: ${double.map(shortName).join(' and ')}. Choose one of them.`
    : null;
}

/** @param {{cohorts: Cohort[], id: string | null}} props */
function Missing({ cohorts, id }) {
  const reason = missingCombination(cohorts, id);
  return html`<p class="warning" role="status" hidden=${!reason}>${reason}</p>`;
}

/**
 * @param {Cohort[]} cohorts
 * @param {string | null} id
 */
function partsOf(cohorts, id) {
  return idsOf(id).flatMap((part) => cohorts.find((cohort) => cohort.service_segment_id === part) ?? []);
}

/** @param {string | null} id */
function idsOf(id) {
  return [...new Set(id?.split(SEPARATOR) ?? [])];
}

/**
 * Returns a cohort's name without the text that its block's label repeats.
 * @param {Cohort} cohort whose name is, for example, `Households with income 200K+ (persons = …)`
 */
function shortName({ cohort_description: name }) {
  return name.replace(/^Households with income /, '').replace(/ \(persons = .*\)$/, '');
}
