import { conversationFile } from '../../src/chat/transfer/conversation-file.ts';
import { DEFAULT_SETTINGS, type Message } from '../../src/chat/storage/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../chat/sample-conversation.ts';

const RICH = [
  'A **bold** word, a [link](https://example.org), `code` and\n\n- a list\n- [x] done',
  '1. one\n2. two',
  '> a quotation',
  '| a | b |\n|---|--:|\n| 1 | 2 |',
  '```js\n// comment\nconst greeting = `Hello ${name}`; // 1\nclass A extends B { static x = /y/; }\n```',
  '```diff\n+ added\n- removed\n```',
  '# One\n\n## Two\n\n### Three',
].join('\n\n');

/** A file to import with one chat, "Every answer", that has every look an answer can have. */
export function everyAnswer(): { name: string; mimeType: string; buffer: Buffer } {
  const settings = { ...DEFAULT_SETTINGS, maxTokens: 20 };
  const answers = [
    sampleAnswer({ text: RICH, thinking: 'First *this*, then that.' }),
    sampleAnswer({ text: 'Another version.', created: 3 }),
    sampleAnswer({ state: 'stopped' }),
    sampleAnswer({ state: 'interrupted' }),
    sampleAnswer({ finishReason: 'length', settings }),
    sampleAnswer({ finishReason: 'length' }),
    sampleAnswer({ text: '' }),
    sampleAnswer({
      state: 'failed',
      text: '',
      error: { code: 'model_not_found', message: 'The model `x` does not exist.' },
    }),
    sampleAnswer({ text: 'مرحبا بالعالم' }),
  ];
  const messages = answers.flatMap((answer, index): Message[] => [
    sampleQuestion({ id: `q${index}`, parent: index === 0 ? null : `a${index - 1}`, created: index * 10 }),
    { ...answer, id: `a${index}`, parent: index === 1 ? 'q1' : `q${index}`, created: index * 10 + 1 },
  ]);
  messages.push(sampleAnswer({ id: 'other', parent: 'q1', created: 5 }));
  const file = conversationFile([
    {
      conversation: sampleConversation({ id: 'every', title: 'Every answer', leaf: `a${answers.length - 1}` }),
      messages,
    },
  ]);
  return { name: 'every.json', mimeType: 'application/json', buffer: Buffer.from(file) };
}
