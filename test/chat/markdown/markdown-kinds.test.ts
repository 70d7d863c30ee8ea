import { expect, test } from 'vitest';
import { BlockSplitter } from '../../../src/chat/markdown/block-splitter.ts';
import { completeHalfWrittenTable } from '../../../src/chat/markdown/half-written-table.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

/** Returns the HTML of a text, block by block as an answer is rendered, without line feeds between elements. */
function htmlOf(markdown: string): string {
  const splitter = new BlockSplitter();
  splitter.update(markdown);
  splitter.finish();
  const html = splitter.settled.map((block) => markdownToHtml(block, splitter.definitions)).join('');
  return html.replace(/>\n+/g, '>').replace(/\n+</g, '<');
}

test.each([
  ['见 https://example.org/a，然后', ['https://example.org/a']],
  ['请看https://example.org/路径。好', ['https://example.org/路径']],
  ['(https://example.org/a)、次', ['https://example.org/a']],
  ['https://example.org/?q=1）后', ['https://example.org/?q=1']],
  ['www.example.org，和', ['www.example.org']],
  ['「https://example.org/a」と《https://example.org》', ['https://example.org/a', 'https://example.org']],
  ['“https://example.org/a”说', ['https://example.org/a']],
  ['ดู https://example.org/a… ต่อ', ['https://example.org/a']],
  ['انظر https://example.org/a، ثم https://example.org/b؟', ['https://example.org/a', 'https://example.org/b']],
  ['देखें https://example.org/a। फिर', ['https://example.org/a']],
  ['看https://example.org/a｜https://example.org/b', ['https://example.org/a', 'https://example.org/b']],
  ['https://example.org/a　次', ['https://example.org/a']],
  ['https://ja.example.org/wiki/ジョン・スミス', ['https://ja.example.org/wiki/ジョン・スミス']],
  ['https://example.org/a——这', ['https://example.org/a']],
  ['＜https://example.org/a＞です', ['https://example.org/a']],
  ['https://example.org/a→b', ['https://example.org/a']],
  ['https://example.org/a_(b)', ['https://example.org/a_(b)']],
  ['邮箱a@example.org，谢谢', ['a@example.org']],
  ['https://example.org/a,b;c', ['https://example.org/a,b;c']],
  ['https://example.org에서 또는 www.example.org:80을', ['https://example.org', 'www.example.org:80']],
  ['访问https://example.org获取更多 or https://a.example.orgを参照', ['https://example.org', 'https://a.example.org']],
  ['ที่https://example.orgครับ', ['https://example.org']],
  [
    'https://www.exämple.org/a and https://www.mail日本.org/a',
    ['https://www.exämple.org/a', 'https://www.mail日本.org/a'],
  ],
])('ends the addresses in %j', (markdown, addresses) => {
  const found = [...htmlOf(markdown).matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, text]) => text);
  expect(found).toEqual(addresses);
});

test.each([
  ['the $n$th item', ['$n$']],
  ['all $p$s and $q$s', ['$p$', '$q$']],
  ['the $i$th and $(i+1)$st', ['$i$', '$(i+1)$']],
  ['$2$nd, $3$rd', ['$2$', '$3$']],
  ['$k$NN and $n$grams', ['$k$', '$n$']],
  ['two $x$es', ['$x$']],
  ['das $n$te Element', ['$n$']],
  ['an $O(n)$ish bound', ['$O(n)$']],
  ['US$5 for the $n$th', ['$n$']],
  ['$5 and $6', []],
  ['$20s and $30s', []],
  ['$5M and $10M', []],
  ['$HOME/$s', []],
  ['$a:$s', []],
  ['10$s and 20$s', []],
  ['$PATH$PATH', []],
  ['$HOME$D', []],
])('finds the formulas before endings in %j', (markdown, formulas) => {
  const found = [...htmlOf(markdown).matchAll(/<code class="formula">([^<]*)<\/code>/g)].map(([, text]) => text);
  expect(found).toEqual(formulas);
});

