import { localized } from './page-language.ts';

/** Strings of questions that wait for the end of an answer. */
export const queueStrings = localized('queueStrings', {
  label: 'Questions that wait',
  next: 'Next',
  waits: 'Your question waits for the end of the answer.',
  files: (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`,
  edit: 'Put it back into the field',
  remove: 'Do not ask it',
  sendNow: 'Send now',
  noRoom: 'There is no room to keep this question until the answer has ended. Send it then.',
});
