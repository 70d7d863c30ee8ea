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
