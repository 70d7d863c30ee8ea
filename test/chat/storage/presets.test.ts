import { beforeEach, expect, test, vi } from 'vitest';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { DEFAULT_SETTINGS } from '../../../src/chat/types/conversation.ts';
import { newChatSettings } from '../../../src/chat/storage/local-storage-values.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import {
  addPresets,
  changePresets,
  findPreset,
  parsePresets,
  readPresets,
  writePresets,
} from '../../../src/chat/storage/presets.ts';
import { conversationFile } from '../../support/samples/conversation-file.ts';
import { importConversations } from '../../../src/chat/transfer/import-conversations.ts';
import { readImportFile } from '../../../src/chat/transfer/read-import-file.ts';

const { model: _, ...SETTINGS } = DEFAULT_SETTINGS;
const OWN = { id: 'own', name: 'My own', settings: { ...SETTINGS, systemPrompt: 'Be brief.', stop: ['END'], seed: 3 } };

beforeEach(() => {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => values.set(name, value),
    removeItem: (name: string) => values.delete(name),
  });
});

test('there are four presets at first, each with a system prompt, and new chats use none of them', () => {
  const { list, forNewChats } = readPresets();
  expect(list).toHaveLength(4);
  expect(list.every(({ settings }) => settings.systemPrompt.length > 40)).toBe(true);
  expect(forNewChats).toBeNull();
  expect(newChatSettings()).toEqual(DEFAULT_SETTINGS);
});

test('presets are read back as written, and deleted ones stay deleted', () => {
  writePresets({ list: [OWN], forNewChats: null });
  expect(readPresets()).toEqual({ list: [OWN], forNewChats: null });
  writePresets({ list: [], forNewChats: null });
  expect(readPresets().list).toEqual([]);
});

test('new chats begin with their default preset, as long as it exists', () => {
  writePresets({ list: [OWN], forNewChats: 'own' });
  expect(newChatSettings()).toEqual({ ...OWN.settings, model: null });
  writePresets({ list: [OWN], forNewChats: null });
  expect(newChatSettings()).toEqual(DEFAULT_SETTINGS);
});

test('a preset keeps the tools that it switches on, but no consent', () => {
  const settings = {
    ...SETTINGS,
    tools: ['calculate'] as const,
    allowedTools: [{ tool: 'calculate', engine: 'local' }] as const,
  };
  writePresets({ list: [{ ...OWN, settings }], forNewChats: 'own' });
  expect(readPresets().list[0]?.settings).toEqual({ ...SETTINGS, tools: ['calculate'] });
});

test('imported presets are added to the existing ones, and change none of them', () => {
  const before = readPresets().list;
  const other = { ...before[0]!, name: 'Renamed elsewhere' };
  addPresets(JSON.stringify({ list: [other, OWN], forNewChats: 'own' }));
  expect(readPresets()).toEqual({ list: [...before, OWN], forNewChats: null });
  addPresets('no presets');
  expect(readPresets().list).toHaveLength(5);
});

test('presets that another tab has written meanwhile are kept', () => {
  writePresets({ list: [OWN], forNewChats: null });
  const other = { ...OWN, id: 'other', name: 'Of another tab' };
  changePresets(({ list, forNewChats }) => ({ list: [...list, other], forNewChats }));
  expect(changePresets(({ list }) => ({ list, forNewChats: 'own' }))).toEqual({
    list: [OWN, other],
    forNewChats: 'own',
  });
});

test('a preset is recognised by its settings, whatever the order of their fields', () => {
  const settings = Object.fromEntries(Object.entries(OWN.settings).toReversed()) as typeof OWN.settings;
  expect(findPreset(settings, { list: [OWN], forNewChats: null })).toEqual(OWN);
  expect(findPreset({ ...settings, seed: 4 }, { list: [OWN], forNewChats: null })).toBeUndefined();
});

test.each([
  ['no JSON', '{', null],
  ['another thing', '[]', null],
  ['no list', '{"list":{}}', null],
  [
    'a list with invalid presets among valid ones',
    JSON.stringify({ list: [null, { id: 1 }, { id: 'a', name: 'A' }, OWN] }),
    [OWN],
  ],
  ['a list with one preset twice', JSON.stringify({ list: [OWN, { ...OWN, name: 'Again' }] }), [OWN]],
  ['a list with presets without a name', JSON.stringify({ list: [{ ...OWN, name: ' ' }] }), []],
  [
    'a list with an endless name',
    JSON.stringify({ list: [{ ...OWN, name: '😀'.repeat(9000) }] }),
    [{ ...OWN, name: '😀'.repeat(60) }],
  ],
  [
    'a preset with fields of other types, and unknown ones',
    JSON.stringify({ list: [{ id: 'a', name: 'A', settings: { temperature: 'hot', stop: 'x', seed: 5, more: 1 } }] }),
    [{ id: 'a', name: 'A', settings: { ...SETTINGS, seed: 5 } }],
  ],
])('the valid presets of %s are read', (_name, text, list) => {
  expect(parsePresets(text)?.list ?? null).toEqual(list);
});

test.each(['{oops', '"a text"', 'null'])('new chats get the usual settings if the stored default is %s', (kept) => {
  localStorage.setItem('tabserve-new-chat-settings', kept);
  expect(newChatSettings()).toMatchObject({ systemPrompt: '', model: null });
});

test('presets that were exported without a chat are imported', async () => {
  const file = new Blob([conversationFile([], { list: [OWN], forNewChats: null })]);
  const database = createMemoryDatabase();
  await importConversations(file, new ConversationStore(async () => database), readImportFile);
  expect(readPresets().list.at(-1)).toEqual(OWN);
});

/** An export file without chats, with these presets. */
const fileWith = (presets: unknown) =>
  new Blob([JSON.stringify({ ...(JSON.parse(conversationFile([])) as object), presets })]);
const importFile = (file: Blob) =>
  importConversations(file, new ConversationStore(async () => createMemoryDatabase()), readImportFile);

test('tools that this page does not have are left out of an imported preset', async () => {
  const settings = { ...SETTINGS, tools: ['calculate', 'send_mail', 'constructor'] };
  await importFile(fileWith({ list: [{ ...OWN, settings }], forNewChats: null }));
  expect(readPresets().list.find(({ id }) => id === 'own')?.settings.tools).toEqual(['calculate']);
});

test("presets that exceed the browser's quota are an error with an explanation", async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('Setting the value exceeded the quota.', 'QuotaExceededError');
    },
  });
  await expect(importFile(fileWith({ list: [OWN], forNewChats: null }))).rejects.toThrow('its presets were not');
});

test('presets that are nested too deeply are an error with an explanation', async () => {
  const depth = 100_000;
  const text = await fileWith('DEEP').text();
  const file = new Blob([text.replace('"DEEP"', '['.repeat(depth) + ']'.repeat(depth))]);
  await expect(importFile(file)).rejects.toThrow('nested too deeply');
});
