import { expect, test } from 'vitest';
import { EventStreamParser, fieldValues } from '../../../src/shared/http/event-stream-parser.ts';

const STREAM = ': comment\n\nevent: message\ndata: {"a":1}\ndata: two\nretry: 5\n\nid: 7\n\ndata: [DONE]\n\n';

test.each([1, 2, 3, 7, STREAM.length])('blocks are the same in chunks of %i characters', (length) => {
  const parser = new EventStreamParser();
  const chunks = Array.from({ length: Math.ceil(STREAM.length / length) }, (_, index) =>
    STREAM.slice(index * length, (index + 1) * length),
  );
  const blocks = chunks.flatMap((chunk) => parser.push(chunk));
  expect(blocks.map((block) => `${block}\n\n`).join('')).toBe(STREAM);
  expect(blocks).toHaveLength(4);
  expect(parser.rest).toBe('');
});

test('a carriage return before a line feed is dropped, also between two chunks', () => {
  const parser = new EventStreamParser();
  expect(parser.push('data: 1\r\n\r')).toEqual(['data: 1']);
  expect(parser.push('\ndata: 2\r\n\r\ndata')).toEqual(['data: 2']);
  expect(parser.rest).toBe('data');
});

test('a blank line split between chunks ends a block, and pending characters are counted', () => {
  for (const blank of ['\n\n', '\r\n\r\n', '\n\r\n']) {
    for (let at = 0; at <= blank.length; at += 1) {
      const parser = new EventStreamParser();
      const first = parser.push(`data: 1${blank.slice(0, at)}`);
      expect([...first, ...parser.push(`${blank.slice(at)}data: 2`)]).toEqual(['data: 1']);
      expect(parser.restLength).toBe('data: 2'.length);
    }
  }
});

test('a field has a value for each of its lines, without the first blank', () => {
  const [block = ''] = new EventStreamParser().push('event: message\ndata:  one\ndata:two\ndatabase: three\n\n');
  expect(fieldValues(block, 'data')).toEqual([' one', 'two']);
  expect(fieldValues(block, 'id')).toEqual([]);
});
