import { localized } from './page-language.ts';

export const listStrings = localized('listStrings', {
  title: 'Chats',
  search: 'Search chats',
  nothingFound: 'No matching chats.',
  empty: 'Your chats will appear here.',
  unreadable: 'The chats on this device could not be read.',
  pinned: 'Pinned',
  lastDays: 'Previous 7 days',
  close: 'Related',
  menuOf: (title: string) => `Actions for “${title}”`,
  answering: 'being answered',
  rename: 'Rename',
  renameLabel: 'Name of this chat',
  pin: 'Pin',
  unpin: 'Unpin',
  exportJson: 'Export as JSON',
  exportMarkdown: 'Export as Markdown',
  print: 'Print',
  thisChat: (action: string) => `This chat: ${action}`,
  exportAll: 'Export all',
  import: 'Import',
  delete: 'Delete',
  deleted: (titles: readonly string[]) =>
    titles.length === 1 ? `“${titles[0]}” was deleted.` : `${titles.length} chats were deleted.`,
  undo: 'Undo',
});
