import { withTimeoutAfterThaw } from '../../shared/timeout.ts';
import { HUB_FRAME } from '../hub-messages.ts';

/**
 * Milliseconds: for the frame to load, then to say that it has got the hello (a page that the browser shows in its place
 * says nothing), then to start its engine or say why it does not.
 */
export const HUB_TIMEOUTS = { load: 8000, hello: 5000, reply: 25_000 } as const;

/** Creates a frame of the hub, which does nothing before a message of this page. */
export function createHubFrame(hub: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  // Screen readers name a frame by it.
  frame.title = `Tabserve: ${hub.host}`;
  // Threads of llama.cpp need an isolated frame, which this page can only permit.
  frame.allow = 'storage-access; cross-origin-isolated';
  frame.referrerPolicy = 'no-referrer';
  frame.src = new URL(HUB_FRAME, hub).href;
  return frame;
}

/**
 * Adds a frame to a place and waits until it has loaded.
 * @returns false if it has not loaded in time.
 */
export async function loadFrame(frame: HTMLIFrameElement, place: Element): Promise<boolean> {
  const loaded = new Promise<true>((resolve) => {
    frame.addEventListener('load', () => resolve(true), { once: true });
  });
  place.append(frame);
  return (await withTimeoutAfterThaw(HUB_TIMEOUTS.load, loaded)) !== null;
}
