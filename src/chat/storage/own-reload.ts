/** Of this tab, like what it tells. */
const LAST = 'tabserve-reloaded';

/** When the page last loaded itself anew, in milliseconds since 1970; 0 for never. */
export function lastOwnReload(): number {
  return Number(sessionStorage.getItem(LAST));
}

/** To be called right before it does. */
export function noteOwnReload(): void {
  sessionStorage.setItem(LAST, String(Date.now()));
}
