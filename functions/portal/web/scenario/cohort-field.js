// Fields for the audience of a campaign or an event: cohorts, baseline, and markets.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { Chosen, Combobox } from '../ui/combobox.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { matchingWords } from '../ui/word-search.js';
import { CohortBlocks } from './cohort-blocks.js';
import { allCohorts, cohortName } from './cohorts.js';
import { MarketsField } from './markets-field.js';
import { useComposed } from './use-composed.js';

/** @typedef {import('./cohorts.js').Cohort} Cohort */
/** @typedef {import('./violations.js').Notes} Notes */
/** @typedef {import('./campaign-form.js').CampaignDraft['cohort']} CampaignCohort */
/** @typedef {import('./event-form.js').EventDraft['cohort']} EventCohort */

/**
 * Shows fields for a campaign's audience: cohorts (the first one is measured), baseline, and markets.
 * @param {{cohort: CampaignCohort, onChange: (cohort: CampaignCohort) => void, notes: Notes}} props
 */
export function CampaignCohortField({ cohort, onChange, notes }) {
  const change = (/** @type {Partial<CampaignCohort>} */ part) => onChange({ ...cohort, ...part });
  const base = cohort.service_base_segment_id;
  return html`
    <${CohortsField} label="Audience" isMany pointer="/cohort/service_segment_ids" notes=${notes}
      hint="Search by words, such as “adults 18-34”. The first one is measured; others are for reference."
      ids=${cohort.service_segment_ids}
      onChange=${(/** @type {string[]} */ ids) => change({ service_segment_ids: ids })} />
    <${CohortsField} label="Baseline" pointer="/cohort/service_base_segment_id" notes=${notes}
      hint="The group with an index of 100. Persons means everyone." ids=${base ? [base] : []} isEveryoneFirst
      onChange=${(/** @type {string[]} */ ids) => change({ service_base_segment_id: ids.at(-1) ?? '' })} />
    <${MarketsField} ids=${cohort.geography_ids} notes=${notes}
      onChange=${(/** @type {string[]} */ ids) => change({ geography_ids: ids })} />`;
}

/**
 * Shows fields for an event's audience: one cohort and its markets.
 * @param {{cohort: EventCohort, onChange: (cohort: EventCohort) => void, notes: Notes}} props
 */
export function EventCohortField({ cohort, onChange, notes }) {
  const change = (/** @type {Partial<EventCohort>} */ part) => onChange({ ...cohort, ...part });
  const id = cohort.service_segment_id;
  return html`
    <${CohortsField} label="Audience" pointer="/cohort/service_segment_id" notes=${notes}
      hint="Search by words, such as “adults 18-34”." ids=${id ? [id] : []}
      onChange=${(/** @type {string[]} */ ids) => change({ service_segment_id: ids.at(-1) ?? '' })} />
    <${MarketsField} ids=${cohort.geography_ids} notes=${notes}
      onChange=${(/** @type {string[]} */ ids) => change({ geography_ids: ids })} />`;
}

/**
 * Shows a field for finding cohorts by words. The cohorts are loaded when the field opens, or immediately if
 * cohorts are already selected.
 * @param {{label: string, hint: string, pointer: string, notes: Notes, ids: string[], isMany?: boolean,
 *   isEveryoneFirst?: boolean, isOptional?: boolean, onChange: (ids: string[]) => void}} props
 */
export function CohortsField(props) {
  const { label, hint, pointer, notes, ids, isMany, isEveryoneFirst, isOptional, onChange } = props;
  const [words, setWords] = useState('');
  const { list, error, load } = useCohorts(ids.length > 0);
  const choices = list.filter(({ service_segment_id: id }) => !ids.includes(id)).map(choiceOf);
  const single = matchingWords(choices, words);
  const composed = useComposed(words, list.length > 0 && single.length === 0);
  const others = composed.filter(({ service_segment_id: id }) => !ids.includes(id)).map(choiceOf);
  const found = single.length > 0 ? single : others;
  const name = (/** @type {string} */ id) => {
    const cohort = list.find((one) => one.service_segment_id === id);
    return cohort ? choiceOf(cohort) : { id, name: cohortName(id) };
  };
  const choose = (/** @type {{id: string}} */ { id }) => onChange(isMany ? [...ids, id] : [id]);
  const none = html`<p>${noneOf(list, error)}</p>`;
  const everyone = list.find(({ category }) => category === 'Everyone');
  return html`
    <${Field} label=${label} hint=${hint} error=${notes.errorAt(pointer)} warning=${notes.warningAt(pointer)}
      isRequired=${!isOptional}>
      <${Combobox} words=${words} onWords=${setWords} choices=${found} onChoose=${choose} onOpen=${load}
        none=${none}
        placeholder=${isMany && ids.length > 0 ? 'Add another audience' : 'Find an audience'} />
    <//>
    <${Chosen} label=${`${label}: selected`} chosen=${ids.map(name)}
      onRemove=${(/** @type {string} */ id) => onChange(ids.filter((one) => one !== id))} />
    ${!isEveryoneFirst && html`
      <${Composer} cohorts=${list} ids=${ids} load=${load} isMany=${isMany} choose=${choose} />`}
    ${isEveryoneFirst && everyone && ids.length === 0 && html`
      <button type="button"
        onClick=${() => onChange([everyone.service_segment_id])}>Use everyone</button>`}
    <${Failure} error=${error} retry=${load} />`;
}

/**
 * Shows the blocks that an audience is composed of, and a button that selects the audience.
 * @param {{cohorts: Cohort[], ids: string[], load: () => void, isMany?: boolean,
 *   choose: (cohort: {id: string}) => void}} props
 */
function Composer({ cohorts, ids, load, isMany = false, choose }) {
  const [id, setId] = useState(/** @type {string | null} */ (null));
  const add = () => {
    if (!id) return;
    choose({ id });
    setId(null);
  };
  return html`
    <details class="composer" onToggle=${load}>
      <summary>Combine age, sex, ethnicity, and income</summary>
      <${CohortBlocks} cohorts=${cohorts} id=${id} onChange=${setId} />
      <button type="button" disabled=${!id || ids.includes(id)} onClick=${add}>
        ${isMany ? 'Add this audience' : 'Use this audience'}
      </button>
    </details>`;
}

/**
 * Returns the cohorts, and a function that loads them.
 * @param {boolean} isNeeded whether to load the cohorts immediately
 */
function useCohorts(isNeeded) {
  const [list, setList] = useState(/** @type {Cohort[]} */ ([]));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const load = () => {
    setError(null);
    allCohorts().then(setList, setError);
  };
  useEffect(() => {
    if (isNeeded) load();
  }, [isNeeded]);
  return { list, error, load };
}

/**
 * Returns the text that explains why no cohorts are shown.
 * @param {Cohort[]} list
 * @param {Error | null} error
 */
function noneOf(list, error) {
  if (error) return 'Audiences couldn’t be loaded.';
  return list.length > 0 ? 'No audience matches.' : 'Loading audiences…';
}

/** @param {Cohort} cohort */
function choiceOf({ service_segment_id: id, cohort_description: name, category }) {
  return { id, name, hint: category === 'Everyone' ? 'Everyone, all people' : category };
}
