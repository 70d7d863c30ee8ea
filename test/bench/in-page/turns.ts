import type { BenchRequest, TurnsRound } from '../bench-request.ts';
import { sleep } from '../../../src/shared/timing.ts';
import { BothSides, PARAMETERS, sendReport } from '../both-sides.ts';
import type { PieceTimes } from '../time-pieces.ts';

const TURNS = 10;
/** Something to read in each turn, so that ten turns have about 1,500 tokens. */
const NOTE =
  'Here is a note. The old man lives in a small house by the sea. He has a dog and a boat, and every morning he goes out to look at the water. In winter he reads books about far places, and in spring he paints his boat. Sometimes friends come to see him, and then they eat fish, drink tea and tell each other about the time when they were young. ';
/** Milliseconds before each turn, in which nobody waits: few read an answer, and think of the next question, in less. */
const THOUGHT = 300;
const QUESTIONS = ['What is the sea?', 'What is a dog?', 'What is winter?', 'What is a book?', 'What is a house?'];

type Answerer = (request: BenchRequest) => Promise<PieceTimes>;

/** A conversation that goes on with the answers it gets. */
class Conversation {
  readonly first: number[] = [];
  readonly #name: string;
  readonly #answer: Answerer;
  readonly #messages: { role: 'user' | 'assistant'; content: string }[] = [];

  /** @param name Its first words, so that it has nothing in common with another one. */
  constructor(name: string, answer: Answerer) {
    this.#name = name;
    this.#answer = answer;
  }

  /** One more turn; notes the milliseconds to its first token. */
  async turn(): Promise<number> {
    const turn = this.first.length;
    const question = `${turn === 0 ? `${this.#name}. ` : ''}${NOTE}${QUESTIONS[turn % QUESTIONS.length]!}`;
    this.#messages.push({ role: 'user', content: question });
    await sleep(THOUGHT);
    // The answer ends by itself: WebLLM does not go on from one that was cut off.
    const { first, text } = await this.#answer({ messages: [...this.#messages], temperature: 0, max_tokens: 160 });
    this.#messages.push({ role: 'assistant', content: text });
    this.first.push(first);
    return first;
  }
}

await sendReport(async (): Promise<TurnsRound> => {
  const { browser } = PARAMETERS;
  const sides = await BothSides.start();
  // One turn on either side first: shaders compiled, workers running.
  await new Conversation('Warm', (request) => sides.direct(request, true)).turn();
  await new Conversation('Warm', (request) => sides.endpoint(request)).turn();

  const throughEndpoint = (name: string) =>
    new Conversation(`${name} ${browser}`, (request) => sides.endpoint(request));
  const alone = new Conversation(`Single ${browser}`, (request) => sides.direct(request, false));
  const single = throughEndpoint('Single');
  for (let turn = 0; turn < TURNS; turn++) {
    // In changing order, also from browser to browser, so that neither side's turn always follows one of its own.
    for (const one of (turn + browser) % 2 ? [single, alone] : [alone, single]) await one.turn();
  }
  const [left, right] = [throughEndpoint('Left'), throughEndpoint('Right')];
  for (let turn = 0; turn < TURNS; turn++) for (const one of [left, right]) await one.turn();
  const alternating = right.first.at(-1)!;
  await throughEndpoint('Third').turn();
  return { direct: alone.first, endpoint: single.first, alternating, afterThird: await left.turn() };
});
