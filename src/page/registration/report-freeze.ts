import type { FrozenMessage } from '../../shared/messaging/messages.ts';

/**
 * Tells the service worker when the browser freezes this page. The service worker then ends, with an error, each response
 * body that this page is reading. Otherwise the rest of such a body would be lost silently. A plain `fetch` reports the error when the
 * page is resumed.
 * @param signal Stops reporting.
 */
export function reportFreeze(signal: AbortSignal): void {
  const message: FrozenMessage = { type: 'tabserve/frozen' };
  document.addEventListener('freeze', () => navigator.serviceWorker.controller?.postMessage(message), { signal });
}
