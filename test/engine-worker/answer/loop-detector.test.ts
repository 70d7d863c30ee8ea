import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LoopDetector } from '../../../src/engine-worker/answer/loop-detector.ts';
import captured from './stuck-answers.json' with { type: 'json' };

/** Returns the number of characters after which a loop is detected; null if none is. Pieces are as long as tokens. */
function noticedAt(text: string, size = 4): number | null {
  const detector = new LoopDetector();
  for (let at = 0; at < text.length; at += size) {
    detector.push(text.slice(at, at + size));
    if (detector.found) return at + size;
  }
  return null;
}

const repeat = (text: string, count: number) => text.repeat(count);
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

test.each(captured)('$model is caught in a loop: $text', ({ answer }) => {
  expect(noticedAt(answer)).not.toBeNull();
});

const STUCK: Readonly<Record<string, string>> = {
  'one word': repeat('varied ', 400),
  'one sentence': repeat('I am sorry, but I cannot help you with that. ', 60),
  'a paragraph': repeat(
    'The sea is wide and the sky is blue. A small boat sails to an island where an old woman lives with three goats, and every evening she lights a lamp.\n\n',
    40,
  ),
  'items of a list, each with its number': lines(120, (index) => `${index + 1}. The river is long and full of fish.`),
  'a script without spaces': repeat('猫は魚が好きです。', 120),
  'letters of one word': repeat('a', 3000),
  signs: repeat('!', 1000),
  'a loop after a table': `| a | b |\n|---|---|\n| 1 | 2 |\n\n${repeat('and so on ', 300)}`,
  'a loop after code': `\`\`\`js\nlet a = 0;\n\`\`\`\n${repeat('and so on ', 300)}`,
};

test.each(Object.entries(STUCK))('a model that repeats %s is caught in a loop', (_, text) => {
  expect(noticedAt(`Here it is:\n\n${text}`)).not.toBeNull();
  expect(noticedAt(text, 1000)).not.toBeNull();
});

const table = lines(100, () => '| yes | yes | no |');
const LAWFUL: Readonly<Record<string, string>> = {
  'a table': `| a | b | c |\n|---|---|---|\n${table}`,
  'a table without outer lines': lines(100, () => 'yes | yes | no'),
  'a table in a quote': lines(100, () => '> | yes | yes | no |'),
  'zeros in code': `\`\`\`python\nmatrix = [\n${lines(80, () => '    [0, 0, 0, 0, 0, 0, 0, 0],')}\n]\n\`\`\``,
  'code in a quote': `> \`\`\`\n${lines(100, () => '> nop')}\n> \`\`\``,
  'code without fences': lines(100, () => '    print("hello")'),
  'a matrix': `$$\n\\begin{pmatrix}\n${lines(60, () => '0 & 0 & 0 & 0 \\\\')}\n\\end{pmatrix}\n$$`,
  'a matrix outside of formulas': lines(60, () => '0 & 0 & 0 & 0 \\\\'),
  'a check list': lines(200, () => '- [ ] Done'),
  'answers in a list': lines(150, (index) => `- ${index % 3 === 0 ? 'Yes' : 'No'}`),
  'numbered answers': lines(150, (index) => `${index + 1}. True`),
  'a table of products': lines(200, (index) => `${index + 1} x 7 = ${(index + 1) * 7}`),
  'numbers in order': Array.from({ length: 1000 }, (_, index) => index).join(', '),
  'a log': lines(150, (index) => `2026-11-26 04:${10 + index} worker started, ${index * 37} ms`),
  'a song': repeat(
    'Row, row, row your boat, gently down the stream.\nMerrily, merrily, merrily, merrily, life is but a dream.\n\n',
    4,
  ),
  'a word that the user asked for fifty times': repeat('banana ', 50),
  'rules between parts': lines(60, (index) => `Part ${index} is about the number ${index * index}.\n\n---\n`),
  'HTML in code': `\`\`\`html\n${lines(100, () => '<tr><td>0</td><td>0</td></tr>')}\n\`\`\``,
};

test.each(Object.entries(LAWFUL))('%s may repeat without being a loop', (_, text) => {
  expect(noticedAt(text)).toBeNull();
  expect(noticedAt(text, 1000)).toBeNull();
});

const ROOT = new URL('../../../', import.meta.url);
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'docs', 'training/data'].flatMap((name) =>
  /\.\w+$/.test(name) ? [name] : readdirSync(new URL(name, ROOT)).map((file) => `${name}/${file}`),
);
const TEXTS = DOCUMENTS.filter((name) => name.endsWith('.md'));

test.each(TEXTS)('%s is not a loop', (name) => {
  expect(noticedAt(readFileSync(new URL(name, ROOT), 'utf8'))).toBeNull();
});

test('code is never a loop, whatever it repeats', () => {
  const code = readFileSync(new URL('package-lock.json', ROOT), 'utf8').slice(0, 200_000);
  expect(noticedAt(`The file:\n\n~~~json\n${code}\n~~~\n`)).toBeNull();
});

test('a loop is detected within two hundred words', () => {
  const words = 'varied land varied varied land ';
  expect(noticedAt(repeat(words, 100))!).toBeLessThan(repeat(words, 40).length + 100);
});
