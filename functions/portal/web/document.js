// Adds copy buttons to a document and applies the chosen theme. The document is readable without this script.

/** How long a button shows whether copying succeeded, in milliseconds. */
const SAID = 2000;

// `ui/theme.js` stores the theme, but importing that module would also load Preact.
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;

for (const block of document.querySelectorAll('main pre')) block.before(copyButton(block));

/**
 * Creates a button that copies a block of code.
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
