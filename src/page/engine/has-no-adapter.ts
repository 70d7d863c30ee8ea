import { withTimeoutAfterThaw } from '../../shared/timeout.ts';

/** Milliseconds for the browser to say whether it has a graphics device. */
const ADAPTER_TIME = 5000;

/**
 * Whether this page gets no graphics device. If it gets one, a worker may still have none. False if the browser does not
 * say so in time.
 */
export async function hasNoAdapter(): Promise<boolean> {
  const adapter = navigator.gpu?.requestAdapter().catch(() => null) ?? Promise.resolve(null);
  const isNone = adapter.then((found) => found === null);
  return (await withTimeoutAfterThaw(ADAPTER_TIME, isNone)) ?? false;
}
