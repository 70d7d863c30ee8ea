import type { Extension } from '../pipeline/extension.ts';

/**
 * Ends an answer when it has filled the context window. WebLLM allows one token too many, because it counts the tokens
 * that the model has processed, and the last token of an answer is never processed.
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
