// The first steps of somebody new: an organization, a key, a call. What exists already is recognised.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { managesKeys, organization } from '../../api/account.js';
import { OwnersOnly } from '../../ui/owners-only.js';
import { FirstSteps } from './first-steps.js';
import { SignUp } from './sign-up.js';
import { Step } from './step.js';

/** Leads from the first sign-in to the first call. */
export default function Start() {
  const { name, org_id: id } = organization.value ?? {};
  const called = name ?? id;
  return html`
    <h1 class="steps">${called ?? 'Welcome to Marquee'}</h1>
    <ol class="steps">
      <${Step} title="An organization" isDone=${Boolean(called)} isNow=${!called}>
        ${called ? html`<p>You belong to ${called}.</p>` : html`<${SignUp} />`}
      <//>
      ${!called && html`<${Step} title="A key" /><${Step} title="A first call" />`}
      ${called && (managesKeys.value ? html`<${FirstSteps} />` : html`<${StepsOfMember} />`)}
    </ol>`;
}

function StepsOfMember() {
  return html`
    <${Step} title="A key" isNow>
      <${OwnersOnly} what="mint the keys of its programs">
        <p>The pages of this portal need no key.</p>
        <p><a class="button primary" href=${pageUrl('planner')}>Open the planner</a></p>
      <//>
    <//>`;
}
