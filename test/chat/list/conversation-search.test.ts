import { expect, test, vi } from 'vitest';
import { ConversationSearch, type FoundConversation } from '../../../src/chat/list/conversation-search.ts';
import { groupByDate } from '../../../src/chat/list/date-groups.ts';
import { MeaningIndex } from '../../../src/chat/list/meaning-index.ts';
import { stemOf, WordIndex } from '../../../src/chat/list/word-index.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import { createMemoryDatabase } from '../../../src/chat/storage/memory-database.ts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../gallery/samples/conversation.ts';

// The Markdown renderer listens to copy events, which Node does not have.
vi.stubGlobal('addEventListener', () => {});
// The memory database reads of a range only its lower bound.
vi.stubGlobal('IDBKeyRange', { lowerBound: (lower: string) => ({ lower }) });

/** Realistic chats, each with one question and its answer. Some have nearly the same topic. */
const CHATS: Readonly<Record<string, readonly [question: string, answer: string]>> = {
  bread: [
    'How do I bake sourdough bread?',
    'Feed the starter, knead the dough, let it rise overnight and bake it in a hot oven.',
  ],
  pizza: ['My pizza base is soggy, what can I do?', 'Preheat a stone in the oven and use less tomato sauce.'],
  tomatoes: [
    'When should I plant tomatoes on my balcony?',
    'After the last frost in May; they need six hours of sun and a deep pot.',
  ],
  roses: ['How are roses pruned?', 'Cut them back in early spring, above an outward bud.'],
  lisbon: [
    'Plan three days in Lisbon for us',
    'Day one: Alfama and the castle. Day two: Belém. Day three: a train to Sintra.',
  ],
  tokyo: ['What does a week in Tokyo cost?', 'Hotels are the largest part; trains and ramen are cheap.'],
  visa: ['Do I need a visa for Japan?', 'Citizens of many countries may stay for 90 days without one.'],
  python: ['Read a CSV file in Python', 'Use csv.DictReader and open the file with newline set to an empty string.'],
  sorting: [
    'How do I sort a list of objects in JavaScript?',
    'Pass a comparator to toSorted, and compare the property.',
  ],
  regex: ['A regular expression for email addresses', 'Keep it simple: something, an at sign, something with a dot.'],
  docker: [
    'My docker container exits at once',
    'Its main process has ended: look at the logs, and start a server in the foreground.',
  ],
  whales: ['How long do blue whales live?', 'Eighty to ninety years; they are the largest animals in the sea.'],
  ants: ['Why do ants walk in a line?', 'They follow a trail of pheromones to their food.'],
  moon: [
    'Why does the moon have phases?',
    'We see its sunlit half from changing angles while it goes round the earth.',
  ],
  tides: ['What causes high tide?', 'The pull of the moon and the sun on the water of the oceans.'],
  mortgage: [
    'Should I repay my mortgage early?',
    'Compare its interest with what savings earn after tax, and ask for penalties.',
  ],
  taxes: [
    'Which costs can freelancers deduct from taxes?',
    'An office, a computer, travel and insurance, with receipts.',
  ],
  resignation: ['Write a letter of resignation', 'Dear Ms Meyer, I hereby resign from my position as of 31 March.'],
  birthday: ['A birthday poem for my grandmother', 'Ninety candles, ninety years, a garden full of laughter.'],
  knee: ['My knee hurts after running', 'Rest, cool it, and shorten your stride; see a doctor if it swells.'],
  sleep: ['I wake up at four every night', 'Less coffee after noon, a dark room, and the same hours each day.'],
  guitar: [
    'Which chords should a beginner learn on the guitar?',
    'G, C, D and E minor: hundreds of songs need no more.',
  ],
  chess: ['Explain the Sicilian defence in chess', 'Black answers e4 with c5 and fights for the centre from the side.'],
  wifi: ['The wifi is slow in the bedroom', 'Move the router, choose another channel, or lay a cable.'],
  washing: ['The washing machine does not drain', 'Clean the filter of the pump and look for a bent hose.'],
  bike: [
    'How do I patch a bicycle tyre?',
    'Find the hole in water, roughen the rubber, glue, wait, press the patch on.',
  ],
  steuer: [
    'Wie setze ich ein häusliches Arbeitszimmer von der Steuer ab?',
    'Als Pauschale oder mit den tatsächlichen Kosten.',
  ],
  kuchen: ['Ein Rezept für Apfelkuchen', 'Mürbeteig, säuerliche Äpfel, Zimt und Streusel; eine Stunde backen.'],
};

