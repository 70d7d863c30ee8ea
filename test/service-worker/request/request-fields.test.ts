import { describe, expect, test } from 'vitest';
import { FIELD_CASES, FIELDS_WITHOUT_EFFECT, type FieldCases } from '../support/field-cases.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const FIELDS = Object.entries<FieldCases>(FIELD_CASES);
const show = (value: unknown): string => JSON.stringify(value);

describe.each(FIELDS)('%s', (field, { accepted, refused }) => {
  test.each(accepted)('accepts $value beside $beside', async ({ value, becomes = {}, beside }) => {
    const request = await createTestApp().received({ ...beside, [field]: value });
    expect(request).toMatchObject(becomes);
  });

  test.each(refused)('rejects $value beside $beside as $code', async ({ value, code, param = field, beside }) => {
    const app = createTestApp();
    const error = await readError(await app.chat({ ...GOOD_BODY, ...beside, [field]: value }));
    expect(error).toMatchObject({
      status: code === 'model_not_found' ? 404 : 400,
      type: 'invalid_request_error',
      code,
      param,
    });
    expect(error.message).toContain(field.startsWith('model') ? 'model' : field);
    expect(app.service.completions, 'the engine has not been troubled').toEqual([]);
  });
});

const isRequired = ([, { fallback }]: (typeof FIELDS)[number]): boolean => fallback === null;

test.each(FIELDS.filter((row) => !isRequired(row)))('%s: null means absent', async (field, { fallback }) => {
  const app = createTestApp();
  expect(await app.received({ [field]: null })).toMatchObject(fallback!);
  expect(await app.received({})).toMatchObject(fallback!);
});

test.each(FIELDS.filter(isRequired))('%s is required', async (field) => {
  const app = createTestApp();
  const expected = { status: 400, code: 'missing_required_parameter', param: field };
  expect(await readError(await app.chat({ ...GOOD_BODY, [field]: null }))).toMatchObject(expected);
  expect(await readError(await app.chat({ ...GOOD_BODY, [field]: undefined }))).toMatchObject(expected);
});

test.each(FIELDS_WITHOUT_EFFECT)('%s has no effect, whatever its value', async (field) => {
  const app = createTestApp();
  const plain = await app.received({});
  for (const value of [null, 0, 'text', true, [1], { deep: [{ deeper: 'x' }] }]) {
    const response = await app.chat(`{"${field}":${show(value)},${show(GOOD_BODY).slice(1)}`);
    expect(response.status).toBe(200);
    expect(app.service.completions.at(-1)!.request).toEqual(plain);
  }
});

test.each([
  ['max_tokens', '5.0', { maxTokens: 5 }],
  ['max_tokens', '0.5e1', { maxTokens: 5 }],
  ['seed', '9007199254740993', { seed: 9007199254740992 }],
])('%s: %s is an integer', async (field, literal, becomes) => {
  const app = createTestApp();
  const response = await app.chat(`{"${field}":${literal},${show(GOOD_BODY).slice(1)}`);
  expect(response.status).toBe(200);
  expect(app.service.completions.at(-1)!.request).toMatchObject(becomes);
});

test.each([
  ['temperature', 'decimal_above_max_value'],
  ['repetition_penalty', 'decimal_above_max_value'],
  ['seed', 'invalid_type'],
  ['max_tokens', 'invalid_type'],
])('%s: a number too large for any computer is refused', async (field, code) => {
  const response = await createTestApp().chat(`{"${field}":1e999,${show(GOOD_BODY).slice(1)}`);
  expect(await readError(response)).toMatchObject({ code, param: field });
});

test.each([
  ['1e999', 'decimal_above_max_value', 'at most 1.79'],
  ['-1e999', 'decimal_below_min_value', 'at least -1.79'],
])('keep_alive: %s is refused with the bound that it exceeds', async (literal, code, bound) => {
  const response = await createTestApp().chat(`{"keep_alive":${literal},${show(GOOD_BODY).slice(1)}`);
  expect(await readError(response)).toMatchObject({ code, message: expect.stringContaining(bound) });
});

test('of several invalid fields the first in the table is reported', async () => {
  const app = createTestApp();
  const names = FIELDS.filter(([, { refused }]) =>
    refused.some(({ beside }) => Object.keys(beside ?? {}).length === 0),
  );
  const wrong = Object.fromEntries(
    names.map(([name, { refused }]) => [
      name,
      refused.find(({ beside }) => Object.keys(beside ?? {}).length === 0)!.value,
    ]),
  );
  // In reverse, so that the order of the body cannot decide.
  const body = Object.fromEntries(Object.entries({ ...GOOD_BODY, ...wrong }).toReversed());
  for (const [name] of names) {
    const { param } = await readError(await app.chat(body));
    expect(param?.split(/[.[]/)[0]).toBe(name);
    if (name in GOOD_BODY) body[name] = GOOD_BODY[name as keyof typeof GOOD_BODY];
    else delete body[name];
  }
  expect((await app.chat(body)).status).toBe(200);
});

test('a value is shown shortened to 100 characters', async () => {
  const { message } = await readError(await createTestApp().chat({ ...GOOD_BODY, model: 'm'.repeat(5000) }));
  expect(message).toContain(`${'m'.repeat(99)}…`);
  expect(message).not.toContain('m'.repeat(100));
});
