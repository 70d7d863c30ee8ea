import { expect, test } from 'vitest';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const { messages } = GOOD_BODY;
const appWithDefault = (defaultModel: string) => createTestApp({ settings: { defaultModel } });

for (const [unnamed, body] of Object.entries({
  'names no model': { messages },
  'names null': { messages, model: null },
})) {
  test(`a request that ${unnamed} is answered by the site's default model, and refused where there is none`, async () => {
    const app = appWithDefault('org/seer');
    const answer = await app.chat(body);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    expect(app.service.completions[0]!.request).toMatchObject({ model: 'org/seer' });
    expect(await readError(await createTestApp().chat(body))).toMatchObject({ status: 400, param: 'model' });
  });
}

test('the default model needs a key, and does not replace an unknown model', async () => {
  const app = appWithDefault('pocket');
  const narrow = { headers: { authorization: 'Bearer narrow' } };
  expect(await readError(await app.chat({ messages }, narrow))).toMatchObject({ status: 404, code: 'model_not_found' });
  expect(await readError(await app.chat({ messages, model: '' }))).toMatchObject({ status: 400, param: 'model' });
  expect(await readError(await app.chat({ messages, model: 7 }))).toMatchObject({ status: 400, param: 'model' });
});