test.each([
  ['a footnote', 'Text[^1].\n\n[^1]: Note *here*.', '<p>Text<sup>1</sup>.</p><p><sup>1</sup> Note <em>here</em>.</p>'],
  ['a footnote of one word', 'Text[^1].\n\n[^1]: Word', '<p>Text<sup>1</sup>.</p><p><sup>1</sup> Word</p>'],
  ['a footnote with a name', 'A[^src] b.\n\n[^src]: C', '<p>A<sup>src</sup> b.</p><p><sup>src</sup> C</p>'],
  ['a footnote of two paragraphs', '[^1]: One\n\n    Two\n\nAfter', '<p><sup>1</sup> One</p><p>Two</p><p>After</p>'],
  ['neighbouring footnotes', '[^1]: A\n[^2]: B', '<p><sup>1</sup> A</p><p><sup>2</sup> B</p>'],
  ['a footnote below a paragraph', 'A[^1]\n[^1]: B', '<p>A<sup>1</sup></p><p><sup>1</sup> B</p>'],
  ['a named footnote whose note is missing', 'A[^smith-2020], b.', '<p>A<sup>smith-2020</sup>, b.</p>'],
  ['footnotes in a row', 'A.[^one][^two]', '<p>A.<sup>one</sup><sup>two</sup></p>'],
  [
    'footnotes without notes yet in other scripts',
    'हिन्दी[^1] है।[^2] ที่[^3] 真的吗？[^4] حقا؟[^5]',
    '<p>हिन्दी<sup>1</sup> है।<sup>2</sup> ที่<sup>3</sup> 真的吗？<sup>4</sup> حقا؟<sup>5</sup></p>',
  ],
  ['a class behind a word', 'Use a[^bcd]* or q[^u]', '<p>Use a[^bcd]* or q[^u]</p>'],
  ['a class of a regular expression', 'Use [^abc] or [^a-z].', '<p>Use [^abc] or [^a-z].</p>'],
  [
    'details',
    '<details>\n<summary>More</summary>\n\nhidden *text*\n\n</details>\n\nAfter',
    '<details><summary>More</summary><p>hidden <em>text</em></p></details><p>After</p>',
  ],
  [
    'open details',
    '<details open><summary>T</summary>x</details>',
    '<details open><summary>T</summary><p>x</p></details>',
  ],
  ['details without a summary', '<details>\nx\n</details>', '<details><p>x</p></details>'],
  [
    'details in details',
    '<details><summary>A</summary>\n\n<details><summary>B</summary>\n\nx\n\n</details>\n\ny\n\n</details>',
    '<details><summary>A</summary><details><summary>B</summary><p>x</p></details><p>y</p></details>',
  ],
  [
    'details that are not closed',
    '<details>\n<summary>A</summary>\n\nx',
    '<details open><summary>A</summary><p>x</p></details>',
  ],
  [
    'details with code',
    '<details>\n<summary>`a`</summary>\n\n```js\nb\n```\n\n</details>',
    '<details><summary><code>a</code></summary><pre><code class="language-js">b</code></pre></details>',
  ],
  [
    'details with attributes, which are left out',
    '<details ontoggle="a()" open="" class="x"><summary class="y">x</summary></details>',
    '<details open><summary>x</summary></details>',
  ],
  [
    'details with tags in code',
    '<details>\n\nUse `</details>`:\n\n```html\n<details>\n</details></details>\n```\n\n</details>\n\nAfter',
    '<details><p>Use <code>&lt;/details&gt;</code>:</p><pre><code class="language-html">&lt;details&gt;\n&lt;/details&gt;&lt;/details&gt;</code></pre></details><p>After</p>',
  ],
  [
    'an alert',
    '> [!NOTE]\n> Useful.',
    '<blockquote class="alert note"><p class="title">Note</p><p>Useful.</p></blockquote>',
  ],
  [
    'an alert in small letters, with its text in the same line',
    '> [!warning] Hot\n> *water*',
    '<blockquote class="alert warning"><p class="title">Warning</p><p>Hot<em>water</em></p></blockquote>',
  ],
  [
    'an alert with a list',
    '> [!TIP]\n>\n> - a',
    '<blockquote class="alert tip"><p class="title">Tip</p><ul><li>a</li></ul></blockquote>',
  ],
  [
    'a callout of Obsidian',
    '> [!question]- Why?\n> *x*',
    '<blockquote class="alert note"><p class="title">Question</p><p>Why?<em>x</em></p></blockquote>',
  ],
  [
    'a danger of Obsidian',
    '> [!DANGER]\n> x',
    '<blockquote class="alert caution"><p class="title">Danger</p><p>x</p></blockquote>',
  ],
  [
    'a table with bars in formulas',
    '| a | b |\n|---|---|\n| $|x|$ | \\(|y|\\) |\n\nAfter',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code class="formula">$|x|$</code></td><td><code class="formula">\\(|y|\\)</code></td></tr></tbody></table><p>After</p>',
  ],
  ['a quotation of another mark', '> [!custom] x', '<blockquote><p>[!custom] x</p></blockquote>'],
  [
    'a definition list',
    'Apple\n: Fruit\n: *Company*\n\nOrange\n: Fruit',
    '<dl><dt>Apple</dt><dd>Fruit</dd><dd><em>Company</em></dd></dl><dl><dt>Orange</dt><dd>Fruit</dd></dl>',
  ],
  ['a definition of two lines', 'A\n: one\n  two', '<dl><dt>A</dt><dd>one\ntwo</dd></dl>'],
  ['a definition of a bold term', '**A**\n: one', '<dl><dt><strong>A</strong></dt><dd>one</dd></dl>'],
  ['a definition of code', '`a`\n: one', '<dl><dt><code>a</code></dt><dd>one</dd></dl>'],
  ['a number in brackets that is no footnote', 'A regex [^0] or [^1]', '<p>A regex [^0] or [^1]</p>'],
  ['a link whose text looks like a footnote', 'a[^1](https://x.org)', '<p>a<a href="https://x.org">^1</a></p>'],
  ['a line that begins with a colon', 'One\ntwo\n: three', '<p>One\ntwo\n: three</p>'],
  ['an emoji', ':smile: 👨‍👩‍👧', '<p>:smile: 👨‍👩‍👧</p>'],
  ['bold joined emoji', '**👨‍👩‍👧** and *🏳️‍🌈*', '<p><strong>👨‍👩‍👧</strong> and <em>🏳️‍🌈</em></p>'],
  ['a diagram', '```mermaid\ngraph TD\n```', '<pre><code class="language-mermaid">graph TD</code></pre>'],
  [
    'a block without a language that contains one with a language',
    '```\n# Title\n```bash\nls\n```\nEnd\n```\n\nAfter',
    '<pre><code class="language-"># Title\n```bash\nls\n```\nEnd</code></pre><p>After</p>',
  ],
  [
    'a block without a language that is never closed, below which the text goes on',
    '```\n# Title\n```bash\nls\n```\n\nThat is all.',
    '<pre><code class="language-"># Title\n```bash\nls</code></pre><p>That is all.</p>',
  ],
  [
    'a block of Markdown that is never closed',
    '```md\n# Title\n```bash\nls\n```\nEnd',
    '<pre><code class="language-md"># Title\n```bash\nls\n```\nEnd</code></pre>',
  ],
  [
    'a block of text that contains two others',
    '```text\n```js\na\n```\n```py\nb\n```\n```',
    '<pre><code class="language-text">```js\na\n```\n```py\nb\n```</code></pre>',
  ],
  ['escaped brackets', '\\[not a link](x) and *y*', '<p>[not a link](x) and <em>y</em></p>'],
  [
    'the description of an image',
    '![a *b*](https://example.org/c.png)',
    '<p><a href="https://example.org/c.png">Image: a b</a></p>',
  ],
])('renders %s', (_name, markdown, html) => expect(htmlOf(markdown)).toBe(html));

test.each([
  ['| a | b |', '| a | b |\n| --- | --- |'],
  ['| a | b', '| a | b\n| --- | --- |'],
  ['| a | b |\n', '| a | b |\n| --- | --- |'],
  ['| a | b |\n|--', '| a | b |\n| --- | --- |'],
  ['| a | b |\n| :-', '| a | b |\n| --- | --- |'],
  ['\n| a \\| b | c |\n|-', '\n| a \\| b | c |\n| --- | --- |'],
  ['| a |', '| a |\n| --- |'],
])('a growing answer shows a table from %j on', (text, table) => expect(completeHalfWrittenTable(text)).toBe(table));

test.each([
  '',
  '|',
  '| ',
  'a | b',
  'Text\n| a | b |',
  '| a | b |\n|---|---|',
  '| a | b |\n|:--|--:|\n| 1',
  '| a | b |\ntext',
  '```\n| a | b |',
  '    | a | b |',
])('is no half-written table: %j', (text) => expect(completeHalfWrittenTable(text)).toBe(text));
