import type { Extension } from '../pipeline/extension.ts';

/** Sets the tokens that end the next answers, besides those of the model. */
export type StopAt = (tokens: readonly number[]) => void;

/**
 * Ends an answer at tokens of the request. WebLLM reads its stop tokens from the model's configuration only. They are
 * replaced just while it looks for the end of the answer, because the grammar library is given the same list once.
 */
export const STOP_TOKENS: Extension<'stop-tokens', StopAt> = {
  name: 'stop-tokens',
  needs: ['processNextToken', 'stopTokens'],
  replaces: ['processNextToken'],
  gain: 'A request can name the tokens that end its answer; WebLLM takes texts only.',
  apply(pipeline) {
    let wanted: readonly number[] = [];
    return {
      handle: (tokens) => (wanted = tokens),
      layers: {
        processNextToken:
          (next) =>
          (...step) => {
            const own = pipeline.stopTokens;
            pipeline.stopTokens = [...own, ...wanted];
            try {
              next(...step);
            } finally {
              pipeline.stopTokens = own;
            }
          },
      },
    };
  },
};
