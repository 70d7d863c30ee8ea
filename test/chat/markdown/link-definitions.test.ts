import { expect, test } from 'vitest';
import { BlockSplitter } from '../../../src/chat/markdown/block-splitter.ts';
import { HeadingLevels } from '../../../src/chat/markdown/heading-levels.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

/** Returns the HTML of a text, block by block as a stored answer is rendered, without line feeds between elements. */
function htmlOf(markdown: string): string {
  const splitter = new BlockSplitter();
  splitter.update(markdown);
  splitter.finish();
  const html = splitter.settled.map((block) => markdownToHtml(block, splitter.definitions)).join('');
  return html.replace(/>\n+/g, '>').replace(/\n+</g, '<');
}

const LINK = '<a href="https://a.org/b">https://a.org/b</a>';

test.each([
  ['a transcript', '[User]: Hi\n[Assistant]: Hello', '<p>[User]: Hi\n[Assistant]: Hello</p>'],
  ['lines of a transcript', '[User]: Hi\n\n[User]: Bye.', '<p>[User]: Hi</p><p>[User]: Bye.</p>'],
  ['a line of two words', '[1]: see above', '<p>[1]: see above</p>'],
  ['a word with a title', '[Note]: text "title"', '<p>[Note]: text &quot;title&quot;</p>'],
  ['a word on the next line', '[Note]:\nText\n', '<p>[Note]:\nText</p>'],
  ['a choice', '[Answer]: yes/no', '<p>[Answer]: yes/no</p>'],
  ['a time', '[Start]: 12:30', '<p>[Start]: 12:30</p>'],
  ['a number', '[Version]: 1.2', '<p>[Version]: 1.2</p>'],
  ['a word that the text has in brackets', 'Hi [User]\n\n[User]: Hi', '<p>Hi [User]</p><p>[User]: Hi</p>'],
  ['an item', '- [User]: Hi\n- [Bot]: Hello', '<ul><li>[User]: Hi</li><li>[Bot]: Hello</li></ul>'],
  ['a quotation', '> [User]: Hi', '<blockquote><p>[User]: Hi</p></blockquote>'],
  ['a placeholder', '[Name]: <name>', '<p>[Name]: &lt;name&gt;</p>'],
  [
    'sources',
    '[1]: https://a.org/b\n[2]: mailto:a@b.org',
    `<p>[1]: ${LINK}</p><p>[2]: <a href="mailto:a@b.org">mailto:a@b.org</a></p>`,
  ],
  [
    'a source with a title',
    '[1]: <https://a.org/b> "The <b>"',
    `<p>[1]: &lt;${LINK}&gt; &quot;The &lt;b&gt;&quot;</p>`,
  ],
  ['a source in a list', '- A\n\n  [1]: https://a.org/b', `<ul><li><p>A</p><p>[1]: ${LINK}</p></li></ul>`],
  ['a source in a quotation', '> [1]: https://a.org/b', `<blockquote><p>[1]: ${LINK}</p></blockquote>`],
  ['an address that is no web page', '[1]: ./notes.md', '<p>[1]: ./notes.md</p>'],
  [
    'a second address of a name',
    '[a]\n\n[a]: https://a.org/b\n\n[a]: https://c.org',
    '<p><a href="https://a.org/b">a</a></p><p>[a]: <a href="https://c.org">https://c.org</a></p>',
  ],
  [
    'an address before its links',
    '[1]: https://a.org/b\n\nSee [1].',
    `<p>[1]: ${LINK}</p><p>See <a href="https://a.org/b">1</a>.</p>`,
  ],
  ['the name of an address in code', '`[1]`\n\n[1]: https://a.org/b', `<p><code>[1]</code></p><p>[1]: ${LINK}</p>`],
])('%s is shown', (_what, markdown, html) => {
  expect(htmlOf(markdown)).toBe(html);
});

test.each([
  ['a name', 'See [1].\n\n[1]: https://a.org/b', '<p>See <a href="https://a.org/b">1</a>.</p>'],
  ['a text', '[A *b*][x]\n\n[X]: <https://a.org/b> "T"', '<p><a href="https://a.org/b" title="T">A <em>b</em></a></p>'],
  ['an image', '![A][]\n\n[a]: https://a.org/b', '<p><a href="https://a.org/b">Image: A</a></p>'],
  ['an item', '- [a]\n\n[a]: https://a.org/b', '<ul><li><a href="https://a.org/b">a</a></li></ul>'],
  ['a domain', '[a]\n\n[a]: a.org', '<p><a href="a.org">a</a></p>'],
  ['a path', '[a]\n\n[a]: /b', '<p><a href="/b">a</a></p>'],
  [
    'a definition in a list',
    '[a]\n\n- B\n\n  [a]: https://a.org/b',
    '<p><a href="https://a.org/b">a</a></p><ul><li><p>B</p></li></ul>',
  ],
  [
    'a definition in a quotation',
    '[a]\n\n> B\n>\n> [a]: https://a.org/b',
    '<p><a href="https://a.org/b">a</a></p><blockquote><p>B</p></blockquote>',
  ],
])('a link by %s works, and its address is not shown', (_what, markdown, html) => {
  expect(htmlOf(markdown)).toBe(html);
});

test('what is shown of a growing answer stays, and has each word', () => {
  const text =
    'See [the docs][1] and [2].\n\n[User]: Hi\n\n[1]: https://a.org/b\n[2]: ./c.md "T"\n\n[2] again: [x][1]\n\n';
  const splitter = new BlockSplitter();
  const shown: string[] = [];
  for (let end = 1; end <= text.length; end += 1) {
    splitter.update(text.slice(0, end));
    const { settled, open, definitions } = splitter;
    while (shown.length < settled.length) shown.push(markdownToHtml(settled[shown.length] ?? '', definitions));
    const words = `${shown.join('')}${markdownToHtml(open, definitions, new HeadingLevels(), false)}`
      .replace(/<[^>]*>|&quot;|"/g, '')
      .replace(/\s+/g, '');
    const written = text.slice(0, end).replace(/"/g, '').replace(/\s+/g, '');
    // Once an address is known, a link by its name is shown without brackets.
    const brackets = /[[\]]|(?<=x)1/g;
    expect(words.replace(brackets, '')).toBe(written.replace(/\[x\]\[1\]/, '[x]').replace(brackets, ''));
  }
});
