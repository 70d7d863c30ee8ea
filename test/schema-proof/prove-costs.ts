import { checkGrammars } from '../../src/engine-worker/grammar/request-grammar.ts';
import { ApiError } from '../../src/shared/api-error.ts';
import { createTestApp } from '../service-worker/support/test-app.ts';
import { hostileRequest } from './hostile-requests.ts';
import { randomLimitedPattern } from './random-patterns.ts';
import { Random } from './random.ts';

interface Cost {
  /** Milliseconds of processor time from the request's text to its grammars. */
  readonly time: number;
  /** The sentence of a refusal; null if the request is followed. */
  readonly refused: string | null;
  /** Why the answer is wrong: it is no refusal by name, or not one at all. Null if it is right. */
  readonly fault: string | null;
}

/** Names a keyword and its place in a schema, the root of one, or a count of a whole request. */
const NAMES_PLACE = /"\/[^"]+"|its root|`(?:tools|response_format)/;

/** Checks a request as the service worker and the engine do before it waits in the queue. */
async function costOf(fields: object): Promise<Cost> {
  const app = createTestApp();
  const start = process.cpuUsage();
  let refused: string | null = null;
  let fault: string | null = null;
  try {
    const response = await app.chat({ model: 'pocket', messages: [{ role: 'user', content: 'Hi' }], ...fields });
    if (response.status === 200) {
      await response.body?.cancel();
      checkGrammars(app.service.completions.at(-1)!.request);
    } else {
      refused = await response.text();
      if (response.status !== 400) fault = `status ${response.status}: ${refused}`;
    }
  } catch (thrown) {
    refused = String(thrown);
    if (!(thrown instanceof ApiError) || thrown.code !== 'invalid_value') fault = refused;
  }
  const { user, system } = process.cpuUsage(start);
  if (refused !== null && !NAMES_PLACE.test(refused.replaceAll('\\"', '"'))) fault ??= `names no place: ${refused}`;
  return { time: (user + system) / 1000, refused, fault };
}

/** What the requests of one kind cost. */
export interface CostCount {
  readonly followed: number;
  readonly refused: number;
  /** The most milliseconds of processor time that a request took. */
  readonly slowest: number;
  readonly faults: readonly string[];
}

/** Checks requests with one random pattern and length each, and others with many tools or parts that multiply. */
export async function proveCosts(patterns: number, requests: number, seed: number) {
  return {
    patterns: await count(patterns, seed, (random) => {
      const schema = { type: 'string', ...randomLimitedPattern(random) };
      return { response_format: { type: 'json_schema', json_schema: { name: 'text', schema } } };
    }),
    requests: await count(requests, seed, hostileRequest),
  };
}

async function count(most: number, seed: number, make: (random: Random) => object): Promise<CostCount> {
  const costs: Cost[] = [];
  for (let index = 0; index < most; index++) costs.push(await costOf(make(new Random(seed + index))));
  const refused = costs.filter((cost) => cost.refused !== null).length;
  return {
    followed: costs.length - refused,
    refused,
    slowest: Math.round(Math.max(...costs.map(({ time }) => time))),
    faults: costs.flatMap(({ fault }) => fault ?? []),
  };
}
