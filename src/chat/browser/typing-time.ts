/** Milliseconds after a key press for which the user counts as typing. */
const PAUSE = 500;

/** The time of the last key press; null until the listener is registered. */
let lastKey: number | null = null;

/**
 * Returns the milliseconds until background work may continue; 0 if the user is not typing. Background work, of which
 * there is much after a long conversation is opened, would delay the display of typed letters.
 */
export function typingTime(): number {
  if (lastKey === null) {
    lastKey = -Infinity;
    addEventListener('keydown', () => (lastKey = performance.now()), { capture: true, passive: true });
  }
  return Math.max(0, lastKey + PAUSE - performance.now());
}
