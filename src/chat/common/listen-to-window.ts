import type { ReactiveControllerHost } from 'lit';
import { isComposing } from '../browser/is-composing.ts';

/** Listens to a window event while `host` is connected. */
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

/** Elements that handle Escape themselves. In most browsers it empties a search field. */
const ELSEWHERE = '[type=search],wa-dialog,wa-drawer,wa-dropdown';

/** Listens for Escape on the whole page, except in dialogs, drawers, menus and search fields, while `host` is connected. */
export function listenToEscape(host: ReactiveControllerHost, listener: () => void): void {
  listenToWindow(host, 'keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
    const isElsewhere = event.composedPath().some((target) => target instanceof Element && target.matches(ELSEWHERE));
    if (!isElsewhere) listener();
  });
}
