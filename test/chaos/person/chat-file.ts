import { conversationFile } from '../../support/samples/conversation-file.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

/** Returns an exported chat with one question and its answer, to be imported. */
export function chatFile({
  title,
  question,
  answer,
}: Readonly<Record<'title' | 'question' | 'answer', string>>): string {
  const id = crypto.randomUUID();
  return conversationFile([
    {
      conversation: sampleConversation({ id, title, leaf: `a${id}` }),
      messages: [
        sampleQuestion({ id: `q${id}`, conversation: id, text: question }),
        sampleAnswer({ id: `a${id}`, conversation: id, parent: `q${id}`, text: answer }),
      ],
    },
  ]);
}
