// What the page says: of the features, and of what went wrong.

const REASONS = {
  401: 'its grant has expired; a new start of `make run` prints a link with a fresh one.',
  403: `its grant does not allow this page: ${location.origin} is not among its origins.`,
  404: 'there is no such grant; the link may be of a service that was started afresh since.',
  410: 'its grant was revoked.',
};

/** Why an answer is of no use. */
export function reason(status) {
  return REASONS[status] ?? `the service answered ${status}.`;
}

/** Says how many of something there are. */
export function counted(count, kind) {
  return `${count.toLocaleString('en-US')} ${count === 1 ? kind.one : kind.many}`;
}

/** One line about a feature, for the list. */
export function line(kind, properties) {
  if (properties.cluster) return counted(properties.count, kind);
  if (kind.name === 'places') return String(properties.name);
  return `${properties.media_type ?? 'Display'} ${properties.spot_id}`;
}

/** What a popup says about a cluster. */
export function aboutCluster(kind, properties) {
  const about = element('div', 'popup');
  about.append(element('p', '', `${counted(properties.count, kind)}; click to zoom in`));
  return about;
}

/** What a popup says about what lies at one point: pairs of a kind and properties. */
export function aboutSingles(singles, shown = 3) {
  const about = element('div', 'popup');
  for (const [kind, properties] of singles.slice(0, shown)) {
    const name = kind.name === 'places' ? properties.name : `Display ${properties.spot_id}`;
    about.append(element('h3', '', name), facts(kind, properties));
  }
  if (singles.length > shown) about.append(element('h3', '', `and ${singles.length - shown} more here`));
  return about;
}

function facts(kind, properties) {
  const list = element('dl');
  for (const [name, value] of kind.name === 'places' ? ofPlace(properties) : ofDisplay(properties)) {
    if (value === undefined || value === null || value === '') continue;
    list.append(element('dt', '', name), element('dd', '', String(value)));
  }
  return list;
}

function ofDisplay({ media_type, digital, operator, dma }) {
  const kind = digital === undefined ? undefined : digital ? 'digital' : 'static';
  return [['Media type', media_type], ['Kind', kind], ['Operator', operator], ['Market', dma]];
}

function ofPlace({ place_id, type, weekly_visits }) {
  return [['Type', type], ['Weekly visits', weekly_visits?.toLocaleString('en-US')], ['Place id', place_id]];
}

function element(name, className = '', text = '') {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
