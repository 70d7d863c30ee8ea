const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 24;

/** A new id for a tool call: `call_` and 24 letters or digits. */
export function randomCallId(): string {
  const values = crypto.getRandomValues(new Uint32Array(LENGTH));
  return `call_${[...values].map((value) => LETTERS[value % LETTERS.length]).join('')}`;
}
