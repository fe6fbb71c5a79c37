// A document of the service, as its repository has it.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { fileUrl } from '../../addresses.js';
import { DOCUMENTS } from '../../documents.js';
import { NotFound } from '../../ui/not-found.js';
import { Failure } from '../../ui/failure.js';
import { Loading } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import { Markdown, titleOf } from './markdown.js';

/**
 * Shows a document, at the heading that the address names.
 * @param {{name: string}} props
 */
export default function Document({ name }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const isKnown = DOCUMENTS.some((document) => document.name === name);
  const load = () => {
    if (!isKnown) return;
    setError(null);
    const fail = (/** @type {string} */ why) => setError(new Error(why));
    fetch(fileUrl(`docs/${name}.md`)).then(
      (answer) => (answer.ok ? answer.text().then(setText) : fail('the document is not there')),
      () => fail('the service does not answer'),
    );
  };
  useEffect(load, [name]);
  useEffect(() => {
    if (text !== null) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [text]);
  useTitle(text === null ? 'Docs' : titleOf(text));
  if (!isKnown) return html`<${NotFound} />`;
  if (error) return html`<${Failure} error=${error} retry=${load} />`;
  if (text === null) return html`<${Loading} what="the document" lines=${8} />`;
  return html`<article class="prose"><${Markdown} text=${text} /></article>`;
}
