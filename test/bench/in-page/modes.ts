import type { BenchRequest, BothTimes, ModesReport, ModesRound } from '../bench-request.ts';
import { DECODING_MODES, type DecodingMode } from '../decoding-modes.ts';
import { BothSides, sendReport } from '../both-sides.ts';

const TOKENS = 96;
/** As long as an answer of the built-in model can be. */
const LONG_ANSWER = 2000;

/** Greedy, another question each time, and never the token that ends a turn. */
function requestOf(round: number, max_tokens: number): BenchRequest {
  const messages = [{ role: 'user' as const, content: `${round}: What is a service worker?` }];
  return { messages, temperature: 0, max_tokens, logit_bias: { 0: -100 } };
}

const parameters = new URLSearchParams(location.search);
await sendReport(async (): Promise<ModesReport> => {
  const sides = await BothSides.start(parameters.get('engine')!);
  const rounds: ModesRound[] = [];
  // The first round is only to have everything compiled.
  await measure(sides, -1);
  for (let round = 0; round < Number(parameters.get('rounds')); round++) rounds.push(await measure(sides, round));
  const request = requestOf(0, LONG_ANSWER);
  const long: BothTimes[] = [];
  // One is half a minute, and each has its own noise.
  for (let count = 0; count < Math.ceil(rounds.length / 3); count++)
    long.push({ direct: await sides.direct(request, true), endpoint: await sides.endpoint(request) });
  return { tokens: TOKENS, rounds, long };
});

async function measure(sides: BothSides, round: number): Promise<ModesRound> {
  const request = requestOf(round, TOKENS);
  const ask = async (mode: DecodingMode): Promise<BothTimes> => {
    const fields = DECODING_MODES[mode];
    const askDirect = () => sides.direct({ ...request, ...fields.direct }, true);
    const askEndpoint = () => sides.endpoint({ ...request, ...fields.endpoint });
    // In changing order, so that neither side always follows the other.
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
