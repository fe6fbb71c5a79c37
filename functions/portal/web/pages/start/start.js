// The first steps: creating an organization, creating a key, and making a call. Completed steps are marked.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { managesKeys, organization } from '../../api/account.js';
import { OwnersOnly } from '../../ui/owners-only.js';
import { FirstSteps } from './first-steps.js';
import { SignUp } from './sign-up.js';
import { Step } from './step.js';

/** Guides a new person from the first sign-in to the first call. */
export default function Start() {
  const { name, org_id: id } = organization.value ?? {};
  const called = name ?? id;
  return html`
    <h1 class="steps">${called ?? 'Welcome to Marquee'}</h1>
    <ol class="steps">
      <${Step} title="Create an organization" isDone=${Boolean(called)} isNow=${!called}>
        ${called ? html`<${Joined} called=${called} />` : html`<${SignUp} />`}
      <//>
      ${!called && html`<${Step} title="Create a key" /><${Step} title="Make a call" />`}
      ${called && (managesKeys.value ? html`<${FirstSteps} />` : html`<${StepsOfMember} />`)}
    </ol>`;
}

/** @param {{called: string}} props */
function Joined({ called }) {
  return html`
    <p>You belong to ${called}. To plan campaigns in this portal, you don’t need a key.
      ${managesKeys.value && ' The next steps are for programs.'}</p>
    ${managesKeys.value && html`<p><a class="button" href=${pageUrl('planner')}>Plan a campaign</a></p>`}`;
}

function StepsOfMember() {
  return html`
    <${Step} title="Create a key" isNow>
      <${OwnersOnly} what="create keys for programs">
        <p><a class="button primary" href=${pageUrl('planner')}>Open the planner</a></p>
      <//>
    <//>`;
}
