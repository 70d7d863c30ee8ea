import type { Connection } from '../../../src/prompt-api/endpoint-model.ts';

/** Connects the Prompt API to a ready endpoint. @param fetch Answers the requests. */
export function promptApiConnection(
  fetch: (address: string, init: { readonly body?: string }) => Promise<Response>,
): Connection {
  // Tells when the page is resumed after it was frozen.
  globalThis.document ??= new EventTarget() as Document;
  return {
    ready: Promise.resolve(),
    basePath: '/v1',
    status: { state: 'ready', model: 'model' },
    load: async () => {},
    addEventListener() {},
    removeEventListener() {},
    fetch,
  } as unknown as Connection;
}
