/** How long one slice may keep the main thread, in milliseconds. */
const SLICE = 8;

const tasks: (() => void)[] = [];
let scheduled = false;

/**
 * Runs a task soon, in slices that leave the page responsive; the last one asked for comes first. A long
 * conversation is opened at its end, so what is on the screen is drawn before what is far above it.
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
    task();
  }
  setTimeout(runSlice);
}
