/** Words of the frame around every screen. */
export const appStrings = {
  name: 'Tabserve',
  skipToContent: 'Skip to the content',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  menu: 'Menu',
  mainNavigation: 'Main',
  newChat: 'New chat',
  models: 'Models',
  developers: 'For developers',
  privacy: 'Privacy',
  shortcuts: 'Keyboard shortcuts',
  viewFailed: 'This part of the page could not be loaded.',
  reload: 'Reload the page',
} as const;
