import { rangesOf } from '../../common/found-words.ts';
import type { FoundPlace } from '../../common/route.ts';

/** Milliseconds for which the message is kept in view while what is around it is still being drawn. */
const SETTLING = 1500;

/** Name under which the browser knows what is marked. */
const HIGHLIGHT = 'found-words';

let styles: CSSStyleSheet | undefined;

/**
 * Brings a message into view, gives it the focus and marks the words that were found in it, until something else is
 * found. It lets go as soon as the person scrolls.
 * @param root Holds the messages of a conversation.
 * @param signal Ends it.
 */
export async function showFound(root: ParentNode, { message, words }: FoundPlace, signal: AbortSignal): Promise<void> {
  const element = [...root.querySelectorAll('question-message, answer-message')].find(
    (shown) => idOf(shown as MessageElement) === message,
  );
  if (!(element instanceof HTMLElement)) return;
  if ('highlights' in CSS) signal.addEventListener('abort', () => CSS.highlights.delete(HIGHLIGHT), { once: true });
  // It may be below the fold.
  if ('unfolded' in element) element.unfolded = true;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  const left = new AbortController();
  for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    addEventListener(event, () => left.abort(), { signal: left.signal, passive: true });
  }
  const end = performance.now() + SETTLING;
  do {
    const marked = mark(element, words);
    (marked ?? element).scrollIntoView({ block: marked === null ? 'start' : 'center' });
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (!signal.aborted && !left.signal.aborted && performance.now() < end);
  left.abort();
  if (!signal.aborted) mark(element, words);
}

interface MessageElement extends Element {
  readonly question?: { readonly id: string };
  readonly answer?: { readonly id: string };
}

function idOf({ question, answer }: MessageElement): string | undefined {
  return (question ?? answer)?.id;
}

/** @returns The element around the first of the words; null where there is none. */
function mark(element: Element, words: string): Element | null {
  const ranges = [...textsBelow(element)].flatMap((text) =>
    rangesOf(words, text.data).map(([start, end]) => {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, end);
      return range;
    }),
  );
  // Young in Firefox; without it the message is found, and nothing in it marked.
  if ('highlights' in CSS) CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
  return ranges[0]?.startContainer.parentElement ?? null;
}

/** The texts of an element as they are shown, shadow trees among them, but not those of its controls. */
function* textsBelow(node: Node): Generator<Text> {
  if (node instanceof Text) yield node;
  if (node instanceof HTMLElement && node.matches('style, button, details, copy-button, branch-switcher')) return;
  const root = node instanceof Element ? node.shadowRoot : null;
  if (root !== null && 'highlights' in CSS) adoptStyles(root);
  for (const child of (root ?? node).childNodes) yield* textsBelow(child);
}

function adoptStyles(root: ShadowRoot): void {
  if (styles === undefined) {
    styles = new CSSStyleSheet();
    styles.replaceSync(
      `::highlight(${HIGHLIGHT}) { background-color: color-mix(in oklab, var(--color-spark) 45%, transparent); color: var(--color-text); }`,
    );
  }
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles];
}
