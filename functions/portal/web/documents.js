// The portal's documents. The service renders each one as a separate page that works without scripts. A test
// compares the names and titles with the service's list.

/**
 * @typedef {object} Listed
 * @property {string} name the last segment of the page's address
 * @property {string} title
 * @property {string} about a one-sentence description
 * @property {string} [words] search words; the palette lists only documents with search words
 */

/** @type {Listed[]} */
export const DOCUMENTS = [
  {
    name: 'concepts', title: 'Concepts', words: 'introduction credits tiers states',
    about: 'Displays, places, audiences, organizations, credits, and the life cycle of a campaign.',
  },
  {
    name: 'planner', title: 'Tutorial: plan a campaign in the portal', words: 'planner tutorial learn',
    about: 'Find displays on the map, choose an audience, and save a campaign.',
  },
  {
    name: 'developer', title: 'Tutorial: from sign-up to a saved campaign', words: 'developer tutorial curl',
    about: 'Create a key, make the first calls with curl, and save a campaign with Python.',
  },
  {
    name: 'analyst', title: 'Tutorial: compare markets, sites, and audiences', words: 'analyst tutorial curl',
    about: 'Count competitors, compare the audiences of sites, and rank ZIP codes and displays.',
  },
  {
    name: 'workflows', title: 'Workflows', words: 'examples guides',
    about: 'Five worked examples of common questions, with curl.',
  },
  {
    name: 'webhooks', title: 'Follow changes and receive webhooks', words: 'notifications signature verify',
    about: 'Fetch the changes since your last call, or receive them as signed requests at your own URL.',
  },
  {
    name: 'clients', title: 'Generated clients',
    about: 'Call the API with the Python package, or with clients that you generate.',
  },
  {
    name: 'agents', title: 'AI agents', words: 'mcp assistant model context protocol',
    about: 'Let an AI agent search, estimate, and save campaigns.',
  },
  {
    name: 'errors', title: 'Errors', words: 'codes rejected',
    about: 'What each error code means, what it costs, and how to fix it.',
  },
  {
    name: 'products', title: 'Products and tiers', words: 'prices limits credits',
    about: 'What each call costs, who can make it, and the limits.',
  },
  {
    name: 'glossary', title: 'Glossary', words: 'terms definitions',
    about: 'The terms of the portal and the API.',
  },
  {
    name: 'versions', title: 'Versions and compatibility',
    about: 'What can change without notice, and what is announced.',
  },
  {
    name: 'model', title: 'How visits are modelled', words: 'methodology sample data',
    about: 'The formulas and sources of the sample’s visits, and their known gaps.',
  },
  {
    name: 'estimates', title: 'How estimates are computed', words: 'methodology reach frequency impressions',
    about: 'The formulas and assumptions of estimates, with a worked example, and their limits.',
  },
  {
    name: 'security', title: 'Security and privacy',
    about: 'How data is protected, and what is stored about people.',
  },
];
