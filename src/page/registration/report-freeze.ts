import type { FrozenMessage } from '../../shared/messaging/messages.ts';

/**
 * Tells the service worker when the browser freezes this page, so that response bodies that could not arrive any more end
 * with an error. A plain `fetch` reports it once the page is resumed.
 * @param signal Ends it.
 */
export function reportFreeze(signal: AbortSignal): void {
  const message: FrozenMessage = { type: 'tabserve/frozen' };
  document.addEventListener('freeze', () => navigator.serviceWorker.controller?.postMessage(message), { signal });
}