/** Searches by two or three words of a chat, in other forms and in another order. */
const SEARCHES: readonly (readonly [words: string, chat: keyof typeof CHATS])[] = [
  ['sourdough starter', 'bread'],
  ['baking bread', 'bread'],
  ['soggy pizza', 'pizza'],
  ['pizza stone oven', 'pizza'],
  ['balcony tomatoes', 'tomatoes'],
  ['planting tomato', 'tomatoes'],
  ['pruning roses', 'roses'],
  ['lisbon days', 'lisbon'],
  ['sintra train', 'lisbon'],
  ['tokyo week cost', 'tokyo'],
  ['japan visa', 'visa'],
  ['csv python', 'python'],
  ['reading csv file', 'python'],
  ['sorting objects', 'sorting'],
  ['javascript sort list', 'sorting'],
  ['email regular expression', 'regex'],
  ['docker exit', 'docker'],
  ['container logs', 'docker'],
  ['blue whale', 'whales'],
  ['ants trail', 'ants'],
  ['moon phases', 'moon'],
  ['moon tide', 'tides'],
  ['mortgage interest', 'mortgage'],
  ['freelance taxes', 'taxes'],
  ['resignation letter', 'resignation'],
  ['poem grandmother', 'birthday'],
  ['knee running', 'knee'],
  ['guitar chords', 'guitar'],
  ['sicilian chess', 'chess'],
  ['router bedroom wifi', 'wifi'],
  ['washing machine pump', 'washing'],
  ['bicycle patch', 'bike'],
  ['arbeitszimmer steuer', 'steuer'],
  ['apfel kuchen rezept', 'kuchen'],
];

async function storeWithChats(): Promise<ConversationStore> {
  const database = createMemoryDatabase();
  const store = new ConversationStore(async () => database);
  for (const [id, [question, answer]] of Object.entries(CHATS)) {
    await store.add(sampleConversation({ id, title: question.slice(0, 40), leaf: `a${id}` }), [
      sampleQuestion({ id: `q${id}`, conversation: id, text: question }),
      sampleAnswer({ id: `a${id}`, conversation: id, parent: `q${id}`, text: answer }),
    ]);
  }
  return store;
}

/** @param meant Chats that are similar in meaning, the most similar first. If empty, embeddings cannot be computed. */
async function search(
  store: ConversationStore,
  words: string,
  meant: readonly string[] = [],
): Promise<readonly FoundConversation[]> {
  const embed = async (_: string, texts: readonly string[]) =>
    meant.length === 0
      ? []
      : texts.map((text) => {
          const place = meant.findIndex((id) => CHATS[id]!.includes(text));
          return Float32Array.from(text === words ? [1, 0] : place === -1 ? [0, 1] : [0.9 - place / 10, 0.1]);
        });
  let found: readonly FoundConversation[] = [];
  const searching = new ConversationSearch(
    () => store,
    new WordIndex(() => store),
    new MeaningIndex(() => store, embed),
  );
  await searching.find(words, (told) => (found = told), new AbortController().signal);
  return found;
}

const idsOf = (found: readonly FoundConversation[]) => found.map(({ conversation }) => conversation.id);

test('two or three remembered words rank their chat first in 32 of 34 searches', async () => {
  const store = await storeWithChats();
  const firsts = await Promise.all(
    SEARCHES.map(async ([words, chat]) => [words, chat, (await search(store, words))[0]?.conversation.id] as const),
  );
  const missed = firsts.filter(([, chat, first]) => first !== chat).map(([words, , first]) => `${words}: ${first}`);
  expect(missed.slice(2)).toEqual([]);
});

