import type { ReactiveControllerHost } from 'lit';

/** Listens to an event of the window for as long as `host` is on the page. */
export function listenToWindow<Type extends keyof WindowEventMap>(
  host: ReactiveControllerHost,
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  host.addController({
    hostConnected: () => addEventListener(type, listener),
    hostDisconnected: () => removeEventListener(type, listener),
  });
}

/** What Escape closes when it is pressed in there, and nothing else. */
const OVERLAY = /^wa-(dialog|drawer|dropdown)$/;

/** Listens for Escape, wherever on the page it is pressed, for as long as `host` is there. */
export function listenToEscape(host: ReactiveControllerHost, listener: () => void): void {
  listenToWindow(host, 'keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const isElsewhere = event
      .composedPath()
      .some((target) => target instanceof Element && OVERLAY.test(target.localName));
    if (!isElsewhere) listener();
  });
}
