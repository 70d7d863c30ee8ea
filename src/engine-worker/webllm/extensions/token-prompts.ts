import type { Extension } from '../pipeline/extension.ts';

/** Makes a text that WebLLM tokenizes to exactly these tokens, if it is a whole part of the prompt. */
export type TokenPrompt = (tokens: readonly number[]) => string;

/**
 * Lets a prompt consist of tokens. WebLLM takes texts only, and the text of tokens may be tokenized to others. So a text with
 * an unguessable prefix stands for them, and the tokenizer reads them from it.
 */
export const TOKEN_PROMPTS: Extension<'token-prompts', TokenPrompt> = {
  name: 'token-prompts',
  needs: ['tokenizer.encode'],
  replaces: ['tokenizer.encode'],
  gain: 'Prompts of tokens reach the model exactly; WebLLM takes texts only.',
  apply() {
    const prefix = `tokens ${crypto.randomUUID()} `;
    return {
      handle: (tokens) => prefix + tokens.join(','),
      layers: {
        'tokenizer.encode': (next) => (text) =>
          text.startsWith(prefix) ? Int32Array.from(text.slice(prefix.length).split(','), Number) : next(text),
      },
    };
  },
};
