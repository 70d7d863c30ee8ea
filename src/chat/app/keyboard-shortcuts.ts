/** Actions of the shortcuts that work on the whole page. Fields and lists handle their own shortcuts. */
export type PageShortcut = 'show-shortcuts' | 'open-palette' | 'search-chats' | 'new-chat' | 'temporary-chat';

/**
 * Returns the action of the pressed shortcut (Ctrl or Cmd with `/`, `K`, Shift+`F`, Alt+`N` or Alt+`P`); null for any
 * other key.
 */
export function pageShortcut(event: KeyboardEvent): PageShortcut | null {
  if (!event.ctrlKey && !event.metaKey) return null;
  if (event.key === '/') return 'show-shortcuts';
  if (event.key === 'k' && !event.shiftKey) return 'open-palette';
  if (event.code === 'KeyF' && event.shiftKey) return 'search-chats';
  if (event.code === 'KeyN' && event.altKey) return 'new-chat';
  if (event.code === 'KeyP' && event.altKey) return 'temporary-chat';
  return null;
}
