import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockSplitter } from '../../../src/chat/markdown/block-splitter.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

/** Pieces of Markdown whose meaning depends on the text after them. */
const PIECES = [
  'A sentence.',
  '\n',
  '\n\n',
  '1. one\n',
  '2. two\n',
  '- item\n',
  '  nested\n',
  '    indented\n',
  '# Heading\n',
  '===\n',
  '---\n',
  '| a | b |\n',
  '|---|---|\n',
  '| 1 | 2 |\n',
  '```js\n',
  '```\n',
  'const x = 1;\n',
  '> quote\n',
  '**bold',
  '** ',
  '`code`',
  '<b>',
  '\r\n',
  '[text][ref]',
  '[ref]: https://example.org/\n',
  '* star\n',
  '~~~\n',
  '2',
  '. ',
  '- ',
  '<div>\n',
  '</div>\n',
  '<!-- ',
  ' -->\n',
  '\t',
  '$$',
  '$$\n',
  '\\[\n',
  '\\]',
  '\\]\n',
  '$x$',
  '\\(x\\)',
  '![x](y)',
  '```markdown\n',
  '\\begin{align}',
  '\\end{align}',
  '\\end{align}\n',
  '> > > ',
  '> [!NOTE]\n',
  '<details>\n',
  '<summary>x</summary>\n',
  '</details>\n',
  '</details>',
  '[^1]: a\n',
  '[^1]',
  ': b\n',
  '```\n```js\n',
];

function splitAtOnce(text: string): string[] {
  const splitter = new BlockSplitter();
  splitter.update(text);
  splitter.finish();
  return splitter.settled;
}

test('text that grows piece by piece gives the blocks of the whole text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const splitter = new BlockSplitter();
      let text = '';
      for (const piece of pieces) {
        text += piece;
        // If the next piece begins with LF, the two characters become one line break, which changes the text so far.
        if (text.endsWith('\r')) continue;
        expect(splitter.update(text)).toBe(true);
      }
      splitter.finish();
      expect(splitter.settled).toEqual(splitAtOnce(text));
    }),
    { numRuns: 500 },
  );
});

test('no character is lost between the blocks', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const blocks = splitAtOnce(text).join('').replace(/\s/g, '');
      expect(blocks).toBe(text.replace(/\s/g, ''));
    }),
  );
});

test('a settled block does not change while the rest grows', () => {
  const splitter = new BlockSplitter();
  splitter.update('First paragraph.\n\nSecond one.\n');
  const settled = [...splitter.settled];
  expect(settled).toEqual(['First paragraph.']);
  splitter.update('First paragraph.\n\nSecond one.\n\n```js\nconst a = 1;\n');
  expect(splitter.settled.slice(0, settled.length)).toEqual(settled);
  expect(splitter.open).toBe('```js\nconst a = 1;\n');
});

test('a number at the end of the text may still become the next item of the list before it', () => {
  const splitter = new BlockSplitter();
  splitter.update('1. one\n\n2');
  splitter.update('1. one\n\n2. two\n');
  splitter.finish();
  expect(splitter.settled).toHaveLength(1);
});

test('text that was replaced is refused, so that the caller starts over', () => {
  const splitter = new BlockSplitter();
  splitter.update('Hello');
  expect(splitter.update('Good morning')).toBe(false);
});

test('text that grows after finish() is split again, because its last block was incomplete', () => {
  const splitter = new BlockSplitter();
  splitter.update('A dog pl');
  splitter.finish();
  expect(splitter.update('A dog pl')).toBe(true);
  expect(splitter.update('A dog planted a seed.')).toBe(false);
});

test('a link definition applies to the blocks after it', () => {
  const splitter = new BlockSplitter();
  splitter.update('[ref]: https://example.org/page\n\nSee [here][ref].\n\n');
  splitter.finish();
  expect(markdownToHtml(splitter.settled.at(-1) ?? '', splitter.definitions)).toContain(
    'href="https://example.org/page"',
  );
});

test.each([
  ['9591.', '<p>9591.</p>\n'],
  ['It is\n\n62.\n', '<p>It is</p>\n<p>62.</p>\n'],
  ['3. three', '<ol start="3">\n<li>three</li></ol>\n'],
  ['-', '<ul>\n<li></li></ul>\n'],
])('a number with a full stop and no text is not a list: %j', (text, html) => {
  expect(markdownToHtml(text)).toBe(html);
});

test('the blocks before an address with its name are told once, and none that were split with it', () => {
  const splitter = new BlockSplitter();
  const text = 'See [the docs][Docs\nx].\n\nOther [docs].\n\n[docs X]: https://example.org\n\nEnd [docs x].\n\n';
  splitter.update(text.slice(0, 40));
  expect(splitter.takeLate()).toEqual([]);
  splitter.update(text);
  splitter.finish();
  expect(splitter.takeLate()).toEqual([0]);
  expect(splitter.takeLate()).toEqual([]);
});

test('ten thousand addresses and the names before them are split in bounded time', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => index);
  const text = [
    ...numbers.map((number) => `See [a][${number}].`),
    ...numbers.map((number) => `[${number}]: https://a.org/${number}`),
  ];
  const splitter = new BlockSplitter();
  const start = performance.now();
  splitter.update(text.join('\n\n'));
  splitter.finish();
  expect(splitter.takeLate()).toHaveLength(10_000);
  expect(performance.now() - start).toBeLessThan(5000);
});

test('twenty thousand blocks of code without a language are split in bounded time', () => {
  const splitter = new BlockSplitter();
  const start = performance.now();
  splitter.update('```\na\n```\n'.repeat(20_000));
  splitter.finish();
  expect(splitter.settled).toHaveLength(20_000);
  expect(performance.now() - start).toBeLessThan(5000);
});