test('matches of words precede matches of meaning, whatever their similarity', async () => {
  const store = await storeWithChats();
  const found = await search(store, 'moon', ['ants', 'tides']);
  expect(idsOf(found)).toEqual(['moon', 'tides', 'ants']);
  expect(found.map(({ isClose }) => isClose)).toEqual([false, false, true]);
});

const embedGarden = async (_: string, texts: readonly string[]) =>
  texts.map((text) => Float32Array.from(/fragrant|bud|rise/.test(text) ? [1, 0] : [0, 1]));

test('a search that is repeated shows its matches of meaning at once, unless their chats are deleted', async () => {
  const store = await storeWithChats();
  const searching = new ConversationSearch(
    () => store,
    new WordIndex(() => store),
    new MeaningIndex(() => store, embedGarden),
  );
  const shown = async (words: string) => {
    const told: string[] = [];
    await searching.find(words, (found) => told.push(idsOf(found).toSorted().join()), new AbortController().signal);
    return [told[0], told.at(-1)];
  };
  expect(await shown('fragrant')).toEqual(['', 'bread,roses']);
  expect(await shown('fragrant')).toEqual(['bread,roses', 'bread,roses']);
  await store.delete('roses');
  expect(await shown('fragrant')).toEqual(['bread', 'bread']);
  expect((await shown('ramen'))[0]).toBe('tokyo');
});

test('if no chat has all words, partial and semantic matches form one list', async () => {
  const store = await storeWithChats();
  const found = await search(store, 'sorting spaghetti', ['pizza']);
  expect(new Set(idsOf(found))).toEqual(new Set(['sorting', 'pizza']));
  expect(found.every(({ isClose }) => isClose)).toBe(true);
  expect(await search(store, 'xylophone quartet')).toEqual([]);
});

test('a missing letter or another form of a word still finds it', async () => {
  const store = await storeWithChats();
  expect(idsOf(await search(store, 'pheromnes'))).toEqual(['ants']);
  expect(idsOf(await search(store, 'pruning'))).toEqual(['roses']);
  for (const forms of [
    ['bake', 'baked', 'baking', 'bakes'],
    ['Apfel', 'apfels'],
    ['run', 'running', 'runs'],
    ['city', 'cities'],
  ]) {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
  }
});

test('each result names its message, the matching words and the text around them', async () => {
  const store = await storeWithChats();
  const [phrase] = await search(store, 'SUN AND');
  expect(phrase).toMatchObject({ place: { message: 'atomatoes', words: 'SUN AND' } });
  expect(phrase?.snippet[1]).toBe('sun and');
  const [bread] = await search(store, 'STARTER kneading');
  expect(bread).toMatchObject({ place: { message: 'abread', words: 'starter knead' } });
  expect(bread?.snippet.filter((_, index) => index % 2 === 1)).toEqual(['starter', 'knead']);
  expect(bread?.snippet.join('')).toBe(CHATS['bread']![1]);
  const [close] = await search(store, 'Backwaren', ['bread']);
  expect(close).toMatchObject({ isClose: true, place: { words: '' }, snippet: [CHATS['bread']![0]] });
});

