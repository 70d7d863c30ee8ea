import { expect, test } from 'vitest';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

const compact = (html: string): string => html.replace(/\n/g, '');

/** The cases of GitHub Flavored Markdown's five extensions (github.github.com/gfm), in words of our own. */
test.each([
  [
    '| a | b |\n| - | - |\n| c | d |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>',
  ],
  [
    '| a | bc |\n:-: | -----------:\nd | e',
    '<table><thead><tr><th align="center">a</th><th align="right">bc</th></tr></thead><tbody><tr><td align="center">d</td><td align="right">e</td></tr></tbody></table>',
  ],
  [
    '| a\\|b |\n| - |\n| `c\\|d` **e\\|f** |',
    '<table><thead><tr><th>a|b</th></tr></thead><tbody><tr><td><code>c|d</code> <strong>e|f</strong></td></tr></tbody></table>',
  ],
  ['| a |\n| - |\n> b', '<table><thead><tr><th>a</th></tr></thead></table><blockquote><p>b</p></blockquote>'],
  [
    '| a | b |\n| - | - |\n| c |\nd\n\ne',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td></td></tr><tr><td>d</td><td></td></tr></tbody></table><p>e</p>',
  ],
  ['| a | b |\n| - |\n| c |', '<p>| a | b || - || c |</p>'],
  [
    '| a | b |\n| - | - |\n| c |\n| d | e |',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td></td></tr><tr><td>d</td><td>e</td></tr></tbody></table>',
  ],
  ['| a | b |\n| - | - |', '<table><thead><tr><th>a</th><th>b</th></tr></thead></table>'],
  ['- [ ] a\n- [x] b', '<ul><li class="task">☐ a</li><li class="task">☑ b</li></ul>'],
  ['- [x] a\n  - [ ] b', '<ul><li class="task">☑ a<ul><li class="task">☐ b</li></ul></li></ul>'],
  ['~~a~~ b', '<p><del>a</del> b</p>'],
  ['This ~~has a\n\nnew paragraph~~.', '<p>This ~~has a</p><p>new paragraph~~.</p>'],
  ['No ~~~a~~~', '<p>No ~~~a~~~</p>'],
  ['www.example.org', '<p><a href="http://www.example.org">www.example.org</a></p>'],
  ['See www.example.org/a.', '<p>See <a href="http://www.example.org/a">www.example.org/a</a>.</p>'],
  [
    'www.example.org/a?b=c(d)) (www.example.org/a?b=c(d))',
    '<p><a href="http://www.example.org/a?b=c(d)">www.example.org/a?b=c(d)</a>) (<a href="http://www.example.org/a?b=c(d)">www.example.org/a?b=c(d)</a>)</p>',
  ],
  ['www.example.org/a?b=(c))+d', '<p><a href="http://www.example.org/a?b=(c))+d">www.example.org/a?b=(c))+d</a></p>'],
  ['www.example.org/a?b=c&gt;', '<p><a href="http://www.example.org/a?b=c">www.example.org/a?b=c</a>&gt;</p>'],
  ['www.example.org/a<b', '<p><a href="http://www.example.org/a">www.example.org/a</a>&lt;b</p>'],
  [
    'http://example.org and https://example.org/?a=b.',
    '<p><a href="http://example.org">http://example.org</a> and <a href="https://example.org/?a=b">https://example.org/?a=b</a>.</p>',
  ],
  ['a+b@c.example not a@b+c', '<p><a href="mailto:a+b@c.example">a+b@c.example</a> not a@b+c</p>'],
  ['a.b-c_d@e.f.', '<p><a href="mailto:a.b-c_d@e.f">a.b-c_d@e.f</a>.</p>'],
  ['<strong>a</strong> <title> <em>b</em>', '<p><strong>a</strong> &lt;title&gt; <em>b</em></p>'],
])('renders %j as GitHub does', (markdown, html) => expect(compact(markdownToHtml(markdown))).toBe(html));
