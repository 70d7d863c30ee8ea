import { chromium } from '@playwright/test';
import { inPage } from '../support/in-page.ts';
import { siteReady } from '../support/site-page.ts';
import type * as comparisonModule from './in-page/comparison.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';
import type { PieceTimes } from './time-pieces.ts';

const REQUEST = { prompt: 'What is a service worker?', tokens: 64 };

/** The endpoint beside WebLLM by itself in a worker: same page, same model, same prompt, in turns. */
export async function compareWithDirect({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  await page.goto(url);
  await siteReady(page);
  const sides = inPage<typeof comparisonModule>(page, 'comparison');
  await sides.loadDirect();

  // Both warm: shaders compiled, workers running.
  const expected = (await sides.direct(REQUEST))!.text;
  const answer = (await sides.endpoint(REQUEST)).text;
  if (answer !== expected) throw new Error(`The two sides do not do the same work:\n${expected}\n${answer}`);

  const direct: PieceTimes[] = [];
  const endpoint: PieceTimes[] = [];
  for (let round = 0; round < rounds; round++) {
    // In changing order, so that whatever slows the machine for a while slows both.
    if (round % 2) endpoint.push(await sides.endpoint(REQUEST));
    direct.push((await sides.direct(REQUEST))!);
    if (round % 2 === 0) endpoint.push(await sides.endpoint(REQUEST));
  }
  await browser.close();

  const pairs = direct.map((one, round) => [one, endpoint[round]!] as const);
  return [
    measurement('decoding, WebLLM direct', 'tokens/s', direct.map(speed)),
    measurement('decoding, endpoint', 'tokens/s', endpoint.map(speed)),
    measurement('decoding, endpoint : direct', '×', pairs.map(([one, other]) => speed(other) / speed(one)), { atLeast: 0.97 }),
    measurement('first token, WebLLM direct', 'ms', direct.map(({ first }) => first)),
    measurement('first token, endpoint', 'ms', endpoint.map(({ first }) => first)),
    measurement('first token, endpoint − direct', 'ms', pairs.map(([one, other]) => other.first - one.first), { atMost: 10 }),
  ];
}

/** Tokens a second once decoding runs. The last piece may hold several tokens on either side alike. */
function speed({ first, last }: PieceTimes): number {
  return ((REQUEST.tokens - 1) / (last - first)) * 1000;
}
