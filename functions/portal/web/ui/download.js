// Downloads for files that a page generates.

/**
 * Downloads a string as a file.
 * @param {string} name the file's name
 * @param {string} type the media type, such as `text/csv`
 * @param {string} text
 */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
