import { createTestApp, GOOD_BODY } from './test-app.ts';

/**
 * Sends inputs that make careless regular expressions backtrack: repeated pieces of their syntax, in every field and
 * header that a regular expression of ours reads. Prints the number of responses and of 5xx among them. A separate
 * process, because a process cannot stop its own endless regular expression.
 */

/** Number of characters that a linear regular expression reads in less than a second. */
const LONG = 500_000;
/** The maximum length of a pattern. */
const SHORT = 9_900;

const PIECES = [' ', '\n', '\0', '\u{1f600}', '\ud800'].concat(
  String.raw`( ) [ ] | \ \\ { } * + ? . - ^ $ a 1 (?: (?< (?<a> (? (?= (?<! (| |) a|`.split(' '),
  String.raw`\[ \] \w \p \1 \k<a> (?<\u0061> a* (a+)+ (a|a)* a{1,1000} [a] [^] [] [a-`.split(' '),
);
const pump = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length));
const pairs = (length: number): string[] =>
  PIECES.flatMap((one) => PIECES.map((other) => pump(one, length / 2) + pump(other, length / 2)));
/**
 * Deeply nested groups with back references. For each reference a parser walks up the groups: without a limit this
 * takes an hour.
 */
const nested = ['(', '(?:', '(?<a>'].flatMap((group) =>
  ['\\1', '\\k<a>'].map((reference) => pump(group, 5_000_000) + pump(reference, 5_000_000)),
);
const singles = PIECES.map((piece) => pump(piece, LONG));
const PATTERNS = [...singles, ...nested, ...pairs(SHORT), ...singles.map((text) => `[${text.slice(0, SHORT)}]`)];

const HEADER_PUMPS = [' ', '\t', 'a', '+json', '/', ';', 'a/', '+', 'Bearer ', ' a', ',', '1', '.'];

const app = createTestApp();
let answered = 0;
let broken = 0;
async function count(sending: Promise<Response>): Promise<void> {
  const response = await sending;
  await response.body?.cancel();
  answered += 1;
  if (response.status >= 500) broken += 1;
}

const format = (schema: object): object => ({
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
});
for (const pattern of PATTERNS) {
  await count(app.chat({ ...GOOD_BODY, ...format({ type: 'string', pattern }) }));
}
for (const text of singles) {
  const tool = { type: 'function', function: { name: text, parameters: { patternProperties: { [text]: true } } } };
  const called = { id: text, function: { name: text, arguments: text } };
  for (const fields of [
    { model: text },
    { tools: [tool] },
    { tools: [{ ...tool, function: { ...tool.function, name: 'f' } }] },
    { logit_bias: { [text]: 1 } },
    { stop: text },
    format({ properties: { [text]: true }, required: [text], $ref: `#/${text}` }),
    { messages: [{ role: text, content: text }] },
    { messages: [{ role: 'assistant', content: text, tool_calls: [called] }] },
    { model: 'org/seer', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: text }] }] },
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: `data:image/${text}` }] }] },
  ]) {
    await count(app.chat({ ...GOOD_BODY, ...fields }));
  }
  await count(app.send(`/models/${text}`));
}
for (const piece of HEADER_PUMPS) {
  const text = pump(piece, LONG);
  for (const value of [
    `x${text}x`,
    `Bearer ${text}x y`,
    `application/json${text}x`,
    `a/${text}x`,
    `a/x+json${text}x`,
  ]) {
    await count(app.chat(GOOD_BODY, { headers: { authorization: value } }));
    await count(app.chat(GOOD_BODY, { headers: { 'content-type': value } }));
    await count(app.chat(GOOD_BODY, { headers: { 'x-stainless-timeout': value } }));
  }
}
console.log(JSON.stringify({ answered, broken }));
