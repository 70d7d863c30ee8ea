/** The words of the scripted models, in the order of their probability. Each is a token. */
export const WORDS = ['a ', 'b ', 'c ', 'd ', 'e ', 'f ', 'g ', 'h '] as const;

/** Returns the score (logit) of a word: 8 for the likeliest, 1 for the least likely. */
export function scoreOf(word: string): number {
  return WORDS.length - WORDS.findIndex((other) => other === word);
}

/** Token id of a word in both vocabularies. The tokenizer of the scripted WebLLM has 265 other tokens before it. */
export function idOf(word: (typeof WORDS)[number]): number {
  return 265 + WORDS.indexOf(word);
}

/** What a scripted model writes. */
export interface ScriptedModel {
  /**
   * The answer, token by token; then the model ends its turn. Default: it samples {@link WORDS}, with the same scores at
   * each position, until something ends the answer.
   */
  readonly reply?: readonly string[];
  /** In llama.cpp: the source of a chat template, whose syntax of tool calls the model has. Default: that of Hermes. */
  readonly callTemplate?: string;
  /** What it thinks before a reply, unless it is told not to. Default: it has no thinking. */
  readonly thought?: string;
  /** Score of the end of the turn, for a model without a reply. Default: it never ends its turn. */
  readonly endScore?: number;
  /** Limit of the prompt, in tokens (in the browser's model: words). Default: no prompt is too long. */
  readonly contextWindow?: number;
}
