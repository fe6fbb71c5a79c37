// Loads saved campaigns for the command palette. Without this, the palette would contain only the assets that
// library pages have loaded.

import { useEffect } from 'preact/hooks';
import { call } from '../api/client.js';
import { organization, whenOrganizationChanges } from '../api/account.js';
import { pageUrl } from '../addresses.js';
import { commands } from '../ui/commands.js';

/** The maximum number of campaigns, newest first. */
const LIMIT = 100;
/**
 * The number of typed letters at which the campaigns are loaded. Opening the palette without typing doesn't
 * make a call.
 */
const LEAST_LETTERS = 2;

let isLoaded = false;
whenOrganizationChanges(() => { isLoaded = false; });

/**
 * Adds the newest saved campaigns to the palette's commands, when two letters are first typed.
 * @param {string} typed
 */
export function useSavedCampaigns(typed) {
  const isWanted = typed.trim().length >= LEAST_LETTERS && organization.value !== null;
  useEffect(() => {
    if (isWanted && !isLoaded) load();
  }, [isWanted]);
}

async function load() {
  isLoaded = true;
  try {
    const query = { limit: LIMIT, fields: 'asset_id,campaign,customer' };
    const { body } = await call('list_campaigns', { query });
    const listed = new Set(commands.value.map(({ url }) => url));
    const found = body.data.map(commandOf).filter(({ url }) => !listed.has(url));
    commands.value = [...commands.value, ...found];
  } catch {
    // The palette still finds pages, and the next search tries again.
    isLoaded = false;
  }
}

/** @param {import('../api/types').Answer<'list_campaigns'>['data'][number]} asset */
function commandOf({ asset_id: id = '', campaign, customer }) {
  const name = campaign?.name || customer?.customer_scenario_name || 'Unnamed campaign';
  return { name, hint: 'campaign', words: id, url: pageUrl(`campaigns/${id}`) };
}
