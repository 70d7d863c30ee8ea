import { withTimeoutAfterThaw } from '../../shared/timeout.ts';
import { createHubFrame, HUB_TIMEOUTS, loadFrame } from './hub-frame.ts';
import { sayHello } from './say-hello.ts';

/** Why requests to the site's own engine fail when the person has allowed the hub. */
export const TO_HUB = 'This site now uses the engine of its hub.';

/**
 * Shows a frame of the hub that asks the person, until the person has allowed this site.
 * @param hub Address of the hub, with a trailing slash.
 * @param signal Removes the frame.
 * @returns false if `signal` aborts, if the hub cannot be reached, or if the person has allowed it without success: the
 * frame then says why, and stays.
 */
export async function askForHub(hub: URL, place: Element, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const frame = createHubFrame(hub);
  frame.style.cssText = 'border: 0; width: 100%; height: 14rem';
  const ended = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  if (!(await Promise.race([loadFrame(frame, place), ended]))) return leave();
  const { control, begun, replied } = sayHello(frame, hub, true);
  try {
    // The browser may show a page of its own in place of the hub's.
    if (!(await Promise.race([withTimeoutAfterThaw(HUB_TIMEOUTS.hello, begun), ended]))) return leave();
    // The person may take any time.
    const reply = await Promise.race([replied, ended]);
    if (signal.aborted) return leave();
    if (reply?.type !== 'ready') return false;
    frame.remove();
    return true;
  } finally {
    control.close();
  }

  function leave(): false {
    frame.remove();
    return false;
  }
}
