// The event itself: its places, periods, audience and names, what is wrong with them, and the save.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { EventCohortField } from '../../scenario/cohort-field.js';
import { CustomerFields } from '../../scenario/customer-fields.js';
import { emptyEvent, EVENT_FIELDS, eventBody, eventFaults } from '../../scenario/event-form.js';
import { EventNameFields } from '../../scenario/name-fields.js';
import { PeriodsField } from '../../scenario/periods-field.js';
import { SavedEarlier, useSave } from '../../scenario/save.js';
import { focusFirstWrong, FormErrors, notesOf } from '../../scenario/violations.js';
import { Copy } from '../../ui/copy.js';
import { number } from '../../ui/format.js';
import { Unsaved } from '../../ui/unsaved.js';
import { ChosenPlaces } from './chosen-places.js';

/** @typedef {import('../../scenario/event-form.js').EventDraft} EventDraft */
/** @typedef {import('../places/use-search.js').FoundPlace} FoundPlace */

/**
 * Shows the event's form, and what became of its save.
 * @param {{draft: EventDraft, chosen: Map<string, FoundPlace>, onChange: (draft: EventDraft) => void,
 *   onRemove: (id: string) => void, startAnew: () => void}} props
 */
export function Plan({ draft, chosen, onChange, onRemove, startAnew }) {
  const { form, submit, notes, error, done, isBusy, restart } = useEventForm(draft);
  const change = (/** @type {Partial<EventDraft>} */ part) => onChange({ ...draft, ...part });
  const anew = () => {
    restart();
    startAnew();
  };
  return html`
    <${Unsaved} isChanged=${!done && !isEmpty(draft)} />
    <form ref=${form} onSubmit=${submit} novalidate>
      <h2>The event</h2>
      <fieldset class="bare" disabled=${Boolean(done)}>
        <${EventNameFields} event=${draft} onChange=${change} notes=${notes} />
        <h3>Places</h3>
        <${ChosenPlaces} chosen=${chosen} onRemove=${onRemove} notes=${notes} />
        <h3>Periods</h3>
        <${PeriodsField} periods=${draft.periods} timezone=${draft.timezone} notes=${notes}
          onChange=${change} />
        <h3>Audience</h3>
        <${EventCohortField} cohort=${draft.cohort} notes=${notes}
          onChange=${(/** @type {EventDraft['cohort']} */ cohort) => change({ cohort })} />
        <h3>Customer</h3>
        <${CustomerFields} customer=${draft.customer} notes=${notes} isNumbered=${false}
          onChange=${(/** @type {EventDraft['customer']} */ customer) => change({ customer })} />
      </fieldset>
      <${FormErrors} notes=${notes} error=${error} />
      ${done
        ? html`<${Done} saved=${done} startAnew=${anew} />`
        : html`<div class="actions"><button class="primary" disabled=${isBusy}>
            ${isBusy ? 'Saving…' : `Save event · ${costOf('create_event')}`}
          </button></div>`}
    </form>`;
}

/**
 * Checks and saves the event, and knows what came of it.
 * @param {EventDraft} draft
 */
function useEventForm(draft) {
  const { isBusy, error, saved, save } = useSave('create_event');
  const [isChecked, setIsChecked] = useState(false);
  const [isFinished, setIsFinished] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const done = isFinished ? earlierOf(error) ?? saved : null;
  const faults = isChecked && !done ? eventFaults(draft) : [];
  const notes = notesOf(EVENT_FIELDS, { faults, error, warnings: done?.warnings });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setIsChecked(true);
    if (eventFaults(draft).length > 0) return focusFirstWrong(form.current);
    setIsFinished(Boolean(await save(eventBody(draft))));
  };
  useEffect(() => {
    if (error instanceof SavedEarlier) setIsFinished(true);
    else if (error) focusFirstWrong(form.current);
  }, [error]);
  const restart = () => {
    setIsFinished(false);
    setIsChecked(false);
  };
  return { form, submit, notes, error, done, isBusy, restart };
}

/**
 * @param {{saved: import('../../scenario/save.js').Saved<'create_event'>, startAnew: () => void}} props
 */
function Done({ saved: { asset, warningsTotal }, startAnew }) {
  return html`
    <div class="saved" role="status">
      <p><strong>The event is saved</strong> as a draft:
        ${' '}<${Copy} text=${asset.asset_id} what="the event's id" /></p>
      ${warningsTotal > 0 && html`
        <p class="warning">The release does not have ${number(warningsTotal)} of its ids: see the warnings
          above.</p>`}
      <div class="actions">
        <button type="button" onClick=${startAnew}>Plan another</button>
        <a class="button" href=${pageUrl(`events/${asset.asset_id}`)}>
          Open the event · ${costOf('read_event', 'search_places')}
        </a>
      </div>
    </div>`;
}

/** @param {EventDraft} draft */
function isEmpty(draft) {
  return JSON.stringify(draft) === JSON.stringify(emptyEvent());
}

/**
 * @param {Error | null} error
 * @returns {import('../../scenario/save.js').Saved<'create_event'> | null}
 */
function earlierOf(error) {
  return error instanceof SavedEarlier ? error.saved : null;
}
