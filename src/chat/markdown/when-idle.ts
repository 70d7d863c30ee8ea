import { typingTime } from '../browser/typing-time.ts';

/** Maximum milliseconds that one slice blocks the main thread. */
const SLICE = 8;

/** Milliseconds between two slices while the user types. */
const TYPING_INTERVAL = 250;

const tasks: (() => void)[] = [];
let scheduled = false;

/**
 * Runs a task soon, in slices that keep the page responsive, and rarely while the user types. The most recently added
 * task runs first: a conversation opens at its end, and its visible messages add their tasks last.
 */
export function whenIdle(task: () => void): void {
  tasks.push(task);
  if (!scheduled) {
    scheduled = true;
    setTimeout(runSlice);
  }
}

function runSlice(): void {
  const end = performance.now() + SLICE;
  while (performance.now() < end) {
    const task = tasks.pop();
    if (task === undefined) {
      scheduled = false;
      return;
    }
    try {
      task();
    } catch (error) {
      // A task that fails must not keep the later ones from running.
      reportError(error);
    }
  }
  setTimeout(runSlice, typingTime() > 0 ? TYPING_INTERVAL : 0);
}
