import type { Translation } from '../page-language.ts';
import type * as english from '../list-strings.ts';

export const listStrings: Translation<typeof english.listStrings> = {
  title: 'Chats',
  search: 'Chats durchsuchen',
  nothingFound: 'Keine passenden Chats.',
  empty: 'Hier erscheinen deine Chats.',
  unreadable: 'Die Chats auf diesem Gerät konnten nicht gelesen werden.',
  pinned: 'Angeheftet',
  lastDays: 'Letzte 7 Tage',
  close: 'Verwandt',
  menuOf: (title) => `Aktionen für „${title}“`,
  answering: 'wird gerade beantwortet',
  rename: 'Umbenennen',
  renameLabel: 'Name dieses Chats',
  pin: 'Anheften',
  unpin: 'Lösen',
  exportJson: 'Als JSON exportieren',
  exportMarkdown: 'Als Markdown exportieren',
  print: 'Drucken',
  thisChat: (action) => `Dieser Chat: ${action}`,
  exportAll: 'Alle exportieren',
  import: 'Importieren',
  delete: 'Löschen',
  deleted: (titles) =>
    titles.length === 1 ? `„${titles[0]}“ wurde gelöscht.` : `${titles.length} Chats wurden gelöscht.`,
  undo: 'Rückgängig',
};
