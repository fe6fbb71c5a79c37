// Lets the person choose a cohort, either by combining an age, a sex, an ethnicity, and an income, or by
// search words. Each search word must match the start of a word.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.js';
import { count } from '../../ui/format.js';
import { hasWords } from '../../ui/word-search.js';
import { CohortBlocks } from '../../scenario/cohort-blocks.js';
import { useComposed } from '../../scenario/use-composed.js';

/** @typedef {import('../../scenario/cohorts.js').Cohort} Cohort */

/**
 * Shows the lists to combine, a search field, and the matching cohorts, grouped by category.
 * @param {{cohorts: Cohort[], chosen: string | null, onChoose: (id: string | null) => void}} props
 */
export function CohortChoice({ cohorts, chosen, onChoose }) {
  const [words, setWords] = useState('');
  const single = cohorts.filter(({ cohort_description: description, category }) =>
    hasWords(`${description} ${category}`, words));
  const composed = useComposed(words, single.length === 0);
  const found = single.length > 0 ? single : composed;
  const groups = [...Map.groupBy(found, ({ category }) => category)];
  return html`
    <${CohortBlocks} cohorts=${cohorts} id=${chosen} onChange=${onChoose} />
    <${Field} label="Cohort" hint="Such as women 25, or hispanic adults 25-54 100K+.">
      <input type="search" value=${words}
        onInput=${(/** @type {any} */ event) => setWords(event.target.value)} />
    <//>
    <p class="soft" role="status">${found.length === 0
      ? 'No cohorts match. Try fewer words, or combine groups above.' : count(found.length, 'cohort')}</p>
    <div class="cohorts" role="group" aria-label="Cohorts">
      ${groups.map(([category, own]) => html`
        <fieldset key=${category}>
          <legend>${category}</legend>
          ${own.map(({ service_segment_id: id, cohort_description: description }) => html`
            <label key=${id} class=${id === chosen ? 'is-chosen' : ''}>
              <input type="radio" name="cohort" value=${id} checked=${id === chosen}
                onChange=${() => onChoose(id)} />
              ${description}
            </label>`)}
        </fieldset>`)}
    </div>`;
}
