import { startTrace, type TraceLine } from '../../shared/trace/trace.ts';

declare global {
  /**
   * Prints the trace of every request through page, service worker and engine on this console. `tabserveTrace(false)`
   * stops it.
   */
  var tabserveTrace: ((on?: boolean) => void) | undefined;
}

/** Query parameter of the page's address; if present, the trace is printed from the start. */
const SEARCH_PARAMETER = 'tabserve-trace';

/**
 * Lets a developer print the trace by calling `tabserveTrace()` on the console, or by adding `?tabserve-trace` to the
 * page's address.
 * @param signal Stops the trace and removes the function.
 */
export function offerConsoleTrace(signal: AbortSignal): void {
  let stop: (() => void) | null = null;
  const trace = (on = true) => {
    stop?.();
    stop = on ? startTrace(print) : null;
  };
  globalThis.tabserveTrace = trace;
  if (new URLSearchParams(location.search).has(SEARCH_PARAMETER)) trace();
  signal.addEventListener('abort', () => {
    trace(false);
    if (globalThis.tabserveTrace === trace) globalThis.tabserveTrace = undefined;
  });
}

/** Prints a trace line. It begins with the request's id, so that the console can be filtered by request. */
function print({ id, time, context, text }: TraceLine): void {
  console.log(`[${id}] ${new Date(time).toISOString().slice(11, 23)} ${context} ${text}`);
}
