import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ANSWER_STATES, type Message } from '../../../src/chat/types/conversation.ts';
import {
  exportedChat,
  exportFile,
  listConversations,
  readConversation,
} from '../../../src/chat/transfer/conversation-file.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { conversationMarkdown } from '../../../src/chat/transfer/export-conversations.ts';
import { fileName } from '../../../src/chat/transfer/save-file.ts';
import { withNewIds } from '../../../src/chat/types/whole-conversation.ts';
import type { ReadConversation } from '../../../src/chat/transfer/read-conversation.ts';
import type { WholeConversation } from '../../../src/chat/types/whole-conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

function readBack(text: string): ReadConversation['whole'][] {
  return (listConversations(JSON.parse(text) as object) ?? []).map((stored) => readConversation(stored).whole);
}

const messages = fc
  .array(
    fc.record({
      text: fc.string({ unit: 'grapheme' }),
      state: fc.constantFrom(...ANSWER_STATES.filter((state) => state !== 'running')),
      seed: fc.nat(),
    }),
    { maxLength: 8 },
  )
  .map((answers): Message[] => [
    sampleQuestion(),
    ...answers.map(({ text, state, seed }, index) =>
      sampleAnswer({ id: `a${index}`, text, state, seed, created: 2 + index }),
    ),
  ]);

test('every exported conversation is read back unchanged', async () => {
  // The page itself never creates an empty title.
  const titles = fc.string({ unit: 'grapheme' }).filter((title) => title.trim() !== '');
  await fc.assert(
    fc.asyncProperty(messages, titles, async (messages, title) => {
      const whole = [{ conversation: sampleConversation({ title }), messages }];
      expect(readBack(await exportFile(whole.map(exportedChat)).text())).toEqual(whole);
    }),
  );
});

test('an answer that was being generated during the export is imported as interrupted', () => {
  const [whole] = readBack(
    conversationFile([{ conversation: sampleConversation(), messages: [sampleAnswer({ state: 'running' })] }]),
  );
  expect(whole).toMatchObject({ messages: [{ state: 'interrupted', text: 'Because.' }] });
});

test.each([
  ['another file', '{"format":"other"}'],
  ['an empty object', '{}'],
  ['a list', '[]'],
])('%s is not a conversation file', (_name, text) => {
  expect(listConversations(JSON.parse(text) as object)).toBeNull();
});

test.each([
  [
    'a damaged message',
    conversationFile([{ conversation: sampleConversation(), messages: [sampleQuestion()] }]).replace('"Why?"', '17'),
  ],
  [
    'an id that cannot be part of an address',
    conversationFile([{ conversation: sampleConversation({ id: '../x' }), messages: [] }]),
  ],
  [
    'an invalid JSON Schema',
    conversationFile([
      {
        conversation: sampleConversation({ settings: { ...sampleConversation().settings, jsonSchema: '{oops' } }),
        messages: [],
      },
    ]),
  ],
  [
    'an id that two messages share',
    conversationFile([{ conversation: sampleConversation(), messages: [sampleQuestion(), sampleQuestion()] }]),
  ],
])('%s loses its chat, and no other', (_name, text) => {
  const sound = { conversation: sampleConversation({ id: 'c2' }), messages: [] };
  const [damaged] = (JSON.parse(text) as { conversations: WholeConversation[] }).conversations;
  expect(readBack(conversationFile([damaged!, sound]))).toEqual(['damaged', sound]);
});

test('a copy with new ids has the structure of the original and shares no id with it', () => {
  const original = {
    conversation: sampleConversation({ sentFrom: 'q2' }),
    messages: [sampleQuestion(), sampleAnswer(), sampleQuestion({ id: 'q2', parent: 'a1', created: 3 })],
  };
  const copy = withNewIds(original);
  const old = new Set(['c1', 'q1', 'a1', 'q2']);
  expect([copy.conversation, ...copy.messages].some(({ id }) => old.has(id))).toBe(false);
  expect(copy.conversation.sentFrom).toBe(copy.messages[2]?.id);
  const [question, answer, next] = copy.messages;
  expect(answer?.parent).toBe(question?.id);
  expect(next?.parent).toBe(answer?.id);
  expect(copy.conversation.leaf).toBe(answer?.id);
  expect(copy.messages.every(({ conversation }) => conversation === copy.conversation.id)).toBe(true);
});

test('Markdown contains the branch that is shown, with the system prompt quoted', () => {
  const conversation = sampleConversation({
    settings: { ...sampleConversation().settings, systemPrompt: 'Be brief.\nBe kind.' },
  });
  expect(conversationMarkdown(conversation, [sampleQuestion(), sampleAnswer()])).toBe(
    '# A title\n\n> Be brief.\n> Be kind.\n\n## Question\n\nWhy?\n\n## Answer (pocket)\n\nBecause.\n',
  );
});

test('Markdown contains the tool calls of an answer, in fences that no result can close', () => {
  const call = { id: 'c', name: 'calculate', arguments: '{"expression": "6 * 7"}' } as const;
  const rounds = [
    { text: 'Let me see.', calls: [{ ...call, outcome: 'done' as const, result: '42' }] },
    {
      text: '',
      calls: [
        {
          ...call,
          id: 'd',
          name: 'search_chats',
          arguments: '{"words": "```"}',
          outcome: 'waiting' as const,
          result: '',
        },
      ],
    },
  ];
  const file = conversationMarkdown(sampleConversation(), [sampleAnswer({ rounds })]);
  // The comments are for the import.
  expect(file.replace(/<!--.*-->\n\n/g, '')).toBe(
    [
      '# A title',
      '## Answer (pocket)',
      'Let me see.',
      '> **Calculator** · done\n> \n> ```\n> 6 * 7\n> ```\n> \n> ```\n> 42\n> ```',
      '> **Search in my chats** · not run\n> \n> ````\n> ```\n> ````',
      'Because.\n',
    ].join('\n\n'),
  );
});

test.each([
  ['What is a service worker?', 'what-is-a-service-worker.json'],
  ['¿Qué es una caché?', 'qué-es-una-caché.json'],
  ['什么是服务工作线程', '什么是服务工作线程.json'],
  ['../../etc/passwd', 'etc-passwd.json'],
  ['???', 'chat.json'],
  [`a${'𠮷'.repeat(40)}`, `a${'𠮷'.repeat(29)}.json`],
])('%s is saved as %s', (title, name) => {
  expect(fileName(title, 'json')).toBe(name);
});
