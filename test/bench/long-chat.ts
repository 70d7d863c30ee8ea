import { conversationFile } from '../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../gallery/samples/conversation.ts';

const ANSWER = [
  '## A heading',
  'A paragraph with **bold** words, `code` and a [link](https://example.org), long enough to wrap over a few lines.',
  '- first\n- second\n- third',
  '```js\nconst answer = 42;\nconsole.log(answer);\n```',
].join('\n\n');

/** Concatenates sample answers into one text. */
export function longText(answers: number): string {
  return Array.from({ length: answers }, () => ANSWER).join('\n\n');
}

/**
 * An import file with one chat.
 * @param id Also the prefix of its messages' ids.
 */
export function longChatFile(id: string, title: string, exchanges: number) {
  const messages = Array.from({ length: exchanges }, (_, index) => [
    sampleQuestion({
      id: `${id}-q${index}`,
      conversation: id,
      parent: index === 0 ? null : `${id}-a${index - 1}`,
      created: index * 2,
      text: `Question ${index}`,
    }),
    sampleAnswer({
      id: `${id}-a${index}`,
      conversation: id,
      parent: `${id}-q${index}`,
      created: index * 2 + 1,
      text: ANSWER,
    }),
  ]).flat();
  const conversation = sampleConversation({ id, title, leaf: `${id}-a${exchanges - 1}` });
  return {
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(conversationFile([{ conversation, messages }])),
  };
}
