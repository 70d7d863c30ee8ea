import { everyAnswer } from '../../gallery/samples/conversations.ts';
import { conversationFile } from './conversation-file.ts';

/** An import file with one chat, "Every answer", which shows an answer in every state. */
export function everyAnswerFile(): { name: string; mimeType: string; buffer: Buffer } {
  return { name: 'every.json', mimeType: 'application/json', buffer: Buffer.from(conversationFile([everyAnswer()])) };
}
