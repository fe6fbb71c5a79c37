// Fields for the name and the description of a campaign or an event.

import { html } from 'htm/preact';
import { TextField } from './text-field.js';

/** @typedef {import('./violations.js').Notes} Notes */
/** @typedef {{name: string, reference: string}} CampaignNames */
/** @typedef {{name: string, description: string}} EventNames */

/**
 * Shows fields for a campaign's name and reference.
 * @param {{campaign: CampaignNames, onChange: (campaign: CampaignNames) => void, notes: Notes}} props
 */
export function CampaignNameFields({ campaign, onChange, notes }) {
  return html`
    <${TextField} label="Name" pointer="/campaign/name" notes=${notes} value=${campaign.name}
      onChange=${(/** @type {string} */ name) => onChange({ ...campaign, name })} />
    <${TextField} label="Reference" hint="Such as a purchase order." pointer="/campaign/reference"
      notes=${notes}
      value=${campaign.reference}
      onChange=${(/** @type {string} */ reference) => onChange({ ...campaign, reference })} />`;
}

/**
 * Shows fields for an event's name and description.
 * @param {{event: EventNames, onChange: (part: Partial<EventNames>) => void, notes: Notes}} props
 */
export function EventNameFields({ event, onChange, notes }) {
  return html`
    <${TextField} label="Name" pointer="/name" notes=${notes} value=${event.name}
      onChange=${(/** @type {string} */ name) => onChange({ name })} />
    <${TextField} label="Description" pointer="/description" notes=${notes} value=${event.description}
      onChange=${(/** @type {string} */ description) => onChange({ description })} />`;
}
