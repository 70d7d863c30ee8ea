import { expect, test } from '@playwright/test';
import { localModels } from '../../../src/command-line/local-models.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { pageStatus, reachState } from '../../support/pages/site-page.ts';
import { openControlled } from '../../support/pages/site-page.ts';
import { serveDist } from '../../support/sites/test-site.ts';

/** The model of `npm run model -- smollm2`, on a site that lets it answer two requests at once. */
const gguf = localModels()
  .filter(({ id }) => id === 'smollm2')
  .map((model) => ({ ...model, contextWindow: 1024, parallel: 2 }));

test.use(WITHOUT_GPU);
test.skip(gguf.length === 0, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');

test('a GGUF model answers two requests at once, a third waits for one of them, and an abort leaves the other alone', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const site = await serveDist({ gguf });
  await openControlled(page, site.url);
  await reachState(page, 'ready');
  expect(await pageStatus(page)).toMatchObject({ model: 'smollm2', parallel: 2 });

  const { order, texts } = await page.evaluate(async () => {
    const order: string[] = [];
    const texts: Record<string, string> = { sea: '', wind: '', rain: '' };
    const onQueued = Promise.withResolvers<void>();
    async function ask(about: string, max_tokens: number, signal?: AbortSignal): Promise<void> {
      const messages = [{ role: 'user', content: `Write a story about the ${about}.` }];
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'smollm2', messages, temperature: 0, max_tokens, stream: true }),
        ...(signal && { signal }),
      });
      let rest = '';
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        const events = (rest + piece).split('\n\n');
        rest = events.pop()!;
        for (const event of events) {
          if (event.startsWith(': queued')) onQueued.resolve();
          if (event === 'data: [DONE]') order.push(`${about} ended`);
          if (!event.startsWith('data: {')) continue;
          const [choice] = (JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] }).choices;
          if (!choice?.delta.content) continue;
          if (texts[about] === '') order.push(`${about} begun`);
          texts[about] += choice.delta.content;
        }
      }
    }
    const abort = new AbortController();
    const sea = ask('sea', 900, abort.signal).catch((thrown: Error) => void order.push(`sea ${thrown.name}`));
    const wind = ask('wind', 16);
    while (!texts['sea'] || !texts['wind']) await new Promise((resolve) => setTimeout(resolve, 20));
    const rain = ask('rain', 3);
    await onQueued.promise;
    abort.abort();
    await Promise.all([sea, wind, rain]);
    return { order: order.slice(2), texts };
  });
  // The first two answers had both begun before one of them ended.
  expect(order[0]).toBe('sea AbortError');
  expect(order.slice(1).toSorted()).toEqual(['rain begun', 'rain ended', 'wind ended']);
  for (const [about, length] of Object.entries({ sea: 1, wind: 20, rain: 1 })) {
    expect(texts[about]!.length, about).toBeGreaterThanOrEqual(length);
  }
  await site.close();
});
