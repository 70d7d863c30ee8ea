import { CITATION } from '../api/citations.ts';
import { sourceStrings } from '../strings/source-strings.ts';

/** A source of a text, which the text cites by its place in a list: the first one is `[1]`. */
export interface CitedSource {
  readonly name: string;
}

/** Elements in which a mark stays text. */
const LITERAL = 'code, pre, a, kbd, button, summary, math';

/**
 * Turns the numbers of the marks in a rendered text, such as `[1]`, into buttons. A number without a source stays text.
 * A click on a button fires the event `citation`, whose `detail` is the place of the source in the list.
 */
export function linkCitations(root: ParentNode & Node, sources: readonly CitedSource[]): void {
  if (sources.length === 0) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest(LITERAL) != null) continue;
    const parts = partsOf(text.data, sources);
    if (parts.length > 1) text.replaceWith(...parts);
  }
}

function partsOf(text: string, sources: readonly CitedSource[]): readonly (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const mark of text.matchAll(CITATION)) {
    for (const number of mark[0].matchAll(/\d+/g)) {
      const index = Number(number[0]) - 1;
      const source = sources[index];
      if (source === undefined) continue;
      const start = mark.index + number.index;
      parts.push(text.slice(at, start), citation(index, source));
      at = start + number[0].length;
    }
  }
  return [...parts, text.slice(at)];
}

function citation(index: number, { name }: CitedSource): HTMLElement {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'citation',
    textContent: String(index + 1),
    title: name,
    ariaLabel: sourceStrings.open(index + 1, name),
    ariaHasPopup: 'dialog',
  });
  button.addEventListener('click', () =>
    button.dispatchEvent(new CustomEvent('citation', { detail: index, bubbles: true, composed: true })),
  );
  return button;
}
