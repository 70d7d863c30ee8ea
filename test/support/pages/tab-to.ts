import { expect, type Locator } from '@playwright/test';

/**
 * Maximum controls before the wanted one. After the last control of a page, Firefox moves the focus to its own window.
 */
const MAX_PRESSES = 80;

/** Moves the focus to a control by the Tab key only. */
export async function tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MAX_PRESSES && !(await control.evaluate(hasFocus)); presses += 1)
    await control.page().keyboard.press(key);
  await expect(control).toBeFocused();
}

/** Runs in the page. Whether an element has the focus, in any shadow tree. */
export function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
}
