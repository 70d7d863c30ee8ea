import { expect, onTestFinished, test } from 'vitest';
import { ChaosUpstream, UPSTREAM_MODEL } from './chaos-upstream.ts';
import { APIS } from './judge/apis/apis.ts';

const { path, streaming, readJson, readStream } = APIS['upstream completions'];

async function start(): Promise<{ upstream: ChaosUpstream; ask: (fields: object) => Promise<Response> }> {
  const upstream = await ChaosUpstream.start();
  onTestFinished(() => upstream.close());
  const address = upstream.option.baseUrl + path.slice('/v1'.length);
  const ask = (fields: object) =>
    fetch(address, { method: 'POST', body: JSON.stringify({ model: UPSTREAM_MODEL, ...fields }) });
  return { upstream, ask };
}

test('the upstream answers with and without a stream as the API describes, and counts what it is sending', async () => {
  const { upstream, ask } = await start();
  const whole = readJson(await (await ask({})).text());
  const response = await ask({ ...streaming });
  expect(upstream.answering).toBe(1);
  const streamed = readStream(await response.text());
  expect(streamed).toEqual({ ...whole, id: streamed.id });
  expect([whole.disorder, streamed.ended, upstream.answering]).toEqual([null, true, 0]);
});

test('an upstream that is away breaks its answers, and accepts no request until it is back', async () => {
  const { upstream, ask } = await start();
  const broken = await ask({ ...streaming });
  const ends = [upstream.goAway(), upstream.goAway()];
  await expect(broken.text()).rejects.toThrow('terminated');
  for (const comeBack of ends) {
    await expect(ask({})).rejects.toThrow('fetch failed');
    comeBack();
  }
  expect((await ask({})).status).toBe(200);
});
