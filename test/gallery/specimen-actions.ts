import { conversationStrings } from '../../src/chat/strings/conversation-strings.ts';
import { messageStrings } from '../../src/chat/strings/message-strings.ts';

/** Returns the first matching element below `root`, including shadow trees. */
function deepQuery(root: ParentNode, selector: string): HTMLElement | null {
  const found = root.querySelector<HTMLElement>(selector);
  if (found !== null) return found;
  const inside = root instanceof Element && root.shadowRoot !== null ? deepQuery(root.shadowRoot, selector) : null;
  if (inside !== null) return inside;
  for (const child of root.children) {
    const deeper = deepQuery(child, selector);
    if (deeper !== null) return deeper;
  }
  return null;
}

/**
 * Waits for an element that is still being rendered.
 * @throws Error if it does not appear within five seconds.
 */
export async function whenThere(root: ParentNode, selector: string): Promise<HTMLElement> {
  for (const start = performance.now(); performance.now() - start < 5000;) {
    const found = deepQuery(root, selector);
    if (found !== null) return found;
    await new Promise(requestAnimationFrame);
  }
  throw new Error(`Nothing here matches ${selector}.`);
}

/** Returns an action that clicks the matching element once it exists. */
export function press(selector: string | (() => string)): (element: HTMLElement) => Promise<void> {
  return async (element) => (await whenThere(element, typeof selector === 'string' ? selector : selector())).click();
}

/** Returns a selector for the button with this label. The label is looked up in the current language on each call. */
export function named(word: 'edit' | 'copyAnswer' | 'figures' | 'settings'): () => string {
  return () => `[aria-label="${{ ...conversationStrings, ...messageStrings }[word]}"]`;
}
