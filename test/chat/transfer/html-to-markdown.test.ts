import { expect, test } from 'vitest';
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
  ['links', '<a href="https://example.org/?a=1&amp;b=2">One</a>', '[One](https://example.org/?a=1&b=2)'],
  [
    'tables',
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a | b |\n|---|---|\n| 1 | 2 |',
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
