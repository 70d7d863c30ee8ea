import { localized } from './page-language.ts';

export const appStrings = localized('appStrings', {
  name: 'Tabserve',
  skipToContent: 'Skip to the content',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  menu: 'Menu',
  mainNavigation: 'Main',
  newChat: 'New chat',
  temporary: 'Temporary chat',
  documents: 'Documents',
  models: 'Models',
  developers: 'For developers',
  privacy: 'Privacy',
  settings: 'Settings and more',
  menuActions: {
    'all-chats': 'Instructions and model',
    'import-chats': 'Import chats',
    'export-chats': 'Export all chats',
    shortcuts: 'Keyboard shortcuts',
  },
  language: 'Language',
  viewFailed: 'This part of the page could not be loaded.',
  partFailed: 'This part of the page could not be loaded. Reload the page and try again.',
  reload: 'Reload the page',
});

/** Messages for when the endpoint cannot supply its own. */
export const endpointStrings = localized('endpointStrings', {
  noAnswer: 'The endpoint in this browser did not answer.',
  notRunning: (status: number) => `The endpoint is not running in this page yet (status ${status}).`,
});
