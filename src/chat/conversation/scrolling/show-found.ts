import { rangesOf } from '../../strings/found-words.ts';
import type { FoundPlace } from '../../common/route.ts';

/** Milliseconds for which the message is kept in view while content around it is still drawn. */
const SETTLING = 1500;

const HIGHLIGHT = 'found-words';

let styles: CSSStyleSheet | undefined;

/**
 * Scrolls to a message, focuses it and highlights the found words. While content around it is still drawn, keeps it in
 * view until the user scrolls.
 * @param root Contains the messages.
 * @param signal Removes the highlight when it aborts.
 */
export async function showFound(root: ParentNode, { message, words }: FoundPlace, signal: AbortSignal): Promise<void> {
  const element = [...root.querySelectorAll('question-message, answer-message')].find(
    (shown) => idOf(shown as MessageElement) === message,
  );
  if (!(element instanceof HTMLElement)) return;
  if ('highlights' in CSS) signal.addEventListener('abort', () => CSS.highlights.delete(HIGHLIGHT), { once: true });
  // The words may be in the folded part of a long question.
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
  /** The question of `question-message`; the text of an answer's question in `answer-message`. */
  readonly question?: { readonly id: string } | string;
  readonly answer?: { readonly id: string };
}

function idOf({ question, answer }: MessageElement): string | undefined {
  return answer?.id ?? (typeof question === 'object' ? question.id : undefined);
}

/**
 * Highlights the words in an element.
 * @returns The element that contains the first match; null if there is none.
 */
function mark(element: Element, words: string): Element | null {
  const ranges = [...textsBelow(element)].flatMap((text) =>
    rangesOf(words, text.data).map(([start, end]) => {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, end);
      return range;
    }),
  );
  // Older Firefox does not support highlights; scrolling to the message works all the same.
  if ('highlights' in CSS) CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
  return ranges[0]?.startContainer.parentElement ?? null;
}

/** Yields the visible text nodes of an element, including shadow trees, but not those of its controls. */
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
