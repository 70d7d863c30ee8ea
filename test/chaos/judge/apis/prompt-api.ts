import type { Api } from './api.ts';

interface Prompted {
  readonly model?: string;
  readonly text?: string;
  readonly error?: { readonly code: string };
}

/** The `LanguageModel` of a page, whose answers are texts without ids and usage. */
export const PROMPT_API: Api = {
  path: '/v1/chat/completions',
  streaming: null,
  manner: 'Prompt API',
  readJson(body) {
    const { model = '', text = '', error } = JSON.parse(body) as Prompted;
    return {
      answer: { model, choices: [{ role: 'assistant', text, finishReason: 'prompted' }], usage: null },
      id: '',
      ended: true,
      error: error?.code ?? null,
      disorder: null,
    };
  },
  readStream() {
    throw new Error('The answers of the Prompt API are compared as a whole.');
  },
};
