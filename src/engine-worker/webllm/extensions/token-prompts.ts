import type { Extension } from '../pipeline/extension.ts';

/**
 * Returns a text that WebLLM tokenizes to exactly these tokens, provided that the text is a part of the prompt on its
 * own.
 */
export type TokenPrompt = (tokens: readonly number[]) => string;

/**
 * Lets a prompt consist of tokens. WebLLM accepts only texts, and the text of some tokens may be tokenized to different
 * tokens. So the tokens are encoded in a text with an unguessable prefix, and the replaced tokenizer decodes them from
 * it.
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
