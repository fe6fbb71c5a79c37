// The light or dark theme. It follows the system setting until the person chooses a theme.

import { effect, signal } from '@preact/signals';

const STORED = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');
/** @type {import('@preact/signals').Signal<string | null>} */
const chosen = signal(localStorage.getItem(STORED));
const ofSystem = signal(system.matches ? 'dark' : 'light');

/** The current theme: `light` or `dark`. */
export const theme = signal(chosen.value ?? ofSystem.value);

system.addEventListener('change', () => {
  ofSystem.value = system.matches ? 'dark' : 'light';
});
effect(() => {
  theme.value = chosen.value ?? ofSystem.value;
  if (chosen.value) document.documentElement.dataset.theme = chosen.value;
});

/** Switches the theme, and stores the choice in this browser until sign-out. */
export function toggleTheme() {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORED, chosen.value);
}
