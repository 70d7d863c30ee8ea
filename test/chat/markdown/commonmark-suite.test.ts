// @ts-expect-error -- The package has no types.
import suite from 'commonmark-spec';
import { expect, test } from 'vitest';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

interface Example {
  readonly number: number;
  /** An arrow stands for a tabulator. */
  readonly markdown: string;
  readonly html: string;
}

const { tests } = suite as { readonly tests: readonly Example[] };

/** The examples that are rendered otherwise, by reason. */
const DEVIATIONS: Readonly<Record<string, readonly number[]>> = {
  'HTML is shown as text': [
    21,
    31,
    201,
    308,
    309,
    344,
    475,
    476,
    477,
    491,
    494,
    524,
    536,
    613,
    614,
    615,
    616,
    617,
    623,
    625,
    626,
    627,
    628,
    629,
    630,
    631,
    642,
    643,
    ...Array.from({ length: 44 }, (_, index) => 148 + index),
  ],
  'the browser decodes names of characters': [25, 28, 30, 32, 33, 34, 503],
  'addresses without brackets are links': [602, 608, 611, 612],
  'brackets with backslashes are a formula': [12],
  'a definition is shown unless a link before it leads to its address, and a word is no address': [
    192, 193, 194, 195, 196, 198, 200, 202, 203, 204, 205, 206, 207, 208, 210, 215, 216, 217, 317, 537, 538, 541, 544,
    545, 550, 563, 564, 565, 567, 571, 592,
  ],
};

const BLOCK = 'p|ul|ol|li|blockquote|pre|h|hr|br';

/** Leaves out what a reader does not see: levels of headings, white space around lines, images, which become links. */
function normal(html: string): string {
  return html
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&nbsp;/g, '\u00a0')
    .replace(
      /<img src="([^"]*)" alt="([^"]*)"[^>]*>/g,
      (_image, address: string, text: string) => `<a href="${address}">Image: ${text || address}</a>`,
    )
    .replace(/<(\/?)h[1-6]>/g, '<$1h>')
    .replace(/<(br|hr) ?\/>/g, '<$1>')
    .replace(/(<code class="[^"]*") title="[^"]*"/g, '$1')
    .replace(/ class="language-"/g, '')
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(new RegExp(`\\s*(</?(?:${BLOCK})\\b[^>]*>)\\s*`, 'g'), '$1')
    .replace(/\s+<\/code>/g, '</code>')
    .trim();
}

const isRight = ({ markdown, html }: Example) =>
  normal(markdownToHtml(markdown.replaceAll('→', '\t'))) === normal(html.replaceAll('→', '\t'));

test('the examples of CommonMark 0.31.2 are rendered as it says, except the named ones', () => {
  expect(tests.length).toBe(652);
  const named = Object.values(DEVIATIONS)
    .flat()
    .toSorted((one, other) => one - other);
  expect(tests.filter((example) => !isRight(example)).map(({ number }) => number)).toEqual(named);
});

test('no HTML of the examples gets into the page, except tags without attributes that only mark text', () => {
  const allowed =
    /^<\/?(?:p|br|hr|ul|ol|li|blockquote|pre|code|h[1-6]|em|strong|a|b|i|u|s|sub|sup|kbd|mark|del|table|tr|td|th|thead|tbody)(?: (?:href|title|class|start)="[^"]*")*>$/;
  for (const { markdown } of tests) {
    const tags = markdownToHtml(markdown.replaceAll('→', '\t')).match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
  }
});
