import type { MeasuredRequest, Side } from './sides/side.ts';

type Message = MeasuredRequest['messages'][number];

/** Sentences of common words, which every tokenizer knows as tokens and which a model continues. */
const STORY =
  'The keeper of the old light climbed the stairs before the sun went down. He looked at the sea and at the ships that came from the north. Each of them had a name that he knew. In the evening the wind grew strong, and the waves were high and white. A small boat with one sail came near the rocks, and there was nobody at the helm.'.split(
    ' ',
  );

/** Numbers of words in the two prompts from which the tokens per word are computed. */
const FEW_WORDS = 20;
const MANY_WORDS = 220;

function storyOf(words: number): string {
  return Array.from({ length: words }, (_, index) => STORY[index % STORY.length]).join(' ');
}

/** The requested kind of answer: up to the token limit, or short. */
const TASKS = {
  long: 'Go on with it, write as much as you can',
  short: 'Is it about the sea? Answer in one word',
} as const;

function question(name: string, words: number, task: keyof typeof TASKS): readonly Message[] {
  return [{ role: 'user', content: `Story ${name}. ${TASKS[task]}: ${storyOf(words)}` }];
}

/**
 * Makes prompts of a given number of tokens for one model. The tokens per word are computed from two prompts whose
 * tokens the model's engine has counted.
 */
export class Prompts {
  readonly #perWord: number;
  readonly #fixed: number;

  private constructor(perWord: number, fixed: number) {
    this.#perWord = perWord;
    this.#fixed = fixed;
  }

  /** Computes the tokens per word from two requests for one token each. */
  static async for(side: Side, signal: AbortSignal): Promise<Prompts> {
    const tokensOf = async (words: number) => {
      const request = { messages: question(`0-${words}`, words, 'long'), max_tokens: 1, temperature: 0 };
      return (await side.answer(request, false, signal)).tokens?.promptTokens ?? Number.NaN;
    };
    const few = await tokensOf(FEW_WORDS);
    const perWord = ((await tokensOf(MANY_WORDS)) - few) / (MANY_WORDS - FEW_WORDS);
    if (!(perWord > 0)) throw new Error('The model does not count the tokens of a prompt.');
    return new Prompts(perWord, few - FEW_WORDS * perWord);
  }

  /**
   * @param name Makes the beginning of the prompt unique, so that no cached prefix matches.
   * @param tokens Number of tokens including the chat template; the prompt may have a few more or less.
   * @param task Default: an answer up to the token limit.
   */
  of(name: string, tokens: number, task: keyof typeof TASKS = 'long'): readonly Message[] {
    return question(name, Math.max(1, Math.round((tokens - this.#fixed) / this.#perWord)), task);
  }
}
