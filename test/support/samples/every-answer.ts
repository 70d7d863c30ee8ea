import { everyAnswer } from '../../../src/chat/gallery/samples/conversations.ts';
import { conversationFile } from '../../../src/chat/transfer/conversation-file.ts';

/** A file to import with one chat, "Every answer", that has every look an answer can have. */
export function everyAnswerFile(): { name: string; mimeType: string; buffer: Buffer } {
  return { name: 'every.json', mimeType: 'application/json', buffer: Buffer.from(conversationFile([everyAnswer()])) };
}
