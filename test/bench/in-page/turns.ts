import type { MeasuredRequest } from '../../../src/bench/sides/side.ts';
import { TURNS, type BothTurns, type TurnsRound } from '../bench-request.ts';
import { sleep } from '../../../src/shared/timeout.ts';
import { BothSides, PARAMETERS } from '../both-sides.ts';
import { sendReport } from '../send-report.ts';
import type { PieceTimes } from '../../../src/shared/measuring/time-chunks.ts';

/** Part of each question, so that ten turns have about 1,500 tokens. */
const NOTE =
  'Here is a note. The old man lives in a small house by the sea. He has a dog and a boat, and every morning he goes out to look at the water. In winter he reads books about far places, and in spring he paints his boat. Sometimes friends come to see him, and then they eat fish, drink tea and tell each other about the time when they were young. ';
/** Idle milliseconds before each turn; most people take longer to read and reply. */
const THOUGHT = 300;
const QUESTIONS = ['What is the sea?', 'What is a dog?', 'What is winter?', 'What is a book?', 'What is a house?'];

/** Number of warm-up turns on each side, and the idle milliseconds after them. */
const WARM_TURNS = 3;
const SETTLING = 2000;

const { browser } = PARAMETERS;

type Answerer = (request: MeasuredRequest) => Promise<PieceTimes>;

/** A conversation that continues with the received answers. */
class Conversation {
  readonly first: number[] = [];
  readonly #name: string;
  readonly #answer: Answerer;
  readonly #messages: { role: 'user' | 'assistant'; content: string }[] = [];

  /** @param name First words of the conversation, so that it shares no prefix with another. */
  constructor(name: string, answer: Answerer) {
    this.#name = name;
    this.#answer = answer;
  }

  /**
   * Sends the next turn.
   * @returns milliseconds to its first token.
   */
  async turn(): Promise<number> {
    const turn = this.first.length;
    const question = `${turn === 0 ? `${this.#name}. ` : ''}${NOTE}${QUESTIONS[turn % QUESTIONS.length]!}`;
    this.#messages.push({ role: 'user', content: question });
    await sleep(THOUGHT);
    // The limit is high enough for complete answers: WebLLM does not reuse the cache after a truncated one.
    const { first, text } = await this.#answer({ messages: [...this.#messages], temperature: 0, max_tokens: 160 });
    this.#messages.push({ role: 'assistant', content: text });
    this.first.push(first);
    return first;
  }
}

await sendReport(async (): Promise<TurnsRound> => {
  const sides = await BothSides.start();
  const throughEndpoint = (name: string) => new Conversation(name, (request) => sides.endpoint(request));
  const alone = (name: string) => new Conversation(name, (request) => sides.direct(request, false));
  /** Runs the same conversation on both sides; the side that goes first alternates. */
  const both = async (name: string, turns: number, endpointFirst: number): Promise<BothTurns> => {
    const [direct, endpoint] = [alone(name), throughEndpoint(name)];
    for (let turn = endpointFirst; turn < turns + endpointFirst; turn++)
      for (const one of turn % 2 ? [endpoint, direct] : [direct, endpoint]) await one.turn();
    return { direct: direct.first, endpoint: endpoint.first };
  };
  // Warm up: shaders, workers and the browser's optimising compilers.
  await both(`Warm ${browser}`, WARM_TURNS, browser);
  await sleep(SETTLING);
  const pairs: TurnsRound['pairs'] = [
    await both(`Single ${browser}`, TURNS, browser),
    await both(`Once more ${browser}`, TURNS, browser + 1),
  ];

  const [left, right] = [throughEndpoint(`Left ${browser}`), throughEndpoint(`Right ${browser}`)];
  for (let turn = 0; turn < TURNS; turn++) for (const one of [left, right]) await one.turn();
  const alternating = right.first.at(-1)!;
  await throughEndpoint(`Third ${browser}`).turn();
  return { pairs, alternating, afterThird: await left.turn() };
});
