// The form fields of an asset. The form has the same parts in the same order as the planners.

import { html } from 'htm/preact';
import { CampaignCohortField, EventCohortField } from '../../scenario/cohort-field.js';
import { CustomerFields } from '../../scenario/customer-fields.js';
import { FlightFields } from '../../scenario/flight-fields.js';
import { CampaignNameFields, EventNameFields } from '../../scenario/name-fields.js';
import { PeriodsField } from '../../scenario/periods-field.js';
import { PlacesField } from './places-field.js';
import { SpotsField } from './spots-field.js';

/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../../scenario/event-form.js').EventDraft} EventDraft */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */

/**
 * Shows the form fields of a campaign or an event.
 * @param {{family: import('./family.js').Family, draft: any, onChange: (draft: any) => void, notes: Notes}}
 *   props
 */
export function AssetFields({ family, ...form }) {
  const fields = family.one === 'campaign' ? CampaignFields : EventFields;
  return html`<${fields} ...${form} />`;
}

/** @param {{draft: CampaignDraft, onChange: (draft: CampaignDraft) => void, notes: Notes}} props */
function CampaignFields({ draft, onChange, notes }) {
  const change = (/** @type {keyof CampaignDraft} */ member) => (/** @type {any} */ part) =>
    onChange({ ...draft, [member]: part });
  return html`
    <div class="parts">
      <fieldset class="card"><legend>Campaign</legend>
        <${CampaignNameFields} campaign=${draft.campaign} onChange=${change('campaign')} notes=${notes} />
        <${FlightFields} flight=${draft.flight} onChange=${change('flight')} notes=${notes} />
      </fieldset>
      <fieldset class="card"><legend>Audience</legend>
        <${CampaignCohortField} cohort=${draft.cohort} onChange=${change('cohort')} notes=${notes} />
      </fieldset>
      <fieldset class="card"><legend>Advertiser</legend>
        <${CustomerFields} customer=${draft.customer} onChange=${change('customer')}
          notes=${notes} isNumbered />
      </fieldset>
    </div>
    <${SpotsField} spots=${draft.spots} flight=${draft.flight} onChange=${change('spots')} notes=${notes} />`;
}

/** @param {{draft: EventDraft, onChange: (draft: EventDraft) => void, notes: Notes}} props */
function EventFields({ draft, onChange, notes }) {
  const merge = (/** @type {Partial<EventDraft>} */ part) => onChange({ ...draft, ...part });
  return html`
    <div class="parts">
      <fieldset class="card"><legend>Event</legend>
        <${EventNameFields} event=${draft} onChange=${merge} notes=${notes} />
        <${PeriodsField} periods=${draft.periods} timezone=${draft.timezone} onChange=${merge}
          notes=${notes} />
      </fieldset>
      <fieldset class="card"><legend>Audience</legend>
        <${EventCohortField} cohort=${draft.cohort} notes=${notes}
          onChange=${(/** @type {EventDraft['cohort']} */ cohort) => merge({ cohort })} />
      </fieldset>
      <fieldset class="card"><legend>Advertiser</legend>
        <${CustomerFields} customer=${draft.customer} notes=${notes} isNumbered=${false}
          onChange=${(/** @type {EventDraft['customer']} */ customer) => merge({ customer })} />
      </fieldset>
    </div>
    <${PlacesField} ids=${draft.place_ids} notes=${notes}
      onChange=${(/** @type {string[]} */ ids) => merge({ place_ids: ids })} />`;
}
