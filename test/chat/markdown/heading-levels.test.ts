import { expect, test } from 'vitest';
import { HeadingLevels } from '../../../src/chat/markdown/heading-levels.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

test.each([
  { written: [1, 2, 3], shown: [2, 3, 4] },
  { written: [3], shown: [2] },
  { written: [2, 4, 4, 2], shown: [2, 3, 3, 2] },
  { written: [3, 4, 1, 3, 2], shown: [2, 3, 2, 3, 3] },
  { written: [1, 6, 5, 6], shown: [2, 3, 3, 4] },
  { written: [1, 2, 3, 4, 5, 6], shown: [2, 3, 4, 5, 6, 6] },
])('headings of the depths $written get the levels $shown, and none is skipped', ({ written, shown }) => {
  const levels = new HeadingLevels();
  expect(written.map((depth) => levels.next(depth))).toEqual(shown);
});

test('heading levels continue across the blocks of an answer, and a provisional rendering does not change them', () => {
  const levels = new HeadingLevels();
  const draw = (text: string, among = levels) => markdownToHtml(text, undefined, among).match(/(?<=<h)\d/g);
  expect(draw('### Steps\n\n> #### In a quotation')).toEqual(['2', '3']);
  expect(draw('# Unfinish', levels.copy())).toEqual(['2']);
  expect(draw('#### Next')).toEqual(['3']);
});
