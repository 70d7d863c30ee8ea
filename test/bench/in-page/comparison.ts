import { COMPARED_TOKENS, ENDLESS, PAIRS_PER_ROUND, type ComparisonReport } from '../bench-request.ts';
import type { MeasuredRequest } from '../../../src/bench/sides/side.ts';
import { BothSides, PARAMETERS } from '../both-sides.ts';
import { sendReport } from '../send-report.ts';
import type { AnswerTimes } from '../../../src/shared/measuring/time-chunks.ts';

/**
 * Greedy and always to the token limit, so that both sides do the same work. A new question each time avoids cached
 * prefixes.
 */
function requestOf(pair: number): MeasuredRequest {
  return {
    messages: [{ role: 'user', content: `${pair}: What is a service worker?` }],
    temperature: 0,
    max_tokens: COMPARED_TOKENS,
    logit_bias: ENDLESS,
  };
}

await sendReport(() => compare(PARAMETERS.rounds * PAIRS_PER_ROUND));

async function compare(count: number): Promise<ComparisonReport> {
  const sides = await BothSides.start();
  const direct = (pair: number) => sides.direct(requestOf(pair), true);
  const endpoint = (pair: number) => sides.endpoint(requestOf(pair));

  // Warm up both sides: shaders compiled, workers running.
  const expected = (await direct(-1)).text;
  const answer = (await endpoint(-1)).text;
  if (answer !== expected) throw new Error(`The two sides do not do the same work:\n${expected}\n${answer}`);

  const pairs: [AnswerTimes, AnswerTimes][] = [];
  for (let pair = 0; pair < count; pair++) {
    // Alternate the order, so that neither side always follows the other.
    const first = pair % 2 ? await endpoint(pair) : await direct(pair);
    const second = pair % 2 ? await direct(pair) : await endpoint(pair);
    pairs.push(pair % 2 ? [second, first] : [first, second]);
  }
  return { pairs };
}
