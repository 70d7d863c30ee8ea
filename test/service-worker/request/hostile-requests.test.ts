import { describe, expect, test } from 'vitest';
import { FIELD_CASES } from '../support/field-cases.ts';
import { answerIn } from '../support/scripted-service.ts';
import { readError } from '../support/read-error.ts';
import { readEventStream } from '../support/read-event-stream.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

/** A valid body with one more property as JSON text: `JSON.stringify` cannot write some values. */
const bodyWith = (member: string, fields: object = GOOD_BODY): string =>
  `${JSON.stringify(fields).slice(0, -1)},${member}}`;
const LEVELS = 200_000;
const DEEP = {
  arrays: `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`,
  objects: `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`,
};

describe.each(Object.entries(DEEP))(`%s nested ${LEVELS} levels deep`, (_name, deep) => {
  const PLACES = [
    ...[...Object.keys(FIELD_CASES), 'unknown', 'metadata'].map((field) => `"${field}":${deep}`),
    `"messages":[{"role":"user","content":${deep}}]`,
    `"messages":[{"role":"user","content":[{"type":"text","text":${deep}}]}]`,
    `"messages":[{"role":"assistant","tool_calls":${deep}}]`,
    `"tools":[{"type":"function","function":{"name":"f","parameters":{"default":${deep}}}}]`,
    `"tools":[{"type":"function","function":{"name":"f","parameters":${deep}}}]`,
    `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"enum":[${deep}]}}}`,
    `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":${deep}}}`,
  ];

  test.each(PLACES.map((member) => [member.slice(0, 90), member]))(
    '%s… has no effect on other requests',
    async (_start, member) => {
      const app = createTestApp();
      const response = await app.chat(bodyWith(member));
      expect([200, 400]).toContain(response.status);
      expect((await response.text()).length).toBeLessThan(1500);
      expect((await app.chat(GOOD_BODY)).status).toBe(200);
    },
  );

  test('as the whole body it is rejected', async () => {
    const response = await createTestApp().chat(deep);
    expect(response.status).toBe(400);
  });
});

/** `__proto__` and the other inherited properties of objects. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

describe.each(INHERITED)('the name %s', (name) => {
  test('a field of this name is ignored as unknown', async () => {
    const app = createTestApp();
    const plain = await app.received({});
    const poison = '{"model":"org/seer","temperature":2,"stream":true,"max_tokens":1}';
    expect((await app.chat(bodyWith(`"${name}":${poison}`))).headers.get('content-type')).toBe('application/json');
    expect(app.service.completions.at(-1)!.request).toEqual(plain);
    await app.chat(`{"model":"pocket","messages":[{"role":"user","content":"Hi","${name}":{"content":"Other"}}]}`);
    expect(app.service.completions.at(-1)!.request).toEqual(plain);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(INHERITED);
    expect(({} as { model?: unknown }).model).toBeUndefined();
  });

  test.each([
    ['model', 404],
    ['stop', 200],
    ['temperature', 400],
    ['reasoning_effort', 400],
    ['tool_choice', 400],
  ])('is no known value of %s', async (field, status) => {
    expect((await createTestApp().chat({ ...GOOD_BODY, [field]: name })).status).toBe(status);
  });

  test.each([
    `"response_format":{"type":"${name}"}`,
    `"logit_bias":{"${name}":1}`,
    `"tools":[{"type":"${name}","function":{"name":"f"}}]`,
    `"messages":[{"role":"${name}","content":"Hi"}]`,
    `"messages":[{"role":"user","content":[{"type":"${name}","text":"Hi"}]}]`,
    `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"${name}"}}}`,
    `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"$ref":"#/${name}"}}}`,
  ])('is not mistaken for a known value in %s', async (member) => {
    expect((await createTestApp().chat(bodyWith(member))).status).toBe(400);
  });

  test('is an ordinary tool, property and unknown keyword', async () => {
    const app = createTestApp();
    const schema = `{"type":"object","${name}":1,"properties":{"${name}":{"type":"string"}},"required":["${name}"]}`;
    const tool = `{"type":"function","function":{"name":"${name}","parameters":${schema}}}`;
    const choice = `{"type":"function","function":{"name":"${name}"}}`;
    const response = await app.chat(bodyWith(`"tools":[${tool}],"tool_choice":${choice}`));
    expect(await response.json()).not.toHaveProperty('error');
    const { tools, toolChoice } = app.service.completions.at(-1)!.request;
    expect(toolChoice).toEqual({ name });
    expect(JSON.stringify(tools)).toBe(`[{"name":"${name}","description":null,"parameters":${schema}}]`);
  });

  test('no key and no model have this name', async () => {
    const app = createTestApp();
    expect((await app.send('/models', { headers: { authorization: `Bearer ${name}` } })).status).toBe(401);
    expect((await app.send(`/models/${name}`)).status).toBe(404);
  });
});

const TEXTS = {
  'line breaks': 'x\r\nset-cookie: a=b\r\n\r\ndata: [DONE]\n\n',
  'a line separator': 'x\u2028data: [DONE]\u2029',
  NUL: 'x\0y',
  'half a character': 'x\ud800y\udc00',
  'a character cut in half': '\u{1f600}'.repeat(80),
  'a byte order mark': '\ufeffx',
  'a reversed text': '\u202egnp.exe',
  markup: '</script><img src=x onerror=attacked()>"\'`${attacked()}',
};

describe.each(Object.entries(TEXTS))('%s', (_name, text) => {
  test('in a repeated value of an error, changes neither headers nor form of the answer', async () => {
    const app = createTestApp();
    const usual = await app.chat({ ...GOOD_BODY, model: 'nobody' });
    for (const response of [
      await app.chat({ ...GOOD_BODY, model: text }),
      await app.send(`/models/${encodeURIComponent(Buffer.from(text).toString())}`),
    ]) {
      expect([...response.headers.keys()]).toEqual([...usual.headers.keys()]);
      expect(response.headers.get('content-type')).toBe('application/json');
      const { message } = await readError(response);
      expect(message, 'control characters and half ones are written out').not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
      expect(message).not.toContain('\\ud83d');
    }
  });

  test('in a question and in an answer is transmitted unchanged, in JSON and in a stream', async () => {
    const app = createTestApp();
    app.service.play(answerIn(text, text));
    const messages = [{ role: 'user', content: text }];
    const whole = (await (await app.chat({ ...GOOD_BODY, messages })).json()) as {
      choices: { message: { content: string } }[];
    };
    expect(app.service.completions.at(-1)!.request.messages).toEqual(messages);
    expect(whole.choices[0]!.message.content).toBe(text + text);
    const { chunks, done } = await readEventStream(await app.chat({ ...GOOD_BODY, messages, stream: true }));
    expect(done).toBe(true);
    const pieces = chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '');
    expect(pieces.join('')).toBe(text + text);
  });
});

const NUMBERS = ['1e400', '-1e400', '1e-400', '-0', '123456789012345678901234567890', '9'.repeat(100_000)];

test.each(['temperature', 'top_p', 'presence_penalty', 'repetition_penalty', 'max_tokens', 'n', 'seed'])(
  '%s takes a number of any size, or refuses it with a finite bound in the message',
  async (field) => {
    for (const number of NUMBERS) {
      const app = createTestApp();
      const response = await app.chat(bodyWith(`"${field}":${number}`));
      if (response.status === 200) continue;
      const error = await readError(response);
      expect(error).toMatchObject({ status: 400, param: field });
      expect(error.message.split(', but')[0]).not.toContain('Infinity');
      expect(app.service.completions).toEqual([]);
    }
  },
);