test.each([
  ['Chinese', '浴室的水管在漏水，我该怎么办？', '漏水 水管', ['水管', '漏水']],
  ['Chinese, with a word of one character', '我的猫喜欢在窗边睡觉。', '睡觉 猫', ['猫喜', '睡觉']],
  ['Chinese, of rare characters', '𠮷野家的牛肉饭好吃吗？', '牛肉饭 𠮷野家', ['𠮷野家', '牛肉饭']],
  ['Japanese', '台所の水道が水漏れしています。', '水漏れ 台所', ['台所', '水漏れ']],
  ['Thai', 'ท่อน้ำในห้องน้ำรั่ว', 'รั่ว ท่อ', ['ท่อ', 'รั่ว']],
  ['Korean, with particles', '학교에서 한국어를 배웁니다', '한국어 학교', ['학교', '한국어']],
  ['Hindi', 'किताब मेरी कहाँ है?', 'कहाँ किताब', ['किताब', 'कहाँ']],
  [
    'Latin letters with accents of their own',
    'Un cafe\u0301 et un pa\u0302te\u0301',
    'pâté café',
    ['cafe\u0301', 'pa\u0302te\u0301'],
  ],
  ['Chinese beside Latin letters', '如何在Docker容器里运行数据库', '数据库 docker', ['Docker', '数据库']],
])('words are found in any order and marked, in %s', async (_, text, sought, marked) => {
  const store = await storeWithChats();
  await store.add(sampleConversation({ id: 'c', title: 'A chat', leaf: 'q' }), [
    sampleQuestion({ id: 'q', conversation: 'c', text }),
  ]);
  const [found] = await search(store, sought);
  expect(found).toMatchObject({ conversation: { id: 'c' }, isClose: false, place: { message: 'q' } });
  expect(found?.snippet.filter((_, index) => index % 2 === 1)).toEqual(marked);
  expect(found?.snippet.join('')).toBe(text);
});

test('an answer is shown as rendered text, a question as it was written', async () => {
  const database = createMemoryDatabase();
  const store = new ConversationStore(async () => database);
  const answer = [
    '## The `coast`\n\n1. A **lighthouse** [keeper](https://example.com/lamp) *counts*\n2. 3 < 4 & $a_1$',
    '| Ship | Wood |\n|---|---|\n| Anna | oak |',
    '```js\nconst harbour = "_x_";\n```',
  ].join('\n\n');
  await store.add(sampleConversation({ id: 'c', title: 'Sea', leaf: 'a' }), [
    sampleQuestion({ id: 'q', conversation: 'c', text: 'What is **kept** in `snake_case`?' }),
    sampleAnswer({ id: 'a', conversation: 'c', parent: 'q', text: answer }),
  ]);
  const shown = async (words: string) => (await search(store, words))[0]?.snippet;
  expect(await shown('lighthouse keeper')).toEqual([
    'The coast A ',
    'lighthouse keeper',
    ' counts 3 < 4 & $a_1$ Ship Wood Anna oak const harbour = "_x_";',
  ]);
  expect((await shown('anna'))?.[1]).toBe('Anna');
  expect(await shown('is **kept** in')).toEqual(['What ', 'is **kept** in', ' `snake_case`?']);
  // Of a long message, the words around the match are shown.
  const long = `${'- *one* line\n'.repeat(1000)}- a **lamp** post\n${'- *one* line\n'.repeat(1000)}`;
  await store.write('c', [sampleAnswer({ id: 'long', conversation: 'c', parent: 'q', text: long })]);
  const [before, found] = (await shown('lamp post')) ?? [];
  expect(before).toMatch(/^….*one line a $/);
  expect(found).toBe('lamp post');
  // Text that is not displayed, such as a link's address, can be searched for.
  expect((await shown('example.com'))?.[1]).toBe('example.com');
});

test('changes after the first search (new, renamed, deleted) are found', async () => {
  const store = await storeWithChats();
  const index = new WordIndex(() => store);
  const find = async (words: string) => (await index.search(words)).map(({ conversation }) => conversation);
  expect(await find('grandmother')).toEqual(['birthday']);
  await store.update('ants', { title: 'Grandmother’s ants' });
  await store.write('moon', [sampleAnswer({ id: 'amoon', conversation: 'moon', text: 'grandmother' })]);
  expect(new Set(await find('grandmother'))).toEqual(new Set(['birthday', 'ants', 'moon']));
  expect(await find('sunlit')).toEqual([]);
  await store.delete('birthday');
  expect(new Set(await find('grandmother'))).toEqual(new Set(['ants', 'moon']));
});

