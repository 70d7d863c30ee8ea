import type { AnswerTimes } from '../shared/measuring/time-chunks.ts';
import type { RowName } from '../chat/types/bench-rows.ts';
import { decodingSpeed } from './decoding-speed.ts';
import type { Prompts } from './prompts.ts';
import type { MeasuredRequest, Side } from './sides/side.ts';

type Message = MeasuredRequest['messages'][number];

/** One measurement of one side. */
interface Attempt {
  readonly side: Side;
  readonly prompts: Prompts;
  /** Makes the prompts' beginning unique. Both sides of a pair share it; each pair and round has its own. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Measures one or two rows in one attempt. */
interface Probe {
  readonly rows: readonly RowName[];
  /** Tokens of the longest prompt and its answer together. */
  readonly tokens: number;
  /** @returns the value of each row; NaN if the answer was too short. */
  readonly measure: (attempt: Attempt) => Promise<Partial<Record<RowName, number>>>;
}

/** Number of tokens in answers whose decoding speed is measured. */
const ANSWER = 48;
/**
 * Number of tokens in answers of which only the time to the first token is measured. More than one, because some models
 * begin with a token without text.
 */
const FIRST_ONLY = 4;

const TURNS = 10;
/** Turns of each of two conversations that alternate. */
const ALTERNATING_TURNS = 5;
/**
 * Tokens of a question in a conversation, and maximum tokens of its answer. The answers are short, so that they end by
 * themselves: after a truncated answer WebLLM does not reuse its KV cache.
 */
const QUESTION = 40;
const TURN_ANSWER = 48;

/** A schema whose shortest list exceeds the token limit, so that the answer has the maximum length. */
export const LONG_LIST = {
  type: 'object',
  properties: { words: { type: 'array', minItems: 60, items: { type: 'string', maxLength: 12 } } },
  required: ['words'],
  additionalProperties: false,
};

export const PROBES: readonly Probe[] = [
  {
    rows: ['load'],
    tokens: 64,
    async measure({ side, prompts, name, signal }) {
      await side.unload();
      const start = performance.now();
      await side.load(signal);
      const loading = performance.now() - start;
      // Not the time until its last token: a slow device takes seconds for each.
      const { first } = await side.answer(requestOf(prompts.of(name, 30), FIRST_ONLY), false, signal);
      return { load: loading + first };
    },
  },
  {
    rows: ['first-50'],
    tokens: 64,
    measure: async (attempt) => ({ 'first-50': (await ask(attempt, 50, FIRST_ONLY)).first }),
  },
  {
    rows: ['first-500'],
    tokens: 512,
    measure: async (attempt) => ({ 'first-500': (await ask(attempt, 500, FIRST_ONLY)).first }),
  },
  {
    rows: ['first-1500', 'decode-1500'],
    tokens: 1560,
    async measure(attempt) {
      const times = await ask(attempt, 1500, ANSWER);
      return { 'first-1500': times.first, 'decode-1500': speedOf(times) };
    },
  },
  {
    rows: ['decode-100'],
    tokens: 136,
    measure: async (attempt) => ({ 'decode-100': speedOf(await ask(attempt, 100 - ANSWER / 2, ANSWER)) }),
  },
  {
    rows: ['schema'],
    tokens: 112,
    measure: async (attempt) => ({ schema: speedOf(await ask(attempt, 50, ANSWER, { schema: LONG_LIST })) }),
  },
  {
    rows: ['logprobs'],
    tokens: 112,
    measure: async (attempt) => ({
      logprobs: speedOf(await ask(attempt, 50, ANSWER, { logprobs: true, top_logprobs: 5 })),
    }),
  },
  {
    rows: ['turn-10'],
    tokens: TURNS * (QUESTION + TURN_ANSWER + 12),
    async measure(attempt) {
      const chat = new Conversation(attempt, `${attempt.name}-turns`);
      for (let turn = 0; turn < TURNS; turn++) await chat.turn(turn > 0);
      return { 'turn-10': chat.growth };
    },
  },
  {
    rows: ['two-tabs'],
    tokens: ALTERNATING_TURNS * (QUESTION + TURN_ANSWER + 12),
    async measure(attempt) {
      const chats = ['left', 'right'].map((name) => new Conversation(attempt, `${attempt.name}-${name}`));
      for (let turn = 0; turn < ALTERNATING_TURNS; turn++) for (const chat of chats) await chat.turn(false);
      return { 'two-tabs': chats[1]!.growth };
    },
  },
];

function requestOf(messages: readonly Message[], max_tokens: number): MeasuredRequest {
  return { messages, max_tokens, temperature: 0 };
}

function ask(
  { side, prompts, name, signal }: Attempt,
  tokens: number,
  answer: number,
  fields: Partial<MeasuredRequest> = {},
): Promise<AnswerTimes> {
  return side.answer({ ...requestOf(prompts.of(name, tokens), answer), ...fields }, false, signal);
}

function speedOf(times: AnswerTimes): number {
  return decodingSpeed(times, times.tokens?.completionTokens ?? times.pieces);
}

/** A conversation that grows by a question and an answer with each turn. */
class Conversation {
  readonly #attempt: Attempt;
  readonly #name: string;
  readonly #messages: Message[] = [];
  readonly #first: number[] = [];

  /** @param name Differs for each conversation, so that none shares a prefix with another. */
  constructor(attempt: Attempt, name: string) {
    this.#attempt = attempt;
    this.#name = name;
  }

  /** @param goesOn Whether the previous request belonged to this conversation. */
  async turn(goesOn: boolean): Promise<void> {
    const { side, prompts, signal } = this.#attempt;
    this.#messages.push(...prompts.of(`${this.#name}-${this.#first.length}`, QUESTION, 'short'));
    const { first, text } = await side.answer(requestOf([...this.#messages], TURN_ANSWER), goesOn, signal);
    this.#messages.push({ role: 'assistant', content: text });
    this.#first.push(first);
  }

  /** Time to the first token of the last turn, divided by that of the first turn. */
  get growth(): number {
    return this.#first.at(-1)! / this.#first[0]!;
  }
}
