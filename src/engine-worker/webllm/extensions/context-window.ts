import type { Extension } from '../pipeline/extension.ts';

/**
 * Lets an answer end when it has filled the context window. WebLLM counts the tokens that the model has computed, and the
 * last token of an answer is not computed any more, so an answer would get one token too many.
 */
export const CONTEXT_WINDOW: Extension<'context-window', null> = {
  name: 'context-window',
  needs: ['contextWindowSize'],
  replaces: [],
  gain: 'An answer has at most as many tokens as fit into the window; WebLLM gives it one more.',
  apply(pipeline, { entry }) {
    pipeline.contextWindowSize = entry.contextWindow - 1;
    return { handle: null };
  },
};
