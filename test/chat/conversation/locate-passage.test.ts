import { expect, test } from 'vitest';
import { locatePassage } from '../../../src/chat/conversation/messages/locate-passage.ts';

const TEXT = `# Norway\n\n## Oslo\n\nThe harbour has two lighthouses.\n\nThe ferry leaves at two.\n${'more words '.repeat(2000)}`;

test.each([
  ['as it is', 'The harbour has two lighthouses.', ''],
  ['below its headings', 'Norway > Oslo\nThe harbour has two lighthouses.', 'Norway > Oslo'],
  [
    'below headings and the header of its table',
    'Norway\nLine | Departs\nThe ferry leaves at two.',
    'Norway\nLine | Departs',
  ],
  ['over several lines', 'Oslo\nThe harbour has two lighthouses.\n\nThe ferry leaves at two.', 'Oslo'],
])('a passage is found %s', (_, found, heading) => {
  const place = locatePassage(TEXT, found)!;
  expect(place).toMatchObject({ heading, isCutBefore: false, isCutAfter: true });
  expect(TEXT.startsWith(place.before + place.passage + place.after)).toBe(true);
  expect(found.endsWith(place.passage)).toBe(true);
  expect(TEXT.length - (place.before + place.passage + place.after).length).toBeGreaterThan(1000);
});

test('the text around a passage ends between words on both sides', () => {
  const place = locatePassage(`${'before '.repeat(3000)}Here it is. ${'after '.repeat(3000)}`, 'Here it is.')!;
  expect(place).toMatchObject({ isCutBefore: true, isCutAfter: true });
  expect(place.before).toMatch(/^before before/);
  expect(place.after).toMatch(/after after$/);
});

test.each([
  ['a passage that the text lacks', 'Nowhere'],
  ['an empty passage', ''],
  ['headings alone', 'A > B\n\n'],
])('%s has no place', (_, found) => expect(locatePassage(TEXT, found)).toBeNull());

test.each([
  ['Norway > Ferries', 0],
  ['Sweden > Ferries', 1],
  ['Another > Ferries', 0],
])('of two sections with the same text, the one below %s is found', (headings, section) => {
  const same = '## Ferries\n\nThey leave at two.\n\n';
  const text = `# Norway\n\n${same}# Sweden\n\n${same}`;
  const place = locatePassage(text, `${headings}\nThey leave at two.`)!;
  expect(place.heading).toBe(headings);
  expect(place.before.includes('Sweden')).toBe(section === 1);
});

test.each([
  ['One.', 1],
  ['Two.', 2],
  ['Three.\fFour', 3],
])('the page of %j is counted by form feeds', (passage, page) => {
  const { firstPage, before } = locatePassage('One.\fTwo.\fThree.\fFour.', passage)!;
  expect(firstPage! + before.split('\f').length - 1).toBe(page);
  expect(locatePassage('One. Two.', 'Two.')!.firstPage).toBeNull();
});
