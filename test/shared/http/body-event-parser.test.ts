import { expect, test } from 'vitest';
import { BodyEventParser, type BodyForm } from '../../../src/shared/http/body-event-parser.ts';

test.each<[name: string, body: string, form: BodyForm, blocks: readonly string[]]>([
  ['events', 'data: {"a":1}\n\nid: 7\ndata: two\n\n', 'events', ['data: {"a":1}', 'id: 7\ndata: two']],
  ['events after a comment', ': hello\n\ndata: 1\n\n', 'events', [': hello', 'data: 1']],
  ['an event without a blank line at the end', 'data: 1\n\ndata: 2', 'events', ['data: 1', 'data: 2']],
  ['one JSON document', '{"a":1}', 'json', ['data: {"a":1}']],
  ['a JSON document of several lines', ' \n{\n  "a": {\n    "b": 1\n  }\n}\n', 'json', ['data: {"a":{"b":1}}']],
  ['JSON lines', '{"a":1}\n{"a":2}\n\n{"a":3}', 'json', ['data: {"a":1}', 'data: {"a":2}', 'data: {"a":3}']],
  ['a JSON list', '[{"a":1},\n{"a":2}]', 'json', ['data: {"a":1}', 'data: {"a":2}']],
  ['JSON that breaks off', '{"a":1}\n{"a":', 'json', ['data: {"a":1}', 'data: {"a":']],
  ['other text', 'Good day\n\nBye', 'text', ['data: Good day\ndata: \ndata: Bye']],
  ['a page', '<!doctype html>\n<p>', 'text', ['data: <!doctype html>\ndata: <p>']],
  ['text that begins like a field', 'date: today', 'text', ['data: date: today']],
])('a body of %s has these blocks, in chunks of any length', (_name, body, form, blocks) => {
  for (const length of [1, 3, 1000]) {
    const parser = new BodyEventParser();
    const read = (body.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []).flatMap((text) => parser.push(text));
    expect([...read, ...parser.end()].filter((block) => block !== '')).toEqual(blocks);
    expect(parser.form).toBe(form);
  }
});

test('an empty body has no form and no blocks', () => {
  const parser = new BodyEventParser();
  expect([...parser.push(''), ...parser.push(' \n'), ...parser.end()]).toEqual([]);
  expect(parser.form).toBeNull();
});
