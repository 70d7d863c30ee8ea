import { expect, test } from 'vitest';
import { listConversations, readConversation } from '../../../src/chat/transfer/conversation-file.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { conversationMarkdown } from '../../../src/chat/transfer/export-conversations.ts';
import { readConversationMarkdown } from '../../../src/chat/transfer/read-conversation-markdown.ts';
import type { ReadConversation } from '../../../src/chat/transfer/read-conversation.ts';
import { DEFAULT_SETTINGS, type Answer, type Message, type Source } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, documents: { id: 'vs_1', name: 'Papers' } };
const SOURCES: readonly Source[] = [
  { file: 'file-1', name: 'a --> b.pdf', text: 'First\n\n```\ncode\n```\n\n## Question\n\n> quoted' },
  { file: 'file-2', name: 'c.txt', text: 'Second' },
];
const CASES: readonly [name: string, answer: Partial<Answer>][] = [
  ['passages', { text: 'So [1].', sources: SOURCES }],
  ['a passage with other line ends', { text: 'So.', sources: [{ ...SOURCES[1]!, text: 'a\u2028b\n\u2029c\u0085d' }] }],
  ['passages and no text', { text: '', sources: SOURCES }],
  ['a search that found nothing', { text: '', sources: [] }],
  ['no search', { text: 'So.' }],
  [
    'text that looks like a source of a file',
    { text: '<!-- tabserve: source {"file":"x"} -->\n\n> y\n\n<!-- tabserve: no sources -->\n\n*z*' },
  ],
];
const FORMATS: Record<string, (messages: readonly Message[]) => ReadConversation> = {
  Markdown: (messages) =>
    readConversationMarkdown(conversationMarkdown(sampleConversation({ settings: SETTINGS }), messages)),
  JSON: (messages) => {
    const file: object = JSON.parse(conversationFile([{ conversation: sampleConversation(), messages }])) as object;
    return readConversation(listConversations(file)![0]);
  },
};

for (const [format, roundTrip] of Object.entries(FORMATS)) {
  test.each(CASES)(`an answer with %s is the same after an export as ${format}`, (_, changes) => {
    const { whole } = roundTrip([sampleQuestion(), sampleAnswer({ settings: SETTINGS, ...changes })]);
    const answer = typeof whole === 'string' ? null : (whole.messages[1] as Answer);
    expect(answer?.text).toBe(changes.text);
    expect(answer?.sources).toEqual(changes.sources);
  });
}

test('an imported chat has no documents chosen, because they are not in the file', () => {
  const conversation = sampleConversation({ settings: SETTINGS });
  const file = JSON.parse(conversationFile([{ conversation, messages: [] }])) as object;
  const { whole } = readConversation(listConversations(file)![0]);
  expect(typeof whole === 'string' ? null : whole.conversation.settings.documents).toBeUndefined();
});

test('an answer of an imported chat that found nothing names no collection when it is exported', () => {
  const file = conversationMarkdown(sampleConversation(), [sampleQuestion(), sampleAnswer({ text: '', sources: [] })]);
  expect(file).toContain('*Nothing in the documents fits this question');
});
