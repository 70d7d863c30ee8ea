import { expect, test, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { allowHub, visit, visitWithHub } from '../../support/pages/hub-page.ts';
import { openPartitionedBrowser, serveHubSites } from '../../support/sites/hub-sites.ts';

declare const window: { readonly tabserve: Tabserve };

/** Rounds of four answers each in which the time until the first token is measured. The usual run measures none. */
const ROUNDS = Number(process.env['HUB_ROUNDS'] ?? 0);

/**
 * Asks for everything whose answers must not depend on where the engine is.
 * @param embeds Whether to ask for a vector, too; the built-in model for that needs WebGPU.
 */
function answers(page: Page, embeds = true) {
  return page.evaluate(async (embeds) => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    const post = async (path: string, body: object, signal?: AbortSignal) => {
      const response = await window.tabserve.fetch(`/v1/${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return response;
    };
    const chat = { model: 'pocket', temperature: 0, messages: [{ role: 'user', content: 'What is WebGPU?' }] };
    const { choices, usage } = await (await post('chat/completions', { ...chat, max_tokens: 24 })).json();
    const stream = await (await post('chat/completions', { ...chat, max_tokens: 12, stream: true })).text();
    const pieces = [...stream.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    const abort = new AbortController();
    const aborted = await post('chat/completions', { ...chat, stream: true }, abort.signal);
    await aborted.body!.getReader().read();
    abort.abort();
    const embedding = { model: 'pocket-embed', input: 'a hub' };
    const { data } = embeds ? await (await post('embeddings', embedding)).json() : { data: [{ embedding: [] }] };
    const response = { model: 'pocket', temperature: 0, max_output_tokens: 24, input: 'What is WebGPU?' };
    const left = await post('responses', { ...response, background: true, stream: true });
    const reader = left.body!.pipeThrough(new TextDecoderStream()).getReader();
    let begun = '';
    while (!/output_text\.delta"/.test(begun)) begun += (await reader.read()).value;
    await reader.cancel();
    const [, id] = /"id":"(resp_\w+)"/.exec(begun)!;
    const rest = await fetch(`/v1/responses/${id}?stream=true&starting_after=1`, {
      headers: { authorization: 'Bearer local' },
    });
    const resumed = /"type":"response\.output_text\.done".*?"text":"([^"]*)"/.exec(await rest.text());
    const stored = await (await post('chat/completions', { ...chat, max_tokens: 8, store: true })).json();
    let read = { status: 404 };
    for (let attempt = 0; attempt < 50 && read.status !== 200; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      read = await fetch(`/v1/chat/completions/${stored.id}`, { headers: { authorization: 'Bearer local' } });
    }
    return {
      chat: choices[0].message.content as string,
      tokens: usage.completion_tokens as number,
      pieces,
      vector: (data[0].embedding as number[]).map((value) => value.toFixed(4)),
      stored: [stored.choices[0].message.content as string, read.status],
      resumed: resumed?.[1],
    };
  }, embeds);
}

/** Milliseconds until the first piece of a short answer, for each of several questions. */
function firstTokens(page: Page, count: number) {
  return page.evaluate(async (times) => {
    const measured: number[] = [];
    for (let time = 0; time < times; time++) {
      const body = {
        model: 'pocket',
        temperature: 0,
        max_tokens: 1,
        stream: true,
        messages: [{ role: 'user', content: `Question ${time}` }],
      };
      const begun = performance.now();
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ''; !/"content":"[^"]/.test(text);) text += (await reader.read()).value ?? '"content":"-';
      measured.push(performance.now() - begun);
      await reader.cancel();
    }
    return measured;
  }, count);
}

test('three sites get the answers of an engine of their own, and the second and third fetch no byte of a model', async () => {
  test.setTimeout(420_000);
  const sites = await serveHubSites('real');
  const context = await openPartitionedBrowser(sites, ['foreign']);
  try {
    const own = await visit(context, sites.url('unnamed'));
    const expected = await answers(own);
    expect(expected.stored[1]).toBe(200);
    expect([expected.chat.length > 10, expected.resumed]).toEqual([true, expected.chat]);

    const first = await visitWithHub(context, sites, 'first');
    expect(await answers(first)).toEqual(expected);
    const { hub = 0, first: ofFirst = 0 } = sites.modelBytes();
    expect(hub).toBeGreaterThan(1_000_000);
    expect(ofFirst).toBe(0);

    const second = await visitWithHub(context, sites, 'second');
    expect(await answers(second)).toEqual(expected);
    const foreign = await visitWithHub(context, sites, 'foreign');
    await allowHub(foreign);
    expect(await answers(foreign)).toEqual(expected);
    expect(sites.modelBytes()).toMatchObject({ hub });
    expect(sites.modelBytes()).not.toHaveProperty('second');
    expect(sites.modelBytes()).not.toHaveProperty('foreign');

    const differences: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [direct, byHub] = [await firstTokens(own, 4), await firstTokens(foreign, 4)];
      differences.push(...byHub.map((time, index) => time - direct[index]!));
    }
    differences.sort((one, other) => one - other);
    const [pairs, median] = [differences.length, differences[Math.floor(differences.length / 2)]];
    if (pairs > 0)
      console.log(`First token by the hub, in ms more than direct: median ${median?.toFixed(1)} of ${pairs} pairs`);
  } finally {
    await context.close();
    sites.close();
  }
});

test('without WebGPU sites that have no llama.cpp get the answers of the hub, and fetch no byte of its model', async () => {
  test.setTimeout(300_000);
  const sites = await serveHubSites('real');
  const context = await openPartitionedBrowser(sites, ['foreign'], ['--no-sandbox', '--disable-gpu', '--no-first-run']);
  try {
    const given: Awaited<ReturnType<typeof answers>>[] = [];
    for (const host of ['first', 'second'] as const) {
      const page = await visitWithHub(context, sites, host);
      given.push(await answers(page, false));
      expect(await page.evaluate(() => window.tabserve.status)).toMatchObject({ hub: { fault: null } });
    }
    const foreign = await context.newPage();
    await foreign.goto(`${sites.url('foreign')}?hub=${encodeURIComponent(sites.url('hub'))}`);
    await foreign.evaluate(() => window.tabserve.ready.catch(() => {}));
    await allowHub(foreign);
    given.push(await answers(foreign, false));
    const [first, ...others] = given;
    expect([first!.stored[1], first!.chat.length > 10, first!.resumed]).toEqual([200, true, first!.chat]);
    expect(others).toEqual([first, first]);
    expect(Object.keys(sites.modelBytes())).toEqual(['hub']);
  } finally {
    await context.close();
    sites.close();
  }
});
