import { expect, type Locator } from '@playwright/test';

/** Most controls between the focus and the one that is looked for. Past the end of a page Firefox walks its own window. */
const MOST_PRESSES = 80;

/** Moves the focus to a control with the Tab key alone. */
export async function tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES && !(await control.evaluate(hasFocus)); presses += 1)
    await control.page().keyboard.press(key);
  await expect(control).toBeFocused();
}

/** Runs in the page. Whether an element has the focus, in whichever shadow tree it is. */
export function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
}
