/**
 * Whether a key belongs to an input method, as for Chinese, Japanese and Korean: its Enter takes a suggestion, its Escape
 * drops one. Safari ends the composition before the `keydown` of that key; only the key code 229 tells then.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
