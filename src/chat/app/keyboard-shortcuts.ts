/** Actions of the shortcuts that work on the whole page. Fields and lists handle their own shortcuts. */
export type PageShortcut = 'show-shortcuts' | 'open-palette' | 'search-chats' | 'new-chat' | 'temporary-chat';

/**
 * Returns the action of the pressed shortcut (Ctrl or Cmd with `/`, `K`, Shift+`F`, Alt+`N` or Alt+`P`); null for any
 * other key. Where a keyboard types no Latin letter, as in Cyrillic or with Alt on a Mac, the key's place on the keyboard counts.
 */
export function pageShortcut(event: KeyboardEvent): PageShortcut | null {
  if (!event.ctrlKey && !event.metaKey) return null;
  // A Russian or Hebrew keyboard has a full stop at the place of the slash, others a letter outside ASCII. A Turkish one has a
  // full stop there, too: an event does not tell it from these.
  if (event.key === '/' || (event.code === 'Slash' && /[^!-~]|\./.test(event.key))) return 'show-shortcuts';
  const code = /^[a-z]$/i.test(event.key) ? `Key${event.key.toUpperCase()}` : event.code;
  if (code === 'KeyK' && !event.shiftKey) return 'open-palette';
  if (code === 'KeyF' && event.shiftKey) return 'search-chats';
  if (code === 'KeyN' && event.altKey) return 'new-chat';
  if (code === 'KeyP' && event.altKey) return 'temporary-chat';
  return null;
}