test.each([
  ['fails', 'of a chat', () => Promise.reject(new Error('The disk is busy.'))],
  ['never ends', 'of a chat', () => new Promise<never>(() => {})],
  ['fails', 'of the list', () => Promise.reject(new Error('The disk is busy.'))],
  ['never ends', 'of the list', () => new Promise<never>(() => {})],
] as const)('after a read that %s, %s, the next search by words finds what had changed', async (_, what, read) => {
  vi.useFakeTimers();
  const store = await storeWithChats();
  const index = new WordIndex(() => store);
  await index.search('moon');
  await store.write('ants', [sampleAnswer({ id: 'aants', conversation: 'ants', text: 'They look at the moon.' })]);
  vi.spyOn(store, what === 'of a chat' ? 'messages' : 'conversations').mockImplementationOnce(read);
  const first = index.search('moon').catch(() => []);
  const second = index.search('moon');
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await first;
  expect((await second).map(({ conversation }) => conversation)).toContain('ants');
});

test('chats are grouped by day: today, yesterday, the last week, and months, in the language of the page', () => {
  const now = new Date(2026, 2, 30, 0, 30).getTime();
  // In many time zones the clocks go forward in the night before this date.
  const times = [
    [2026, 2, 30, 0, 10],
    [2026, 2, 29, 23, 59],
    [2026, 2, 28, 1, 0],
    [2026, 2, 23, 0, 0],
    [2026, 2, 22, 23, 0],
    [2025, 11, 31, 23, 59],
  ].map(([year = 0, month = 0, ...rest]) => new Date(year, month, ...rest).getTime());
  const titles = (language: string, times: readonly number[]) =>
    groupByDate(
      times.map((updated) => sampleConversation({ updated })),
      now,
      language,
      'Before',
    ).map(({ title, conversations }) => `${title}: ${conversations.length}`);
  expect(titles('en', times)).toEqual(['Today: 1', 'Yesterday: 1', 'Before: 2', 'March 2026: 1', 'December 2025: 1']);
  expect(titles('de', times)).toEqual(['Heute: 1', 'Gestern: 1', 'Before: 2', 'März 2026: 1', 'Dezember 2025: 1']);
  expect(titles('en', [now + 1e6, 1e300])).toEqual(['Today: 2']);
  expect(titles('en', [-1e300, Number.NaN]).length).toBeGreaterThan(0);
});

test('the first message with the words is found, in whatever order the store has them', async () => {
  const store = new ConversationStore(null);
  const question = { conversation: 'c', text: 'A red boat.' };
  await store.add(sampleConversation({ id: 'c', title: 'Boats' }), [
    sampleQuestion({ ...question, id: 'later', created: 2 }),
    sampleQuestion({ ...question, id: 'first', created: 1 }),
  ]);
  const [found] = await search(store, 'red boat');
  expect(found).toMatchObject({ place: { message: 'first' } });
});

test('an aborted search reads no further messages, and a later one does not wait for it', async () => {
  const database = createMemoryDatabase();
  const store = new ConversationStore(async () => database);
  const messages = Array.from({ length: 600 }, (_, index) =>
    sampleQuestion({ id: `${index}`, conversation: 'c', text: 'A sour apple.' }),
  );
  await store.add(sampleConversation({ id: 'c', title: 'Apples' }), messages);
  const searching = new ConversationSearch(
    () => store,
    new WordIndex(() => store),
    new MeaningIndex(
      () => store,
      async () => [],
    ),
  );
  const typing = new AbortController();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const read = vi.spyOn(database, 'getAll').mockImplementationOnce(async () => {
    await held;
    return messages.slice(0, 250);
  });
  const aborted = searching.find('sou', () => {}, typing.signal).catch(() => 'aborted');
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1));
  typing.abort();
  let found: readonly FoundConversation[] = [];
  await searching.find('sour', (told) => (found = told), new AbortController().signal);
  expect(found).toMatchObject([{ conversation: { id: 'c' } }]);
  read.mockClear();
  release();
  expect(await aborted).toBe('aborted');
  expect(read).not.toHaveBeenCalled();
});
