import { localized } from './page-language.ts';

/** Strings of questions that wait for the end of an answer. */
export const queueStrings = localized('queueStrings', {
  label: 'Queued questions',
  next: 'Next',
  waits: 'Your question will be sent after this answer.',
  files: (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`,
  edit: 'Edit',
  remove: 'Remove',
  sendNow: 'Send now',
  closedTabs: 'Not sent, from closed tabs',
  delete: 'Delete it',
  unread: 'The queued questions could not be read. Try “Send now”.',
  noRoom: 'There is no room to keep this question until the answer has ended. Send it then.',
});
