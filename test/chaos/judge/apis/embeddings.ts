import { Order, type Api } from './api.ts';

interface WireList {
  readonly object?: string;
  readonly model?: string;
  readonly data?: readonly { readonly object: string; readonly index: number; readonly embedding: string }[];
  readonly usage?: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly error?: { readonly code: string };
}

/** Vectors in Base64, each as the text of a choice. */
export const EMBEDDINGS: Api = {
  path: '/v1/embeddings',
  streaming: null,
  readJson(body) {
    const { object, model = '', data = [], usage, error } = JSON.parse(body) as WireList;
    const order = new Order();
    if (!error) {
      order.expect(object === 'list', `a ${object}`);
      for (const [place, vector] of data.entries()) {
        order.expect(vector.object === 'embedding' && vector.index === place, `vector ${vector.index} at ${place}`);
      }
      order.expect(usage?.prompt_tokens === usage?.total_tokens, 'tokens that are not of the prompt');
    }
    return {
      answer: {
        model,
        choices: data.map(({ embedding }) => ({ role: '', text: embedding, finishReason: 'stop' })),
        usage: usage ? [usage.prompt_tokens, 0] : null,
      },
      id: '',
      ended: true,
      error: error?.code ?? null,
      disorder: order.disorder,
    };
  },
  readStream: (body) => EMBEDDINGS.readJson(body),
};
