import type { ChatMessage, CompletionRequest } from '../../src/shared/engine/completion-request.ts';
import { SeededRandom } from '../chaos/seeded-random.ts';

/** A request of one of several tabs. */
export interface RandomStep {
  readonly request: Partial<CompletionRequest>;
  /** Number of events after which the answer is aborted: 0 aborts during prefill; null never aborts. */
  readonly abortAfter: number | null;
}

const WORDS =
  'the a dog garden sea winter why house river old to of in small bread music how number letter light and moon'.split(
    ' ',
  );
const SYSTEM_PROMPTS = [
  null,
  'You are brief.',
  'You are a kind teacher who explains everything with a story about animals.',
];

const SCHEMA = {
  type: 'object',
  properties: { name: { enum: ['dog', 'cat'] }, old: { type: 'boolean' } },
  required: ['name', 'old'],
  additionalProperties: false,
};
const TOOL = { name: 'weather', description: 'Tells the weather of a place.', parameters: SCHEMA };

/** Optional fields of a request; most requests have none. */
const WISHES: readonly Partial<CompletionRequest>[] = [
  {},
  {},
  {},
  { stop: [' a', 'e'] },
  { choices: 2 },
  { frequencyPenalty: 1, presencePenalty: 0.5 },
  { logprobs: true, topLogprobs: 2 },
  { responseFormat: { type: 'json_schema', schema: SCHEMA } },
  { tools: [TOOL], toolChoice: 'required' },
];

/**
 * Simulates alternating conversations in several tabs. They grow, are repeated, edited, branched at an earlier turn,
 * and replaced by new ones; some answers are aborted.
 */
export class RandomConversations {
  readonly #random: SeededRandom;
  readonly #tabs: ChatMessage[][];
  #tab: ChatMessage[] = [];
  /** Number of conversations that have begun. */
  begun = 0;

  constructor(seed: number, tabs = 2) {
    this.#random = new SeededRandom(seed);
    this.#tabs = Array.from({ length: tabs }, () => []);
  }

  /** Returns the next request. Call {@link answered} with its answer, unless it was aborted. */
  next(): RandomStep {
    const random = this.#random;
    const tab = random.pick(this.#tabs);
    this.#tab = tab;
    if (tab.length > 9 || random.chance(0.15)) tab.length = 0;
    else if (random.chance(0.2)) tab.length = random.integer(0, tab.length);
    if (tab.length === 0) {
      this.begun++;
      const system = random.pick(SYSTEM_PROMPTS);
      if (system !== null) tab.push({ role: 'system', content: system });
    }
    // Repeats the last question if it has no answer, otherwise adds one.
    if (tab.at(-1)?.role !== 'user') tab.push({ role: 'user', content: this.#text(random.chance(0.2) ? 60 : 12) });
    const wish = random.pick(WISHES);
    const drawn = random.chance(0.2) ? { temperature: 1, topP: 1, seed: random.integer(0, 9) } : { temperature: 0 };
    const request = { messages: [...tab], maxTokens: random.integer(1, 24), ...drawn, ...wish };
    return { request, abortAfter: random.chance(0.15) ? random.integer(0, 4) : null };
  }

  /** Adds this answer to the conversation, or sometimes another one, as if the user had edited it. */
  answered(text: string): void {
    const content = this.#random.chance(0.1) ? this.#text(8) : text;
    this.#tab.push({ role: 'assistant', content, toolCalls: [] });
  }

  #text(most: number): string {
    const words = Array.from({ length: this.#random.integer(1, most) }, () => this.#random.pick(WORDS));
    return `${words.join(' ')}?`;
  }
}
