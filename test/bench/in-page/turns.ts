import type { BenchRequest, TurnsReport, TurnsRound } from '../bench-request.ts';
import { BothSides, sendReport } from '../both-sides.ts';
import type { PieceTimes } from '../time-pieces.ts';

const TURNS = 10;
/** Something to read in each turn. */
const NOTE =
  'Here is a note. The old man lives in a small house by the sea. He has a dog and a boat, and every morning he goes out to look at the water. In winter the days are short and the nights are long, and he reads books about far places. ';
const QUESTIONS = ['What is the sea?', 'What is a dog?', 'What is winter?', 'What is a book?', 'What is a house?'];

type Answerer = (request: BenchRequest) => Promise<PieceTimes>;

/** What is asked in each turn. */
interface Course {
  readonly question: (turn: number) => string;
  readonly answer: Pick<BenchRequest, 'max_tokens' | 'logit_bias'>;
}

/** 1,200 tokens in the tenth prompt. Answers end by themselves: WebLLM does not go on from one that was cut off. */
const NOTES: Course = {
  question: (turn) => NOTE + QUESTIONS[turn % QUESTIONS.length]!,
  answer: { max_tokens: 160 },
};
/** Short questions and answers of always the same length: 1,500 tokens in the tenth prompt. */
const STORIES: Course = {
  question: () => 'Tell me a story about a dog.',
  answer: { max_tokens: 150, logit_bias: { 0: -100 } },
};

/** A conversation that goes on with the answers it gets. */
class Conversation {
  readonly first: number[] = [];
  readonly #name: string;
  readonly #course: Course;
  readonly #answer: Answerer;
  readonly #messages: { role: 'user' | 'assistant'; content: string }[] = [];

  /** @param name Its first words, so that it has nothing in common with another one. */
  constructor(name: string, course: Course, answer: Answerer) {
    this.#name = name;
    this.#course = course;
    this.#answer = answer;
  }

  /** One more turn; notes the milliseconds to its first token. */
  async turn(): Promise<number> {
    const turn = this.first.length;
    const question = (turn === 0 ? `${this.#name}. ` : '') + this.#course.question(turn);
    this.#messages.push({ role: 'user', content: question });
    const request = { messages: [...this.#messages], temperature: 0, ...this.#course.answer };
    const { first, text } = await this.#answer(request);
    this.#messages.push({ role: 'assistant', content: text });
    this.first.push(first);
    return first;
  }

  async turns(count: number): Promise<readonly number[]> {
    for (let turn = 0; turn < count; turn++) await this.turn();
    return this.first;
  }
}

const parameters = new URLSearchParams(location.search);
await sendReport(async (): Promise<TurnsReport> => {
  const sides = await BothSides.start(parameters.get('engine')!);
  const rounds: TurnsRound[] = [];
  // One turn on either side first: shaders compiled, workers running.
  await new Conversation('Warm', NOTES, (request) => sides.direct(request, true)).turn();
  await new Conversation('Warm', NOTES, (request) => sides.endpoint(request)).turn();
  for (let round = 0; round < Number(parameters.get('rounds')); round++) rounds.push(await measure(sides, round));
  return { rounds };
});

async function measure(sides: BothSides, round: number): Promise<TurnsRound> {
  const throughEndpoint = (name: string, course: Course) =>
    new Conversation(`${name} ${round}`, course, (request) => sides.endpoint(request));
  const alone = new Conversation(`Notes ${round}`, NOTES, (request) => sides.direct(request, false));
  const notes = throughEndpoint('Notes', NOTES);
  for (let turn = 0; turn < TURNS; turn++) {
    // In changing order, so that neither side always follows the other.
    for (const one of turn % 2 ? [notes, alone] : [alone, notes]) await one.turn();
  }
  const stories = throughEndpoint('Stories', STORIES);
  const [left, right] = [throughEndpoint('Left', STORIES), throughEndpoint('Right', STORIES)];
  await stories.turns(TURNS);
  for (let turn = 0; turn < TURNS; turn++) for (const one of [left, right]) await one.turn();
  const alternating = right.first.at(-1)!;
  await throughEndpoint('Third', STORIES).turns(1);
  const afterThird = await left.turn();
  return { direct: alone.first, endpoint: notes.first, stories: stories.first, alternating, afterThird };
}
