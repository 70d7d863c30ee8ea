import { tryStorage } from './try-storage.ts';

/**
 * Key in sessionStorage, set once this tab has been connected to an engine with a GPU. If storage is denied, a reloaded
 * page does not know that the tab had one.
 */
const GPU_KEY = 'tabserve-gpu';

/** Records that this tab has been connected to an engine with a GPU. */
export function rememberGpu(): void {
  tryStorage(() => sessionStorage.setItem(GPU_KEY, 'seen'));
}

/** Removes the record of {@link rememberGpu}, because the GPU does not come back. */
export function forgetGpu(): void {
  tryStorage(() => sessionStorage.removeItem(GPU_KEY));
}

/** Whether this tab, possibly before a reload, has been connected to an engine with a GPU that may come back. */
export function knowsGpu(): boolean {
  return tryStorage(() => sessionStorage.getItem(GPU_KEY)) === 'seen';
}
