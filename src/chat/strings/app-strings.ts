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
  colours: 'Appearance',
  colourSchemes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  endsTemporary: {
    heading: 'End the temporary chat?',
    words: 'This reloads the page. The temporary chat will be gone; everything else stays.',
    action: 'End it and reload',
  },
  viewFailed: 'This part of the page could not be loaded.',
  partFailed: 'This part of the page could not be loaded. Reload the page and try again.',
  reload: 'Reload the page',
});

export const copyStrings = localized('copyStrings', {
  copied: 'Copied',
  failed: 'The browser did not allow copying',
});

/** Messages for when the endpoint cannot supply its own. */
export const endpointStrings = localized('endpointStrings', {
  noAnswer: 'The endpoint in this browser did not answer.',
  notRunning: (status: number) => `The endpoint is not running in this page yet (status ${status}).`,
  brokeOff: 'The answer broke off before its end.',
  endedBecause: (reason: string) => `The server ended the answer and named this reason: ${reason}.`,
  unknownForm: 'The server answered in a form that is not known here. What it sent is shown as text.',
  connectionLost: 'The connection to the model in this browser was lost.',
});
