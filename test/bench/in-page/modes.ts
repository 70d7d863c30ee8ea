import type { MeasuredRequest } from '../../../src/bench/sides/side.ts';
import { ENDLESS, type BothTimes, type ModesReport, type ModesRound } from '../bench-request.ts';
import { DECODING_MODES, MODE_TOKENS, type DecodingMode } from '../decoding-modes.ts';
import { BothSides, PARAMETERS } from '../both-sides.ts';
import { sendReport } from '../send-report.ts';

/** Longest answer of the built-in model in tokens. */
const LONG_ANSWER = 2000;

/** Greedy, with a new question each time, up to the limit. */
function requestOf(round: number, max_tokens: number): MeasuredRequest {
  const messages = [{ role: 'user' as const, content: `${round}: What is a service worker?` }];
  return { messages, temperature: 0, max_tokens, logit_bias: ENDLESS };
}

await sendReport(async (): Promise<ModesReport> => {
  const sides = await BothSides.start();
  const rounds: ModesRound[] = [];
  // Warm up: compiles everything.
  await measure(sides, -1);
  for (let round = 0; round < PARAMETERS.rounds; round++) rounds.push(await measure(sides, round + PARAMETERS.browser));
  const request = requestOf(0, LONG_ANSWER);
  return {
    rounds,
    long: { direct: await sides.direct(request, true), endpoint: await sides.endpoint(request) },
  };
});

async function measure(sides: BothSides, round: number): Promise<ModesRound> {
  const request = requestOf(round, MODE_TOKENS);
  const ask = async (mode: DecodingMode): Promise<BothTimes> => {
    const asked = { ...request, ...DECODING_MODES[mode] };
    const askDirect = () => sides.direct(asked, true);
    const askEndpoint = () => sides.endpoint(asked);
    // Alternate the order, so that neither side always follows the other.
    const first = round % 2 ? await askEndpoint() : await askDirect();
    const second = round % 2 ? await askDirect() : await askEndpoint();
    return round % 2 ? { direct: second, endpoint: first } : { direct: first, endpoint: second };
  };
  return {
    plain: await ask('plain'),
    logprobs: await ask('logprobs'),
    schema: await ask('schema'),
    penalties: await ask('penalties'),
  };
}
