// The groups of the plan: groups that the person creates, and a group for each market of the other displays.

import { signal } from '@preact/signals';
import { marketOf } from './display.js';

/** @typedef {import('./display.js').Display} Display */

/**
 * A group that the person has created. `color` is the number of a chart color.
 * @typedef {{key: string, name: string, color: number}} OwnGroup
 */

/**
 * A group with its displays. The color is null for a market.
 * @typedef {{key: string, name: string, color: number | null, displays: Display[]}} Group
 */

/** The names of the chart colors, starting with color 1. */
export const COLORS = ['Blue', 'Orange', 'Green', 'Purple', 'Pink', 'Teal', 'Olive', 'Gray'];

/** The groups that the person has created, oldest first. */
export const ownGroups = signal(/** @type {OwnGroup[]} */ ([]));

/** The keys of the groups that displays were moved to, by display ID. */
export const members = signal(/** @type {ReadonlyMap<number, string>} */ (new Map()));

/**
 * The key of the group that added displays are put in; empty to put each display in the group for its market.
 */
export const target = signal('');

/** Creates a group. Displays that are added from now on are put in this group. */
export function addGroup() {
  const numbers = ownGroups.value.map(({ key }) => Number(key.slice(1)));
  const number = Math.max(0, ...numbers) + 1;
  // Market names don't begin with this character.
  const key = `#${number}`;
  const color = (number % COLORS.length) + 1;
  ownGroups.value = [...ownGroups.value, { key, name: `Group ${number}`, color }];
  target.value = key;
}

/**
 * Changes the name or the color of a group.
 * @param {string} key
 * @param {Partial<OwnGroup>} part
 */
export function changeGroup(key, part) {
  ownGroups.value = ownGroups.value.map((group) => (group.key === key ? { ...group, ...part } : group));
}

/**
 * Deletes a group. Its displays return to the groups for their markets.
 * @param {string} key
 */
export function deleteGroup(key) {
  ownGroups.value = ownGroups.value.filter((group) => group.key !== key);
  members.value = new Map([...members.value].filter(([, group]) => group !== key));
  if (target.value === key) target.value = '';
}

/**
 * Moves displays to a group.
 * @param {Iterable<number>} ids
 * @param {string} key empty to return the displays to the groups for their markets
 */
export function assign(ids, key) {
  const next = new Map(members.value);
  for (const id of ids) {
    if (key === '') next.delete(id);
    else next.set(id, key);
  }
  members.value = next;
}

/**
 * Returns the key of a display's group.
 * @param {Display} display
 */
export function groupOf(display) {
  return members.value.get(display.id) ?? marketOf(display);
}

/**
 * Returns the name of the group that a display was moved to, if any.
 * @param {number} id the ID of the display
 */
export function ownGroupName(id) {
  return ownGroups.value.find(({ key }) => key === members.value.get(id))?.name;
}

/**
 * Groups displays. The groups that the person created come first, and displays without a market come last.
 * @param {Iterable<Display>} displays
 * @returns {Group[]}
 */
export function grouped(displays) {
  const all = Map.groupBy(displays, groupOf);
  const own = ownGroups.value.map((group) => ({ ...group, displays: all.get(group.key) ?? [] }));
  const keys = new Set(own.map(({ key }) => key));
  const last = '\uffff';
  const markets = [...all].filter(([key]) => !keys.has(key))
    .sort(([a], [b]) => (a || last).localeCompare(b || last))
    .map(([key, of]) => ({ key, name: key || 'Unknown market', color: null, displays: of }));
  return [...own, ...markets];
}
