import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { MeaningIndex } from '../../../src/chat/list/meaning-index.ts';
import { passagesOf } from '../../../src/chat/common/passages-of.ts';
import { ConversationStore, type StoredPassage } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

const TOPICS = ['whale|sea|fish', 'bread|oven|flour', 'ship|harbour|anchor', 'quick brown fox'];

/** Identifies the weights. */
const WEIGHTS = { model: 'pocket-embed', sample: new Float32Array([0, 0, 0, 1]) };

/** Returns a unit vector with a component for each topic, which is 0 if the text does not name the topic. */
function vectorOf(text: string): Float32Array<ArrayBuffer> {
  const vector = TOPICS.map((topic) => (new RegExp(topic).test(text) ? 1 : 0));
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

const embedding = () =>
  vi.fn<(model: string, texts: readonly string[], signal: AbortSignal) => Promise<Float32Array<ArrayBuffer>[]>>(
    async (_, texts) => texts.map(vectorOf),
  );

const never = () => new AbortController().signal;

async function storeWith(texts: Readonly<Record<string, string>>): Promise<ConversationStore> {
  const store = new ConversationStore(async () => createMemoryDatabase());
  for (const [id, text] of Object.entries(texts)) {
    const question = sampleQuestion({ id: `question ${id}`, conversation: id, text });
    await store.add(sampleConversation({ id }), [question]);
  }
  return store;
}

/** All vectors of a store. */
async function vectorsIn(store: ConversationStore): Promise<readonly StoredPassage[]> {
  const all: StoredPassage[] = [];
  for await (const passages of store.vectors(WEIGHTS)) all.push(...passages);
  return all;
}

async function found(index: MeaningIndex, words: string): Promise<readonly string[]> {
  let ids: readonly string[] = [];
  await index.find(words, (told) => (ids = told.map(({ conversation }) => conversation)), never());
  return ids;
}

const TEXTS = { sea: 'How old is a whale?', kitchen: 'How hot is the oven?', both: 'A fish on a ship' };

test('conversations are found by meaning, the closest first', async () => {
  const store = await storeWith(TEXTS);
  const index = new MeaningIndex(() => store, embedding());
  expect(await found(index, 'the sea')).toEqual(['sea', 'both']);
  expect(await found(index, 'flour')).toEqual(['kitchen']);
  expect(await found(index, 'nothing of it')).toEqual([]);
});

test('vectors are computed once, and again for changed messages', async () => {
  const store = await storeWith(TEXTS);
  const embed = embedding();
  await found(new MeaningIndex(() => store, embed), 'the sea');
  embed.mockClear();
  // A second index, as a page that is opened later has one.
  const index = new MeaningIndex(() => store, embed);
  await found(index, 'the sea');
  expect(embed).toHaveBeenCalledTimes(1);
  const [question] = await store.messages('kitchen');
  await store.write('kitchen', [{ ...question!, text: 'Which anchor?' }]);
  expect(await found(index, 'harbour')).toEqual(['kitchen', 'both']);
  expect(await found(index, 'bread')).toEqual([]);
});

test('the words of a search that is repeated are embedded once, and again after messages could not be embedded', async () => {
  const store = await storeWith(TEXTS);
  const embed = embedding();
  const index = new MeaningIndex(() => store, embed);
  await found(index, 'the sea');
  embed.mockClear();
  expect(await found(index, 'the sea')).toEqual(['sea', 'both']);
  expect(embed).not.toHaveBeenCalled();
  const [question] = await store.messages('kitchen');
  await store.write('kitchen', [{ ...question!, text: 'Which fish?' }]);
  embed.mockRejectedValueOnce(new Error('The engine ended.'));
  await expect(found(index, 'the sea')).rejects.toThrow('The engine ended.');
  embed.mockClear();
  expect(await found(index, 'the sea')).toEqual(['sea', 'kitchen', 'both']);
  expect(embed.mock.calls.map(([, texts]) => texts.at(-1))).toEqual(['the sea', 'Which fish?']);
});

test('vectors are deleted with their conversation, and are visible only to the search', async () => {
  const store = await storeWith(TEXTS);
  const index = new MeaningIndex(() => store, embedding());
  await found(index, 'the sea');
  expect(await vectorsIn(store)).toHaveLength(3);
  expect(Object.keys((await store.messages('sea'))[0]!)).not.toContain('vectors');
  await store.delete('sea');
  expect(await vectorsIn(store)).toHaveLength(2);
  expect(await found(index, 'the sea')).toEqual(['both']);
});

test('an answer is indexed when it has ended', async () => {
  const store = await storeWith({ sea: 'Tell me more.' });
  const index = new MeaningIndex(() => store, embedding());
  const answer = sampleAnswer({ id: 'answer', conversation: 'sea', text: 'A whale', state: 'running' });
  await store.write('sea', [answer]);
  expect(await found(index, 'fish')).toEqual([]);
  await store.rewriteAnswer({ ...answer, text: 'A whale is no fish.', state: 'complete' });
  expect(await found(index, 'fish')).toEqual(['sea']);
});

test('vectors of a text that changed meanwhile are discarded', async () => {
  const store = await storeWith(TEXTS);
  const [message] = await store.messages('sea');
  await store.write('sea', [{ ...message!, text: 'Which oven?' }]);
  await store.addVectors(message!, { ...WEIGHTS, passages: [vectorOf('whale')] });
  expect(await vectorsIn(store)).toEqual([]);
});

test.each([
  ['vectors of another length', { model: 'pocket-embed', sample: new Float32Array([0, 0, 1]) }],
  ['vectors of the same length', { model: 'pocket-embed', sample: new Float32Array([0, 0, 0.3, 0.9]) }],
  ['an older build, which did not store a sample', { model: 'pocket-embed' }],
  ['another model', { model: 'other', sample: WEIGHTS.sample }],
])('vectors are recomputed if the weights have %s', async (_, weights) => {
  const store = await storeWith(TEXTS);
  const [message] = await store.messages('kitchen');
  await store.addVectors(message!, { ...weights, passages: [vectorOf('whale')] });
  expect(await found(new MeaningIndex(() => store, embedding()), 'the sea')).toEqual(['sea', 'both']);
  expect(await vectorsIn(store)).toHaveLength(3);
});

test('vectors are kept if the same weights compute slightly different numbers', async () => {
  const store = await storeWith({ kitchen: TEXTS.kitchen });
  const [message] = await store.messages('kitchen');
  const sample = new Float32Array([0.001, 0, -0.001, 0.9999]);
  await store.addVectors(message!, { model: 'pocket-embed', sample, passages: [vectorOf('whale')] });
  const embed = embedding();
  expect(await found(new MeaningIndex(() => store, embed), 'the sea')).toEqual(['kitchen']);
  expect(embed).toHaveBeenCalledTimes(1);
});

test('if embeddings fail, nothing is stored and the failure is reported', async () => {
  const store = await storeWith(TEXTS);
  const index = new MeaningIndex(
    () => store,
    async () => {
      throw new Error('No model.');
    },
  );
  await expect(found(index, 'the sea')).rejects.toThrow('No model.');
  expect(await store.messagesWithoutVectors(WEIGHTS)).toHaveLength(3);
});

test('search works while vectors of many messages are computed in small batches', async () => {
  const store = await storeWith(Object.fromEntries(Array.from({ length: 140 }, (_, count) => [`${count}`, 'A whale'])));
  const embed = embedding();
  const told: number[] = [];
  await new MeaningIndex(() => store, embed).find('sea', (ids) => told.push(ids.length), never());
  expect(told.length).toBeGreaterThan(2);
  expect(Math.max(...embed.mock.calls.map(([, texts]) => texts.length))).toBe(32);
  expect(told.at(-1)).toBe(5);
  expect(await store.messagesWithoutVectors(WEIGHTS)).toEqual([]);
});

test('a text is split at sentences into passages that fit into any context window, without loss', () => {
  const sentence = 'A whale is an animal that lives in the sea. ';
  expect(passagesOf(sentence.repeat(20)).every((passage) => passage.endsWith('sea.'))).toBe(true);
  expect(passagesOf(' \n ')).toEqual([]);
  const text = fc.string({ unit: 'grapheme', maxLength: 3000 });
  fc.assert(
    fc.property(text, (text) => {
      const passages = passagesOf(text);
      expect(passages.every((passage) => new TextEncoder().encode(passage).length <= 480)).toBe(true);
      expect(passages.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }),
    { seed: 20_261_122 },
  );
});

test('after a read that never ends, a later search embeds the messages', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const store = await storeWith(TEXTS);
  const index = new MeaningIndex(() => store, embedding());
  vi.spyOn(store, 'messagesWithoutVectors').mockImplementationOnce(() => new Promise(() => {}));
  const first = found(index, 'the sea');
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(await first).toEqual([]);
  vi.useRealTimers();
  expect(await found(index, 'the sea')).toEqual(['sea', 'both']);
});
