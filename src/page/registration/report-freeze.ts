import type { FrozenMessage } from '../../shared/messaging/messages.ts';

/**
 * Tells the service worker when the browser freezes this page, so that the service worker ends the response bodies that
 * this page is reading with an error. Otherwise Chromium would silently drop the rest of such a body. A plain `fetch`
 * reports the error when the page is resumed.
 * @param signal Stops reporting.
 */
export function reportFreeze(signal: AbortSignal): void {
  const message: FrozenMessage = { type: 'tabserve/frozen' };
  document.addEventListener('freeze', () => navigator.serviceWorker.controller?.postMessage(message), { signal });
}
