import { expect, test } from 'vitest';
import { indexFile } from '../../../../src/engine-worker/documents/search/indexed-file.ts';
import { PassageIndex, type PassageQuery } from '../../../../src/engine-worker/documents/search/passage-index.ts';
import {
  decodeIndexedFile,
  encodeIndexedFile,
} from '../../../../src/engine-worker/documents/search/store-indexed-file.ts';

const PETS = ['The cat sat on the mat.', 'A dog barks at night.', 'Feed them daily.', 'Water too.', 'Invoice 2024-17.'];
const HOUSES = ['Der Hund bellt.', 'Das Dach ist rot.', 'A dog barks at night!'];

/** Vectors of three numbers, one for each passage of PETS. */
const VECTORS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.6, 0.8, 0],
  [0, 0, -1],
].map((numbers) => Float32Array.from(numbers));

function petsAndHouses(): PassageIndex {
  const index = new PassageIndex();
  index.add('pets', indexFile(PETS, VECTORS), { kind: 'animal' });
  index.add('houses', indexFile(HOUSES), { kind: 'building' });
  return index;
}

const found = (index: PassageIndex, query: Partial<PassageQuery>) =>
  index.search({ text: '', most: 5, ...query }).map(({ file, place }) => `${file} ${place}`);

test.each<[what: string, query: Partial<PassageQuery>, hits: string[]]>([
  ['a word', { text: 'mats' }, ['pets 0']],
  ['a number', { text: 'invoice 17' }, ['pets 4']],
  ['an accent and an ending', { text: 'DÄCHER' }, ['houses 1']],
  ['the same words twice, which are one hit', { text: 'barking dogs' }, ['pets 1']],
  ['no words', { text: ' ?!' }, []],
  ['unknown words', { text: 'zebra' }, []],
  ['a meaning', { vector: Float32Array.of(1, 0, 0) }, ['pets 0', 'pets 3']],
  ['words and a meaning', { text: 'water', vector: Float32Array.of(0, 1, 0) }, ['pets 3', 'pets 1']],
  ['a vector of another model', { text: 'mat', vector: Float32Array.of(1, 0) }, ['pets 0']],
  ['one hit', { text: 'barks mat', most: 1 }, ['pets 0']],
  ['files by their attributes', { text: 'dog', filter: { type: 'eq', key: 'kind', value: 'building' } }, ['houses 2']],
  ['no files', { text: 'dog', filter: { type: 'eq', key: 'kind', value: 'x' } }, []],
  ['hits that are nearly certain', { text: 'dog', threshold: 0.99 }, []],
])('a search for %s', (_, query, hits) => {
  expect(found(petsAndHouses(), query)).toEqual(hits);
});

test.each([
  ['猫', ['我有一只猫在家里。', '我们喝茶。', '天气很好。']],
  ['茶 咖啡', ['一杯茶多少钱？', '我有一只猫。', '天气很好。']],
  ['책', ['오늘 책을 읽었습니다.', '물을 마셨습니다.', '집에 갔습니다.']],
  ['قاهرة', ['القاهرة عاصمة مصر.', 'الرياض كبيرة.', 'بيت جميل.']],
  ['احمد', ['قال أحمد نعم.', 'الرياض كبيرة.', 'بيت جميل.']],
  ['كتاب', ['في الكتاب قصة.', 'والبيت جميل.', 'الرياض كبيرة.']],
  ['2024', ['صدر عام ٢٠٢٤ في مصر.', 'عام ٢٠٢٣.', 'بيت جميل.']],
  ['1403', ['در سال ۱۴۰۳ بود.', 'در سال ۱۴۰۲ بود.', 'خانه زیبا.']],
  ['בית', ['גרנו בבית ישן.', 'ירד גשם.', 'מצאנו כלב.']],
  ['犬', ['うちの犬は元気です。', '猫もいます。', '雨が降る。']],
])(
  'a word is found that is one character, or that a text writes with a prefix, with marks or in other digits: %s',
  (text, passages) => {
    const index = new PassageIndex();
    index.add('a', indexFile(passages));
    expect(index.search({ text, most: 5 }).map(({ place }) => place)).toEqual([0]);
  },
);

