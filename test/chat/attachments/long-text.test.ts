import { expect, test } from 'vitest';
import { longTextOf, takeLongInsertion } from '../../../src/chat/attachments/long-text.ts';

const LONG = 'lorem '.repeat(1000);

/** A text field as far as the function uses it. */
function fieldWith(value: string) {
  const field = {
    value,
    selection: [0, 0],
    setSelectionRange: (start: number, end: number) => void (field.selection = [start, end]),
  };
  return field;
}

test.each([
  { name: 'at the beginning', before: 'tail', now: `${LONG}tail`, selection: [0, 0] },
  { name: 'at the end', before: 'head', now: `head${LONG}`, selection: [4, 4] },
  { name: 'in the middle', before: 'head tail', now: `head ${LONG}tail`, selection: [5, 5] },
  { name: 'in place of a selection', before: 'head old tail', now: `head ${LONG} tail`, selection: [5, 8] },
  { name: 'in an empty field', before: '', now: LONG, selection: [0, 0] },
  {
    name: 'between repeated letters',
    before: 'aaaa',
    now: `aa${'a'.repeat(6000)}aa`,
    selection: [4, 4],
    text: 'a'.repeat(6000),
  },
])('a long text inserted $name is taken out of the field', ({ before, now, selection, text = LONG }) => {
  const field = fieldWith(now);
  expect(takeLongInsertion(field as unknown as HTMLTextAreaElement, before)).toBe(text);
  expect(field.value).toBe(before);
  expect(field.selection).toEqual(selection);
});

test.each([
  { name: 'a key press in a long text', before: LONG, now: `${LONG}x` },
  { name: 'a short insertion', before: '', now: 'x'.repeat(4999) },
  { name: 'a deletion', before: LONG, now: '' },
])('$name stays in the field', ({ before, now }) => {
  const field = fieldWith(now);
  expect(takeLongInsertion(field as unknown as HTMLTextAreaElement, before)).toBeNull();
  expect(field.value).toBe(now);
});

const clipboard = (text: string) => ({ getData: () => text }) as unknown as DataTransfer;

test('only long texts of the clipboard become files', () => {
  expect(longTextOf(clipboard(LONG))).toBe(LONG);
  expect(longTextOf(clipboard('short'))).toBeNull();
  expect(longTextOf(null)).toBeNull();
});
