// The panel of the plan: its displays by group, the campaign's form, and the save button.

import { html } from 'htm/preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { busyLabel } from '../../api/waiting.js';
import { pageUrl } from '../../addresses.js';
import { CAMPAIGN_FIELDS, MAX_SPOTS, campaignBody, campaignFaults } from '../../scenario/campaign-form.js';
import { CampaignCohortField } from '../../scenario/cohort-field.js';
import { allCohorts } from '../../scenario/cohorts.js';
import { CustomerFields } from '../../scenario/customer-fields.js';
import { EstimateSection } from '../../scenario/estimate-section.js';
import { currentEstimate, moveEstimate } from '../../scenario/estimate.js';
import { ExportMenu } from '../../scenario/export-menu.js';
import { FlightFields } from '../../scenario/flight-fields.js';
import { CampaignNameFields } from '../../scenario/name-fields.js';
import { SavedEarlier, useSave } from '../../scenario/save.js';
import { FormErrors, focusFirstWrong, notesOf } from '../../scenario/violations.js';
import { number } from '../../ui/format.js';
import { members, ownGroupName } from './groups.js';
import { chosen, filledForm, form, inOrder, nameOf, startOver, windows } from './plan.js';
import { IdList } from './id-list.js';
import { PlanState } from './plan-state.js';
import { Calendar } from './calendar.js';
import { PlanGroups } from './plan-groups.js';
import { PlanStep, nextStep } from './plan-step.js';
import { Saved } from './saved.js';

/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../../api/errors.js').Violation} Violation */

/** The key of the plan's estimate until the plan is saved as a campaign. */
const OWNER = 'plan';

/** @type {Violation[]} */
const NO_FAULTS = [];

/** Shows the plan and saves it as a campaign. */
export function PlanPanel() {
  const { place, submit, draft, next, notes, errors, sent, saved, error, isBusy } = usePlan();
  const change = (/** @type {keyof CampaignDraft} */ part) => (/** @type {any} */ value) => {
    form.value = { ...form.value, [part]: value };
  };
  const { campaign, flight, cohort, customer } = form.value;
  const step = { draft, next, errors };
  return html`
    ${saved && html`<${Saved} saved=${saved} sent=${sent} />`}
    <form ref=${place} onSubmit=${submit} novalidate>
      <h2>Plan</h2>
      <div class="counted">
        <p class="soft">${number(chosen.value.size)} of ${number(MAX_SPOTS)} displays</p>
        ${chosen.value.size > 0 && html`
          <a href=${pageUrl('compare')}>Compare</a> <${ExportMenu} plan=${exported} />`}
      </div>
      <${PlanState} />
      <${PlanGroups} notes=${notes} sent=${sent} />
      <${IdList} />
      <${PlanStep} ...${step} name="dates">
        <${CampaignNameFields} campaign=${campaign} onChange=${change('campaign')} notes=${notes} />
        <${FlightFields} flight=${flight} onChange=${change('flight')} notes=${notes} />
        <${Calendar} />
      <//>
      <${PlanStep} ...${step} name="audience">
        <${CampaignCohortField} cohort=${cohort} onChange=${changeCohort} notes=${notes} />
      <//>
      <h3>Estimate</h3>
      <${EstimateSection} owner=${OWNER} draft=${draft} nameOf=${nameOf} />
      <${PlanStep} ...${step} name="advertiser">
        <${CustomerFields} customer=${customer} onChange=${change('customer')} notes=${notes} isNumbered />
      <//>
      <${FormErrors} notes=${notes} error=${error} />
      <div class="actions save">
        <a href=${pageUrl('event-planner')}>Plan an event</a>
        <button class="primary" disabled=${isBusy}>
          ${isBusy ? busyLabel('Saving…') : `Save campaign · ${costOf('create_campaign')}`}</button>
      </div>
    </form>`;
}

/** Returns the form's state, and a function that checks the plan and saves it. */
function usePlan() {
  const place = useRef(/** @type {HTMLFormElement | null} */ (null));
  const [isChecked, setIsChecked] = useState(false);
  const [sent, setSent] = useState(/** @type {number[]} */ ([]));
  const { isBusy, error, saved, save } = useSave('create_campaign');
  // After the first check, update the errors on every change, so that a corrected field is no longer marked.
  const draft = filledForm();
  const missing = campaignFaults(draft);
  const faults = isChecked ? missing : NO_FAULTS;
  const notes = useMemo(() => notesOf(CAMPAIGN_FIELDS, { faults, error }), [JSON.stringify(faults), error]);
  const refused = error instanceof ApiError ? error.violations : NO_FAULTS;
  const errors = useMemo(() => [...faults, ...refused], [JSON.stringify(faults), error]);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    // The plan may have changed since the last render.
    const current = filledForm();
    const found = campaignFaults(current);
    setIsChecked(true);
    setSent(inOrder.value.map(({ id }) => id));
    const parts = [form, chosen, windows, members];
    const before = parts.map(({ value }) => value);
    const done = found.length > 0 ? null : await save(campaignBody(current));
    // If the plan changed during the save, keep it, because those changes weren't saved.
    const isSame = parts.every(({ value }, n) => value === before[n]);
    if (!done) focusFirstWrong(place.current);
    else if (isSame) {
      moveEstimate(OWNER, done.asset.asset_id);
      startOver();
      setIsChecked(false);
    }
  };
  const left = error instanceof SavedEarlier ? error.saved : saved;
  return { place, submit, draft, next: nextStep(missing), notes, errors, sent, isBusy, error, saved: left };
}

/** Returns the plan in the format for exports. */
function exported() {
  const draft = filledForm();
  const known = (/** @type {string} */ id) =>
    ({ ...chosen.value.get(Number(id)), group: ownGroupName(Number(id)) });
  return { title: draft.campaign.name || 'Plan', draft, estimate: currentEstimate(OWNER, draft), known };
}

/** @param {CampaignDraft['cohort']} cohort */
function changeCohort(cohort) {
  const isFirst = form.value.cohort.service_segment_ids.length === 0 && cohort.service_segment_ids.length > 0;
  form.value = { ...form.value, cohort };
  if (isFirst) compareWithEveryone();
}

/** Sets the baseline to Everyone, the most common choice. The list of cohorts is already loaded. */
async function compareWithEveryone() {
  const list = await allCohorts().catch(() => []);
  const everyone = list.find(({ category }) => category === 'Everyone');
  const { cohort } = form.value;
  if (!everyone || cohort.service_base_segment_id) return;
  form.value = { ...form.value, cohort: { ...cohort, service_base_segment_id: everyone.service_segment_id } };
}
