import type { FrozenMessage } from '../../shared/messaging/messages.ts';

/**
 * Tells the service worker when the browser freezes this page, so that it makes the response bodies that this page is
 * reading end with an error. The rest of such a body would be lost without an error. A plain `fetch` reports the error once
 * the page is resumed.
 * @param signal Stops reporting.
 */
export function reportFreeze(signal: AbortSignal): void {
  const message: FrozenMessage = { type: 'tabserve/frozen' };
  document.addEventListener('freeze', () => navigator.serviceWorker.controller?.postMessage(message), { signal });
}
