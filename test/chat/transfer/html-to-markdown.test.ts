import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';
import { htmlToMarkdown } from '../../../src/chat/transfer/foreign/html-to-markdown.ts';

test.each([
  ['paragraphs and line ends', '<p>One\n two<br>three</p><p>four</p>', 'One two\nthree\n\nfour'],
  ['headings and emphasis', '<h2>One</h2><p><b>two</b> <em>three</em></p>', '## One\n\n**two** *three*'],
  [
    'lists within lists',
    '<ul><li>One<ol><li>two</li><li>three</li></ol></li><li>four</li></ul><p>five</p>',
    '- One\n   1. two\n   2. three\n- four\n\nfive',
  ],
  ['code', '<pre><code>a &lt; b\n  c</code></pre><p>and <code>d</code></p>', '```\na < b\n  c\n```\n\nand `d`'],
  [
    'lists of paragraphs',
    '<ul>\n<li>\n<p>One</p>\n</li>\n<li>\n<p>two</p>\n<p>three</p>\n</li>\n</ul>',
    '- One\n- two\n\n   three',
  ],
  [
    'code in lists',
    '<ol><li><p>One</p><pre><code>a\n  b</code></pre></li><li>two</li></ol>',
    '1. One\n\n   ```\n   a\n     b\n   ```\n2. two',
  ],
  [
    'lists that begin later',
    '<ol start="9"><li>One</li><li>two<ul><li>three</li></ul></li></ol>',
    '9. One\n10. two\n    - three',
  ],
  ['quotations', '<blockquote><p>One</p><p>two</p></blockquote><p>three</p>', '> One\n>\n> two\n\nthree'],
  [
    'code in its language',
    '<pre><code class="language-python">a = "```"\n\n\n\nb\n</code></pre>',
    '````python\na = "```"\n\n\n\nb\n````',
  ],
  ['code with a backtick', '<code>a`b</code>', '`` a`b ``'],
  ['tags whose names every object inherits', '<p>One <constructor>two</constructor></p>', 'One two'],
  ['what opens but never closes', '<ul><li>One<li><b>two', '- One\n- **two'],
  ['what closes but never opened', 'One</li></ul></p> two', 'One\n\n two'],
  ['addresses that no link may have', '<a href="javascript:no()">One</a> <a>two</a>', 'One two'],
  ['addresses with brackets', "<a href='https://example.org/a_(b)'>One</a>", '[One](https://example.org/a_%28b%29)'],
  ['links', '<a href="https://example.org/?a=1&amp;b=2">One</a>', '[One](https://example.org/?a=1&b=2)'],
  [
    'tables',
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a | b |\n|---|---|\n| 1 | 2 |',
  ],
  [
    'tables of paragraphs, bars and line ends',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th><p>b|c</p></th>\n</tr>\n</thead>\n<tbody><tr><td>1<br>2</td><td></td></tr></tbody></table>',
    '| a | b\\|c |\n|---|---|\n| 1<br>2 |  |',
  ],
  ['entities', '1 &lt; 2 &amp;&nbsp;3 &#8211; &#x41; &unknown;', '1 < 2 & 3 – A &unknown;'],
  ['nothing that runs', '<script>no()</script><style>no{}</style><!-- no -->yes<img onerror="no()">', 'yes'],
  ['what is no HTML', 'a < b > c', 'a < b > c'],
])('%s of HTML become Markdown', (_name, html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

test('code of which a line is a million blanks becomes Markdown', () => {
  expect(htmlToMarkdown(`<pre>${' '.repeat(1_000_000)}x</pre>`)).toMatch(/^```\n +x\n```$/);
});

test('a hundred thousand elements in each other become Markdown in bounded time', () => {
  for (const name of ['ul><li', 'blockquote', 'a href="https://a.org"', 'table><tr><td', 'code'])
    expect(htmlToMarkdown(`<${name}>`.repeat(100_000) + 'x')).toContain('x');
});

const word = fc.nat(999).map((number) => `w${number}`);
const line = fc
  .array(fc.tuple(fc.constantFrom('strong', 'code', 'em'), word), { minLength: 1, maxLength: 3 })
  .map((words) => words.map(([name, text]) => `<${name}>${text}</${name}>`).join(' '));
const { blocks } = fc.letrec<{ blocks: string; block: string; item: string }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n')),
  block: fc.oneof(
    { depthSize: 'medium' },
    line.map((text) => `<p>${text}</p>`),
    line.map((text) => `<h3>${text}</h3>`),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => `<pre><code>${all.join('\n\n  ')}\n</code></pre>`),
    fc.tuple(line, line).map(([one, two]) => `<table><tr><td>${one}</td><td><p>${two}</p></td></tr></table>`),
    fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('item'), { minLength: 1, maxLength: 3 }))
      .map(([name, items]) => `<${name}>\n${items.join('\n')}\n</${name}>`),
    tie('blocks').map((all) => `<blockquote>\n${all}\n</blockquote>`),
  ),
  item: fc.oneof(
    line.map((text) => `<li>${text}</li>`),
    fc.tuple(line, tie('blocks')).map(([text, all]) => `<li>\n<p>${text}</p>\n${all}\n</li>`),
  ),
}));

/** Returns each word of HTML with the elements around it. */
function placesIn(html: string): readonly string[] {
  const open: string[] = [];
  const places: string[] = [];
  for (const [, slash, tag = '', text = ''] of html.matchAll(/<(\/?)([a-z]+)[^>]*>|([^<]+)/g)) {
    for (const found of text.match(/w\d+/g) ?? []) places.push([...open, found].join('>'));
    if (!/^(?:[uo]l|li|blockquote|pre|table|strong|em)$/.test(tag)) continue;
    if (slash === '') open.push(tag);
    else open.splice(open.lastIndexOf(tag));
  }
  return places;
}

test('of any HTML each word keeps its place in lists, quotations, tables, code and emphasis', () => {
  fc.assert(
    fc.property(blocks, (html) => {
      expect(placesIn(markdownToHtml(htmlToMarkdown(html)))).toEqual(placesIn(html));
    }),
    { numRuns: 500 },
  );
});
