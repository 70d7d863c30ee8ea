import DOMPurify from 'dompurify';
import { markdownStrings } from '../strings/message-strings.ts';
import { codeFigure } from './code-figure.ts';
import type { HeadingLevels } from './heading-levels.ts';
import { markHidden } from './mark-hidden.ts';
import { markdownToHtml } from './markdown-parser.ts';
import type { Definitions } from './syntax/bounded-lexer.ts';

const ALLOWED_TAGS = (
  'p br hr blockquote ul ol li h2 h3 h4 h5 h6 pre code a table thead tbody tr th td ' +
  'strong em del b i u s sub sup kbd mark dl dt dd details summary'
).split(' ');

/** The elements whose direction is that of their text. */
const TEXT = 'p:not(.title), h2, h3, h4, h5, h6, dt, dd, summary';

/**
 * Renders a block as safe elements, which run no code and load nothing. If that fails, shows the block as plain text.
 * @param levels The levels of the headings before it; the block's own are added.
 * @param isWhole Whether no more text of the block follows.
 */
export function renderBlock(
  markdown: string,
  definitions: Definitions,
  levels: HeadingLevels,
  isWhole: boolean,
): DocumentFragment {
  try {
    return renderElements(markdownToHtml(markdown, definitions, levels, isWhole));
  } catch (error) {
    console.error('A block is shown as plain text.', error);
    const plain = document.createElement('p');
    plain.className = 'unrendered';
    plain.textContent = markdown;
    const fragment = document.createDocumentFragment();
    fragment.append(plain);
    return fragment;
  }
}

/**
 * Sanitises the parser's HTML, which has only inline tags without attributes. The sanitiser allows a short list of
 * elements, no styles, and only links to the web and to mail.
 */
function renderElements(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ['href', 'title', 'class', 'align', 'start', 'value', 'open'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    // DOMPurify tests every other attribute against the URI pattern above and would remove these.
    ADD_URI_SAFE_ATTR: ['align', 'start', 'open'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  // A program's direction does not count for the text around it, so that a sentence may begin with a name in code.
  for (const code of fragment.querySelectorAll('code')) code.setAttribute('dir', 'ltr');
  for (const element of fragment.querySelectorAll(TEXT)) element.setAttribute('dir', 'auto');
  // Each list, quotation and table gets the direction of its whole text, which decides on which side its numbers, bar
  // or first column are.
  for (const element of fragment.querySelectorAll('ul, ol, dl, blockquote, table, details')) {
    element.setAttribute('dir', directionOf(element));
  }
  for (const table of fragment.querySelectorAll('table')) table.replaceWith(scrollable(table));
  for (const code of fragment.querySelectorAll<HTMLElement>(':not(pre) > code')) markHidden(code);
  for (const pre of fragment.querySelectorAll('pre')) pre.replaceWith(codeFigure(pre));
  return fragment;
}

/** Returns the direction of an element's first letter, except in code and in the word that the page adds to an alert. */
function directionOf(element: Element): 'ltr' | 'rtl' {
  const prose = element.cloneNode(true) as Element;
  for (const other of prose.querySelectorAll('code, .alert > .title')) other.remove();
  const [first = ''] = /\p{L}/u.exec(prose.textContent) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first)
    ? 'rtl'
    : 'ltr';
}

/** Puts a table into a focusable frame, in which a wide table scrolls instead of widening the page. */
function scrollable(table: HTMLTableElement): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'table';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', markdownStrings.table);
  // With the direction of the table, the frame is initially scrolled to the table's first column.
  frame.dir = table.dir;
  frame.append(table.cloneNode(true));
  return frame;
}
