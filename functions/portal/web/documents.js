// The documents that people read in the portal. Each has a link of its name in the folder `docs` beside this
// module, which leads to the file.

/**
 * @typedef {object} Listed
 * @property {string} name the file's name without its ending, and the end of the page's address
 * @property {string} title
 * @property {string} about
 * @property {string} [words] more words that find it in the palette, which does not list it without them
 */

/** @type {Listed[]} */
export const DOCUMENTS = [
  {
    name: 'workflows', title: 'Workflows', words: 'examples guides',
    about: 'From sign-up to a first call; then five ways from a question to an answer.',
  },
  {
    name: 'clients', title: 'Clients',
    about: 'How clients for Python and TypeScript are made from the contract, and call.',
  },
  {
    name: 'errors', title: 'Errors', words: 'codes refused',
    about: 'What each error code means, what it costs, and the way out.',
  },
  {
    name: 'products', title: 'Products and tiers',
    about: 'What each call costs, who may make it, and the limits.',
  },
  {
    name: 'model', title: 'The model',
    about: 'How visits are modelled where nothing was measured.',
  },
];
