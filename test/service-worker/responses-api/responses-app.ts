import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

/** The smallest valid request. */
export const GOOD_BODY = { model: 'pocket', input: 'Hi' } as const;

export interface SentEvent {
  /** Of the line `event: …`. */
  readonly name: string;
  readonly data: ResponseStreamEvent;
}

export interface ResponsesApp extends TestApp {
  respond(body: object, init?: RequestInit): Promise<Response>;
  /** The events of a stream that ends. */
  events(body: object): Promise<SentEvent[]>;
  /** The engine's request for {@link GOOD_BODY} with `fields`. */
  received(fields: object): Promise<CompletionRequest>;
}

export function createResponsesApp(...args: Parameters<typeof createTestApp>): ResponsesApp {
  const app = createTestApp(...args);
  const respond: ResponsesApp['respond'] = (body, init = {}) =>
    app.send('/responses', { method: 'POST', body: JSON.stringify(body), ...init });
  return {
    ...app,
    respond,
    events: async (body) => readResponseEvents(await (await respond({ ...body, stream: true })).text()),
    async received(fields) {
      const response = await respond({ ...GOOD_BODY, ...fields });
      if (response.status !== 200) throw new Error(await response.text());
      await response.body?.cancel();
      return app.service.completions.at(-1)!.request;
    },
  };
}

/** The events of a stream's text, without comments. */
export function readResponseEvents(text: string): SentEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (name === undefined || data === undefined) throw new Error(`No event: ${block}`);
    return { name, data: JSON.parse(data) as ResponseStreamEvent };
  });
}
