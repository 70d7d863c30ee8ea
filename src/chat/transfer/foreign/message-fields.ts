import type { Fields } from '../../../shared/json-values.ts';
import { firstId } from './foreign-values.ts';

/** Names of the fields in which products store parts of a message. */
export const PARENTS = [
  'parent',
  'parentId',
  'parentMessageId',
  'parent_message_uuid',
  'parent_id',
  'parentUuid',
  'parent_response_id',
];

/** Returns the id of the message before; empty if there is none. */
export function parentOf(message: Fields): string {
  return firstId(...PARENTS.map((name) => message[name]));
}

export const FILES = ['attachments', 'extra', 'files', 'files_v2', 'experimental_attachments'];
export const TIMES = ['timestamp', 'created_at', 'createdAt', 'create_time'];
export const SOURCES = ['sources', 'citations', 'annotations', 'search_results'];

/** Fields with thinking. Servers repeat it under several names, so only the first one counts. */
export const THOUGHTS = [
  'reasoning_content',
  'reasoningContent',
  'reasoning',
  'thinking',
  'reasoning_details',
  'thinking_trace',
];

/** Matches the fields in which Google keeps media, such as `inlineData`, `driveImage` and `fileData`. */
export const MEDIA_FIELD = /^(?:inline|drive|file|youtube)_?(?:data|image|audio|video|document|file)$/i;

/** Returns messages without the ids of those before them. */
export function withoutParents(messages: readonly Fields[]): readonly Fields[] {
  const none = Object.fromEntries(PARENTS.map((name) => [name, null]));
  return messages.map((message) => ({ ...message, ...none }));
}