test('a passage that shares only one word with a question of several has less than its share of the score', () => {
  const index = new PassageIndex();
  index.add('a', indexFile(['harbour lighthouse', 'ferry pier', 'lamp', 'roof']));
  const scoreOf = (text: string, weightOfSingleWord = 0.5) =>
    index.search({ text, most: 9, weightOfSingleWord }).find(({ place }) => place === 0)!.score;
  const both = scoreOf('harbour lighthouse');
  expect(scoreOf('harbour ferry', 1)).toBeCloseTo(both / 2);
  expect(scoreOf('harbour')).toBeCloseTo(both);
  expect(scoreOf('harbour lighthouse ferry pier')).toBeCloseTo(both / 2);
  expect(scoreOf('harbour ferry')).toBeCloseTo(both / 4);
});

test.each([
  ['Kolik stojí lístek a kde ho mohu koupit?', 'Kolik jich mohu koupit?'],
  ['Hvilket tog må jeg tage til lufthavnen?', 'Hvilket navn må det få i lufthavnen?'],
  ['Woran erkenne ich, ob die Melone reif ist?', 'Woran ist die Melone zu sehen?'],
  ['When does the pool close?', 'When does it close?'],
  ["Why doesn't she eat fish?", "Why doesn't she, nor whose fish?"],
  ['Comment faut-il soigner une entorse ?', 'Comment et quand faut-il une entorse ?'],
  ["Peut-on manger à l'hôtel ?", "Peut-on, à l'hôtel ?"],
  ['Quando posso vedere il museo?', 'Quando e cosa posso nel museo?'],
  ['Waarom mag de hond niet mee naar het strand?', 'Waarom mag hij niet mee, de hond?'],
  ['Hvilket tog må jeg ta til flyplassen?', 'Hvilket navn må det være på flyplassen?'],
  ['Ile muszę zapłacić za bilet?', 'Czyj to bilet, ile muszę?'],
  ['Onde posso comprar o bilhete?', 'Onde posso, e quanto, o bilhete?'],
  ['Почему и сколько нужно платить за билет?', 'Почему и сколько, какой билет нужно?'],
  ['¿Cuánto es y dónde hay una farmacia abierta?', '¿Cuánto es? ¿Dónde hay una farmacia?'],
  ['Hur länge bör jag koka ägget?', 'Hur länge bör jag se ägget?'],
])('of the words of %j, %j has only one that says what it is about', (text, passage) => {
  const index = new PassageIndex();
  index.add('a', indexFile([passage, 'x', 'y', 'z']));
  const [half, whole] = [0.5, 1].map((weight) => index.search({ text, most: 1, weightOfSingleWord: weight })[0]!.score);
  expect(half).toBeCloseTo(whole! / 2);
});

test('a passage that shares only function words with a question has less than its share of the score', () => {
  const index = new PassageIndex();
  index.add('a', indexFile(['How often do I have to go?', 'x', 'y', 'z']));
  const scoreOf = (weightOfSingleWord: number, text: string) =>
    index.search({ text, most: 1, weightOfSingleWord })[0]!.score;
  const text = 'How often do I have to see the dentist?';
  expect(scoreOf(0.5, text)).toBeCloseTo(scoreOf(1, text) / 2);
  expect(scoreOf(0.5, 'How often do I have to?')).toBe(scoreOf(1, 'How often do I have to?'));
});

test.each([
  ['How do I install the sink?', 'How do I water the cactus?', 'Sinks, installed last.'],
  ['How much vitamin D do I need?', 'How much vitamin C do I need?', 'Vitamin D'],
  ['What is the size M in May?', 'What is the size L in June?', 'size M in May'],
  ['Wie kann ich die Spüle montieren?', 'Wie kann ich die Katze füttern?', 'Montieren, Spüle'],
  ['Comment est-ce que je répare un évier ?', 'Comment est-ce que je nourris un chat ?', 'évier, réparer'],
])('%j is found by its other words, and not by the function words that it shares with %j', (text, other, answer) => {
  const index = new PassageIndex();
  index.add('a', indexFile([other, answer, 'x', 'y', 'z']));
  expect(index.search({ text, most: 1 })).toMatchObject([{ place: 1 }]);
});

test('the best of many passages needs more in common with the query for the same score', () => {
  const [many, few] = [1000, 10].map((count) => {
    const index = new PassageIndex();
    index.add('a', indexFile(['Whales eat krill.', ...Array.from({ length: count }, (_, number) => `Page ${number}`)]));
    return index.search({ text: 'What do whales drink?', most: 1 })[0]!.score;
  });
  expect(many).toBeLessThan(few!);
});

