import { CITATION } from '../api/citations.ts';
import { sourceStrings } from '../strings/source-strings.ts';

/** A source of a text, which the text cites by its place in a list: the first one is `[1]`. */
export interface CitedSource {
  readonly name: string;
}

/** Elements in which a mark stays text. */
const LITERAL = 'code, pre, a, kbd, button, summary, math';

/** Matches a number of a mark; with the first number of the range that it ends, if it ends one. */
const NUMBER = /(?<=(?<first>\d+)\s*[–-]\s*)\d+|\d+/g;

/** The most passages between the ends of a range that get numbers of their own. */
const MOST_BETWEEN = 3;

/**
 * Turns the numbers of the marks in a rendered text, such as `[1]`, into buttons. A number without a source stays text.
 * A short range is written out, so that each of its passages can be opened: `[2–4]` becomes `[2, 3, 4]`. A click on a button fires the event `citation`, whose `detail` is the place of the source in the list.
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
    for (const { index: place, 0: number, groups } of mark[0].matchAll(NUMBER)) {
      const index = Number(number) - 1;
      const source = sources[index];
      if (source === undefined) continue;
      const start = mark.index + place;
      const between = groups?.first === undefined ? [] : passagesBetween(Number(groups.first) - 1, index, sources);
      if (between.length > 0) {
        parts.push(', ');
        for (const passage of between) parts.push(passage, ', ');
      } else parts.push(text.slice(at, start));
      parts.push(citation(index, source));
      at = start + number.length;
    }
  }
  return [...parts, text.slice(at)];
}

/**
 * Returns the buttons of the passages between the ends of a range, which a reader could not open otherwise. None if they
 * are too many to be read well, or an end of the range has no passage.
 */
function passagesBetween(first: number, last: number, sources: readonly CitedSource[]): readonly HTMLElement[] {
  if (sources[first] === undefined || last - first > MOST_BETWEEN + 1) return [];
  return sources.slice(first + 1, last).map((source, place) => citation(first + 1 + place, source));
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
