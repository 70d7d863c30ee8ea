/** Words of the frame around every screen. */
export const appStrings = {
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
  shortcuts: 'Keyboard shortcuts',
  viewFailed: 'This part of the page could not be loaded.',
  partFailed: 'This part of the page could not be loaded. Reload the page and try again.',
  reload: 'Reload the page',
} as const;

/** How copying went. */
export const copyStrings = {
  copied: 'Copied',
  failed: 'The browser did not allow copying',
} as const;

/** What the page says where the endpoint itself could not. */
export const endpointStrings = {
  noAnswer: 'The endpoint in this browser did not answer.',
  notRunning: (status: number) => `The endpoint is not running in this page yet (status ${status}).`,
  brokeOff: 'The answer broke off before its end.',
  connectionLost: 'The connection to the model in this browser was lost.',
} as const;
