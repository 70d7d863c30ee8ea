import { localized } from './page-language.ts';

/** Strings of the model's status line. */
export const statusStrings = localized('statusStrings', {
  label: 'State of the model',
  /** The endpoint's error message, and the page's explanation of its kind. */
  failed: (message: string, _explained: string) => message,
  retry: 'Try again',
  keepsNothing:
    'This browser keeps nothing for this site at the moment: downloaded models, keys you made, the request log and new chats. The window may be private, the disk full, or another tab of the site in the way.',
  updateReady: 'A new version of this page is available.',
  update: 'Reload',
  updateLater: 'Later',
});
