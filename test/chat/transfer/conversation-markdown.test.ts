import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { MessageTree } from '../../../src/chat/storage/message-tree.ts';
import { conversationMarkdown } from '../../../src/chat/transfer/export-conversations.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { NOTHING_LEFT_OUT } from '../../../src/chat/transfer/left-out.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';
import { exportStrings as german } from '../../../src/chat/strings/german/transfer-strings.ts';
import { exportStrings } from '../../../src/chat/strings/transfer-strings.ts';
import type { Answer, Message, Question } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

async function readBack(file: string) {
  const store = new ConversationStore(async () => createMemoryDatabase());
  const { left } = await importConversations(new Blob([file]), store, readImportFile);
  const [conversation] = await store.conversations();
  const path = new MessageTree(await store.messages(conversation!.id)).path(conversation!.leaf);
  return { conversation: conversation!, path, left };
}

const chat = (question: Partial<Question>, answer: Partial<Answer>): Message[] => [
  sampleQuestion(question),
  sampleAnswer(answer),
];

const OPEN = 'Like this:\n\n```js\nrun();';

test.each<[name: string, text: string]>([
  ['an open block of code', OPEN],
  ['an open block with a longer fence', '````md\n```js\n1\n```\nmore'],
  ['an open block of tildes', '~~~\nrun();'],
  ['a block of code with a heading of the file inside', '```md\n## Question\n\n## Answer (pocket)\n```\nSo.'],
  ['headings of the file', 'Write:\n\n## Question\n\nand\n\n## Antwort (x)\n\n## Frage'],
  ['escaped headings of the file', String.raw`\## Question` + '\n' + String.raw`\\## Question`],
  ['a block that begins like thinking', '<details>\n<summary>Thinking</summary>\n\nNo.\n\n</details>\n\nSo.'],
  ['the comment for an open block', '```\nx\n```\n\n<!-- tabserve: this block of code was open -->'],
  ['the comment for what was left out', 'So.\n\n<!-- tabserve: left out, images: 7 -->\n\n*x*'],
  ['quotes and rules', '> a\n> b\n\n---\n\n# Title'],
  ['an indented first line', '    run();\n\nSo.'],
  ['line breaks of another system', 'a\nb'],
  ['very many spaces', `a${' '.repeat(200_000)}b`],
  ['nothing', ''],
])('an answer with %s is the same after an export as Markdown and an import', async (_name, text) => {
  const { path } = await readBack(conversationMarkdown(sampleConversation(), chat({ text }, { text, thinking: text })));
  expect(path).toMatchObject([
    { role: 'user', text },
    { role: 'assistant', text, thinking: text, model: 'pocket', state: 'complete' },
  ]);
});

test('a block of code that an answer leaves open is closed in the file', () => {
  const file = conversationMarkdown(sampleConversation(), [
    ...chat({}, { text: OPEN }),
    sampleQuestion({ text: 'Next?' }),
  ]);
  expect(file).toContain('run();\n```\n\n');
  expect(file).toContain('\n\n## Question\n\nNext?\n');
});

test('title, system prompt and models are the same after an export and an import', async () => {
  const conversation = sampleConversation({
    title: 'Is # this *it*?',
    settings: { ...sampleConversation().settings, systemPrompt: 'Be brief.\n\n> Be kind.\n## Question' },
  });
  const answers = ['a (b) c', '', 'x:y/z'].map((model) => sampleAnswer({ model }));
  const read = await readBack(conversationMarkdown(conversation, answers));
  expect(read.conversation).toMatchObject({
    title: conversation.title,
    settings: { systemPrompt: conversation.settings.systemPrompt },
  });
  expect(read.path).toMatchObject(answers.map(({ model }) => ({ model })));
});

test('attached texts are the same after an export and an import', async () => {
  const attachments = [
    { id: 'x', kind: 'text', part: 'whole', name: 'a "b".md', size: 9, text: '# A\n\n```js\n1\n```\n\n## Question' },
    { id: 'y', kind: 'text', part: 'passages', name: 'c', size: 1, text: 'c' },
  ] as const;
  const { path } = await readBack(conversationMarkdown(sampleConversation(), chat({ text: 'So?', attachments }, {})));
  const [{ attachments: read = [], text }] = path as [Question];
  expect(text).toBe('So?');
  expect(read).toMatchObject(
    attachments.map(({ kind, part, name, text: content }) => ({ kind, part, name, text: content })),
  );
});

test('the calls of tools are the same after an export and an import', async () => {
  const base = { id: 'c', name: 'calculate', outcome: 'done' } as const;
  const calls = [
    { ...base, arguments: '{"expression":"6 * 7 --> 42"}', result: '42' },
    { ...base, name: 'unknown', arguments: '```', outcome: 'refused', result: '' } as const,
    { ...base, arguments: 'no JSON', result: '```js\n1\n```\n\n> ## Question' },
  ];
  const rounds = [
    { text: 'Let me see.\n\n<!-- tabserve: call {} -->\n\n> x', calls: calls.slice(0, 2) },
    { text: '', calls: calls.slice(2) },
  ];
  const { path } = await readBack(
    conversationMarkdown(sampleConversation(), chat({}, { thinking: 'Hm', rounds, text: '> It is 42.' })),
  );
  expect(path[1]).toMatchObject({
    thinking: 'Hm',
    rounds: rounds.map(({ text, calls: made }) => ({
      text,
      calls: made.map((call) => ({ ...call, id: expect.any(String) as string })),
    })),
    text: '> It is 42.',
  });
});

test('the file tells which images and branches it does not have, and the import tells of them, too', async () => {
  const image = { id: 'i', kind: 'image', name: 'a.png', size: 1, url: 'data:image/png;base64,AA==' } as const;
  const file = conversationMarkdown(sampleConversation(), chat({ attachments: [image] }, {}), 3);
  expect(file).toContain('Not in this file: 1 image, 3 messages of other branches.');
  const { path, left } = await readBack(file);
  expect(left).toEqual({ ...NOTHING_LEFT_OUT, images: 1, branches: 3 });
  expect(path.map(({ text }) => text)).toEqual([
    'Attached image "a.png", which is not shown here.\n\nWhy?',
    'Because.',
  ]);
  expect(conversationMarkdown(sampleConversation(), chat({}, {}))).not.toContain('Not in this file');
});

const english = { ...exportStrings };
afterEach(() => void Object.assign(exportStrings, english));

test('a file of a German page is read', async () => {
  Object.assign(exportStrings, german);
  const file = conversationMarkdown(sampleConversation(), chat({}, { thinking: 'Hm' }), 1);
  expect(file).toContain('## Frage');
  expect((await readBack(file)).path).toMatchObject([{ text: 'Why?' }, { text: 'Because.', thinking: 'Hm' }]);
});

test('any text is the same after an export and an import, except blanks around it', async () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '')),
    fc.constantFrom(
      '## Question',
      String.raw`\## Frage`,
      '## Answer (x)',
      '```',
      '````js',
      '~~~',
      '<details>',
      '</details>',
      '> x',
      '',
      '<!-- tabserve: x -->',
    ),
  );
  const texts = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n').replace(/^\n+|\s+$/g, ''));
  await fc.assert(
    fc.asyncProperty(texts, texts, texts, async (question, thinking, text) => {
      const { path } = await readBack(
        conversationMarkdown(sampleConversation(), chat({ text: question }, { thinking, text })),
      );
      expect(path).toMatchObject([{ text: question }, { thinking, text }]);
    }),
    { numRuns: 300 },
  );
});