test.each([
  [0.2, 1],
  [0.8, 0],
])('meaning decides as its weight says: %j', (weightOfMeaning, place) => {
  const index = new PassageIndex();
  index.add('a', indexFile(['tide', 'ebb'], [Float32Array.of(1, 0), Float32Array.of(0, 1)]));
  const query = { text: 'ebb', vector: Float32Array.of(1, 0), most: 1 };
  expect(index.search({ ...query, weightOfMeaning })).toMatchObject([{ place }]);
});

test('one word that is a function word of some language counts as any other', () => {
  const index = new PassageIndex();
  index.add('a', indexFile(['the manual', 'man die', 'page', 'page']));
  expect(index.search({ text: 'man page', most: 1 })).toMatchObject([{ place: 1 }]);
});

test('scores are from 0 to 1, in descending order, and a threshold leaves out the lower ones', () => {
  const index = petsAndHouses();
  const query = { text: 'dog cat barks', vector: Float32Array.of(0.6, 0.8, 0), most: 9 };
  const scores = index.search(query).map(({ score }) => score);
  expect(scores.length).toBeGreaterThan(1);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(Math.min(...scores)).toBeGreaterThan(0);
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  expect(index.search({ ...query, threshold: scores[0]! }).map(({ score }) => score)).toEqual([scores[0]]);
});

test('a rare word counts more than a frequent one', () => {
  const index = new PassageIndex();
  index.add('a', indexFile(['common a b', 'common c d', 'common e f']));
  index.add('b', indexFile(['rare g h']));
  expect(found(index, { text: 'common rare' })[0]).toBe('b 0');
});

test('a file that is replaced or removed is not found by its old words', () => {
  const index = petsAndHouses();
  index.add('pets', indexFile(['A parrot talks.']));
  expect([index.count, found(index, { text: 'mat' }), found(index, { text: 'parrot' })]).toEqual([4, [], ['pets 0']]);
  expect(found(index, { text: 'dog' })).toEqual(['houses 2']);
  index.remove('houses');
  index.remove('unknown');
  expect([index.count, found(index, { text: 'dog' }), found(index, { text: 'parrot' })]).toEqual([1, [], ['pets 0']]);
  index.remove('pets');
  expect([index.count, found(index, { text: 'parrot', vector: Float32Array.of(1) })]).toEqual([0, []]);
});

test('an index that is stored as bytes finds the same', () => {
  const index = new PassageIndex();
  const stored = [indexFile(PETS, VECTORS), indexFile(HOUSES), indexFile([])].map(encodeIndexedFile);
  for (const [file, { buffer }] of stored.entries()) index.add(`${file}`, decodeIndexedFile(buffer)!);
  expect(found(index, { text: 'roof rot', vector: Float32Array.of(0, 0, -1) })).toEqual(['0 4', '1 1']);
});

test('damaged bytes are no index', () => {
  const { buffer } = encodeIndexedFile(indexFile(PETS, VECTORS));
  const damaged = [new ArrayBuffer(0), new ArrayBuffer(400), buffer.slice(0, -1), buffer.slice(4)];
  for (const at of [0, 1, 2, 3]) {
    const copy = buffer.slice(0);
    new Uint32Array(copy, 0, 4)[at]! += 1;
    damaged.push(copy);
  }
  expect(damaged.map(decodeIndexedFile)).toEqual(damaged.map(() => null));
});

test('texts without words, with one word of a megabyte, and with half a character are searched', () => {
  const index = new PassageIndex();
  index.add('hostile', indexFile(['', ' \n', '\0', '\ud800', 'x'.repeat(1_000_000), `${'y '.repeat(100_000)}z`]));
  expect(found(index, { text: 'z' })).toEqual(['hostile 5']);
  expect(found(index, { text: 'x'.repeat(1_000_000) })).toEqual(['hostile 4']);
});

test('hundreds of copies of the best passage hide no other one', () => {
  const index = new PassageIndex();
  for (let copy = 0; copy < 300; copy += 1) index.add(`copy ${copy}`, indexFile(['Whales eat krill.']));
  index.add('other', indexFile(['Whales sing to each other in the deep sea.', 'Bread.']));
  expect(found(index, { text: 'whales krill' })).toEqual(['copy 0 0', 'other 0']);
});

test('a vector that is no number hides no words', () => {
  const index = new PassageIndex();
  index.add('pets', indexFile(PETS, [Float32Array.of(NaN, 0, 0), ...VECTORS.slice(1)]));
  expect(found(index, { text: 'mats', vector: Float32Array.of(0, 0, 1) })).toContain('pets 0');
  expect(found(petsAndHouses(), { text: 'mats', vector: Float32Array.of(NaN, 0, 0) })).toEqual(['pets 0']);
});
