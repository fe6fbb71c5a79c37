// What a script adds to a document that is complete without it: copy buttons, and the chosen colors.

/** How long a button says that it copied, in milliseconds. */
const SAID = 2000;

// `ui/theme.js` stores the choice; loading it here would load half of the portal.
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;

for (const block of document.querySelectorAll('main pre')) block.before(copyButton(block));

/**
 * Makes a button that copies a block of code.
 * @param {Element} block
 */
function copyButton(block) {
  const button = document.createElement('button');
  const show = (/** @type {string} */ text) => { button.textContent = text; };
  button.className = 'copy';
  button.type = 'button';
  show('Copy');
  button.addEventListener('click', () => {
    const copied = navigator.clipboard.writeText(block.textContent ?? '');
    copied.then(() => show('Copied'), () => show('Select the text to copy it'));
    setTimeout(() => show('Copy'), SAID);
  });
  return button;
}
