const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 24;

/** Returns a new id of a tool call. No id is used twice. */
export function randomCallId(): string {
  const values = crypto.getRandomValues(new Uint32Array(LENGTH));
  return `call_${[...values].map((value) => LETTERS[value % LETTERS.length]).join('')}`;
}
