import { fieldsOf } from '../json-values.ts';
import { chunkWords } from './chunk-words.ts';

/** Names of the fields with the message of an error, the most usual first. */
const MESSAGES = [
  'message',
  'msg',
  'detail',
  'error_msg',
  'error_message',
  'status_msg',
  'error',
  'errors',
  'base_resp',
];

/**
 * Returns the message of an error of another server, in any of the forms that servers use: a sentence, a list, or an
 * object in whose fields the message is. Empty if there is none.
 */
export function errorWords(error: unknown): string {
  if (typeof error === 'string') return error;
  if (Array.isArray(error)) return error.map(errorWords).filter(Boolean).join(' ');
  const fields = fieldsOf(error);
  if (fields === null) return '';
  for (const name of MESSAGES) {
    const message = errorWords(fields[name]);
    if (message !== '') return message;
  }
  return chunkWords(error);
}
