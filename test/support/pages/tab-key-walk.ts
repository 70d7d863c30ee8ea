import { expect, type Page } from '@playwright/test';

interface Stop {
  /** Index among the controls in the order of the page; -1 for an element that only scrolls. */
  readonly index: number;
  readonly name: string;
  readonly showsFocus: boolean;
  readonly isInView: boolean;
}

declare global {
  /** The controls of the page, or of the open dialog, when the walk began. */
  var controls: readonly HTMLElement[];
}

/**
 * Walks through the page, or the open dialog, by the Tab key. Expects that every control gets the focus in the order of
 * the page, shows the focus and is visible, and that the walk ends outside.
 */
export async function expectTabKeyWalk(page: Page, what: string): Promise<void> {
  // Controls of an element that is sliding in are not visible yet. Animations that repeat for ever are not awaited.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  );
  const names = await page.evaluate(noteControls);
  const stops: Stop[] = [];
  // After the last control the browser's own controls get the focus, then the walk begins again. So a few more steps
  // are needed.
  for (let step = 0; step < names.length + 15 && !isComplete(stops, names.length); step += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusedControl);
    if (stop !== null) stops.push(stop);
  }
  const reached = new Set(stops.map(({ index }) => index));
  // The button that scrolls to the end of a chat disappears at the end.
  const left = await page.evaluate(() => globalThis.controls.map(({ isConnected }) => isConnected));
  expect(
    names.filter((_, index) => left[index] === true && !reached.has(index)),
    `${what}: not reached`,
  ).toEqual([]);
  expect(
    stops.filter(({ showsFocus }) => !showsFocus),
    `${what}: does not show the focus`,
  ).toEqual([]);
  expect(
    stops.filter(({ isInView }) => !isInView),
    `${what}: focused out of sight`,
  ).toEqual([]);
  const order = stops.map(({ index }) => index).filter((index) => index !== -1);
  const turns = order.filter((index, step) => step > 0 && index < order[step - 1]!);
  expect(turns.length, `${what}: goes back and forth, ${order.join(' ')}`).toBeLessThanOrEqual(1);
}

/** Whether the walk has reached every control, and the first one again. */
function isComplete(stops: readonly Stop[], count: number): boolean {
  const indices = stops.map(({ index }) => index).filter((index) => index !== -1);
  return new Set(indices).size === count && indices.at(-1) === indices[0] && indices.length > 1;
}

/**
 * Runs in the page. Collects the controls in rendered order: includes shadow trees, and slotted elements at their
 * slots.
 */
function noteControls(): string[] {
  const found: { readonly element: HTMLElement; readonly dialog: Element | null }[] = [];
  const waiting: { readonly node: Node; readonly dialog: Element | null }[] = [{ node: document.body, dialog: null }];
  let topDialog: Element | null = null;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { node } = next;
    let { dialog } = next;
    if (node instanceof HTMLDialogElement && node.open) topDialog = dialog = node;
    if (node instanceof HTMLElement) found.push({ element: node, dialog });
    const slotted = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
    const root = node instanceof Element ? (node.shadowRoot ?? node) : node;
    const children = slotted.length > 0 ? slotted : [...root.childNodes];
    waiting.unshift(...children.map((child) => ({ node: child, dialog })));
  }
  globalThis.controls = found.flatMap(({ element, dialog }) => {
    if (dialog !== topDialog || !element.matches('a[href], button, input, select, textarea, summary, [tabindex="0"]'))
      return [];
    if (
      element.matches(':disabled, [hidden], [tabindex="-1"]') ||
      !element.checkVisibility({ visibilityProperty: true })
    )
      return [];
    // In a radio group, Tab reaches only the chosen button; arrow keys reach the others.
    return element.matches('[type="radio"]:not(:checked)') ? [] : [element];
  });
  if (topDialog === null) {
    // Starts at the beginning, wherever the focus was.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  }
  return globalThis.controls.map(
    (element) =>
      element.getAttribute('aria-label') ?? (element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 60)),
  );
}

/** Runs in the page. */
function focusedControl(): Stop | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  // Between the last and the first control, the whole page or dialog has the focus.
  if (!(element instanceof HTMLElement) || element === document.body || element instanceof HTMLDialogElement)
    return null;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return {
    index: globalThis.controls.indexOf(element),
    name:
      element.getAttribute('aria-label') ?? (element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 60)),
    // The question field and radio buttons show the focus by a frame around them.
    showsFocus: [element, element.closest('label'), element.closest('form')].some((frame) => {
      if (frame === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(frame);
      return outlineStyle !== 'none' && outlineWidth !== '0px';
    }),
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
}
