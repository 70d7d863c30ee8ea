/** Milliseconds after a key press for which the user counts as typing. */
const PAUSE = 500;

/** The time of the last key press; null before this is listened to. */
let lastKey: number | null = null;

/**
 * Milliseconds until work in the background may go on; 0 if the user is not typing. Letters would wait for such work, of
 * which there is a lot after a long conversation is opened.
 */
export function typingTime(): number {
  if (lastKey === null) {
    lastKey = -Infinity;
    addEventListener('keydown', () => (lastKey = performance.now()), { capture: true, passive: true });
  }
  return Math.max(0, lastKey + PAUSE - performance.now());
}
