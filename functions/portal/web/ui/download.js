// Downloads for files that a page generates.

/**
 * Downloads generated content as a file.
 * @param {string} name the file's name
 * @param {string} type the media type, such as `text/csv`
 * @param {BlobPart} content
 */
export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
