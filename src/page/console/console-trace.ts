import { startTrace, type TraceLine } from '../../shared/trace/trace.ts';

declare global {
  /** Prints the trace of every request through page, service worker and engine on this console. `false` stops it. */
  var tabserveTrace: ((on?: boolean) => void) | undefined;
}

/** Query parameter of a page's address that switches the trace on from the start. */
const SEARCH_PARAMETER = 'tabserve-trace';

/**
 * Lets a developer switch the trace on by `tabserveTrace()` on the console or by `?tabserve-trace` in the address.
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

/** Prints a line that begins with the request's id, by which the console can be filtered. */
function print({ id, time, context, text }: TraceLine): void {
  console.log(`[${id}] ${new Date(time).toISOString().slice(11, 23)} ${context} ${text}`);
}
