import { copyText } from '../common/copy-button.ts';
import { copyStrings } from '../strings/message-strings.ts';
import { markdownStrings } from '../strings/message-strings.ts';
import { markHidden } from './mark-hidden.ts';

/** Renders a code block below a line with its language, or all that its fence says, and a copy button. `highlightCode` adds the colours later. */
export function codeFigure(pre: HTMLPreElement): HTMLElement {
  const code = pre.textContent.replace(/\n$/, '');
  const described = pre.querySelector('code');
  const language = /^language-(\S+)$/.exec(described?.className ?? '')?.[1] ?? '';
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  const name = document.createElement('span');
  const button = document.createElement('button');
  const body = document.createElement('pre');
  const text = document.createElement('code');
  name.textContent = described?.title || language || markdownStrings.code;
  button.type = 'button';
  button.textContent = markdownStrings.copy;
  button.setAttribute('aria-label', markdownStrings.copyCode);
  button.addEventListener(
    'click',
    () =>
      void copyText(
        code,
        (outcome) => (button.textContent = outcome === null ? markdownStrings.copy : copyStrings[outcome]),
      ),
  );
  caption.append(name, button);
  text.textContent = code;
  markHidden(text);
  // The block is focusable, because it scrolls sideways. Its role is group, because landmarks would need unique names.
  body.tabIndex = 0;
  body.dir = 'ltr';
  body.setAttribute('role', 'group');
  body.setAttribute('aria-label', markdownStrings.codeIn(name.textContent));
  body.append(text);
  figure.className = 'code';
  figure.dataset['language'] = language;
  figure.append(caption, body);
  return figure;
}
