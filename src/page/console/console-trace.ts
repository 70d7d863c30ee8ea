import { startTrace, type TraceLine } from '../../shared/trace/trace.ts';

declare global {
  /** Follows every request through page, service worker and engine, on this page's console. `false` ends it. */
  var tabserveTrace: ((on?: boolean) => void) | undefined;
}

/** In the address of a page that is to trace from its start on. */
const SEARCH_PARAMETER = 'tabserve-trace';

/**
 * Lets a developer switch the trace on: by `tabserveTrace()` on the console, or by `?tabserve-trace` in the address.
 * @param signal Ends the trace and the offer.
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

/** The request's id comes first, so that the console can be filtered for one request. */
function print({ id, time, context, text }: TraceLine): void {
  console.log(`[${id}] ${new Date(time).toISOString().slice(11, 23)} ${context} ${text}`);
}
