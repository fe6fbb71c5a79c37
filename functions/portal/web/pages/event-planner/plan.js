// The form of an event: name, places, periods, audience, advertiser, errors, and the save button.

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
import { count } from '../../ui/format.js';
import { Unsaved } from '../../ui/unsaved.js';
import { ChosenPlaces } from './chosen-places.js';

/** @typedef {import('../../scenario/event-form.js').EventDraft} EventDraft */
/** @typedef {import('../places/use-search.js').FoundPlace} FoundPlace */

/**
 * Shows the form of an event, and a confirmation after the event has been saved.
 * @param {{draft: EventDraft, chosen: Map<string, FoundPlace>, onChange: (draft: EventDraft) => void,
 *   onRemove: (id: string) => void, startOver: () => void}} props
 */
export function Plan({ draft, chosen, onChange, onRemove, startOver }) {
  const { form, submit, notes, error, done, isBusy, restart } = useEventForm(draft);
  const change = (/** @type {Partial<EventDraft>} */ part) => onChange({ ...draft, ...part });
  const planAnother = () => {
    restart();
    startOver();
  };
  return html`
    <${Unsaved} isChanged=${!done && !isEmpty(draft)} />
    <form ref=${form} onSubmit=${submit} novalidate>
      <h2>Event</h2>
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
        <h3>Advertiser</h3>
        <${CustomerFields} customer=${draft.customer} notes=${notes} isNumbered=${false}
          onChange=${(/** @type {EventDraft['customer']} */ customer) => change({ customer })} />
      </fieldset>
      <${FormErrors} notes=${notes} error=${error} />
      ${done
        ? html`<${Done} saved=${done} planAnother=${planAnother} />`
        : html`<div class="actions"><button class="primary" disabled=${isBusy}>
            ${isBusy ? 'Saving…' : `Save event · ${costOf('create_event')}`}
          </button></div>`}
    </form>`;
}

/**
 * Returns the form's state, and functions that save the event and start another one.
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
 * @param {{saved: import('../../scenario/save.js').Saved<'create_event'>, planAnother: () => void}} props
 */
function Done({ saved: { asset, warningsTotal }, planAnother }) {
  return html`
    <div class="saved" role="status">
      <p><strong>The event was saved</strong> as a draft:
        ${' '}<${Copy} text=${asset.asset_id} what="event ID" /></p>
      ${warningsTotal > 0 && html`
        <p class="warning">${count(warningsTotal, 'ID')} ${warningsTotal === 1 ? 'isn’t' : 'aren’t'} in the
          current data. See the warnings above.</p>`}
      <div class="actions">
        <button type="button" onClick=${planAnother}>Plan another event</button>
        <a class="button" href=${pageUrl(`events/${asset.asset_id}`)}>
          Open event · ${costOf('read_event', 'search_places')}
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
