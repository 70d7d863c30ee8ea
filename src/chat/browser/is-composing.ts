/**
 * Whether a key belongs to an input method, as for Chinese, Japanese and Korean: its Enter accepts a suggestion, its
 * Escape dismisses one. Safari ends the composition before this `keydown` event, so there the only sign is the key code
 * 229.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
