import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import published from '../support/published-messages.json' with { type: 'json' };
import { USAGE } from '../support/scripted-service.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

/** The smallest valid request. */
export const GOOD_BODY = { model: 'pocket', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] } as const;

export interface MessagesApp extends TestApp {
  message(body: object, init?: RequestInit): Promise<Response>;
  /** The engine's request for {@link GOOD_BODY} with `fields`. */
  received(fields: object): Promise<CompletionRequest>;
  /** The message and the events of its stream for a completion with these events. */
  both(events: readonly CompletionEvent[], fields?: object): Promise<{ message: object; events: readonly object[] }>;
}

export function createMessagesApp(...args: Parameters<typeof createTestApp>): MessagesApp {
  const app = createTestApp(...args);
  const message: MessagesApp['message'] = (body, init = {}) =>
    app.send('/messages', { method: 'POST', body: JSON.stringify(body), ...init });
  return {
    ...app,
    message,
    async received(fields) {
      const response = await message({ ...GOOD_BODY, ...fields });
      if (response.status !== 200) throw new Error(await response.text());
      await response.body?.cancel();
      return app.service.completions.at(-1)!.request;
    },
    async both(events, fields = {}) {
      app.service.play(events);
      const body = { ...GOOD_BODY, ...fields };
      const whole = (await (await message(body)).json()) as object;
      return { message: whole, events: readEvents(await (await message({ ...body, stream: true })).text()) };
    },
  };
}

/** The events of a completion with these deltas. */
export function completionOf(
  deltas: readonly Omit<Extract<CompletionEvent, { type: 'delta' }>, 'type' | 'choice'>[],
  finish: Partial<Extract<CompletionEvent, { type: 'finish' }>> = {},
): CompletionEvent[] {
  return [
    { type: 'prefill' },
    ...deltas.map((delta) => ({ type: 'delta', choice: 0, ...delta }) as const),
    { type: 'finish', choice: 0, reason: 'stop', ...finish },
    { type: 'done', usage: USAGE },
  ];
}

/** The events of a stream's text, without comments. Each name must be the type of its data. */
export function readEvents(text: string): readonly object[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const [, name, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    const event = JSON.parse(data) as { type: string };
    expect(event.type).toBe(name);
    return event;
  });
}

const ajv = new Ajv2020({ validateFormats: false, strict: false });
ajv.addSchema(published, 'published');

/** The differences of `value` from the API's published types. */
export function formErrors(name: keyof (typeof published)['$defs'], value: unknown): string[] {
  const validate = ajv.getSchema(`published#/$defs/${name}`)!;
  void validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function expectPublishedForm(name: keyof (typeof published)['$defs'], ...values: readonly unknown[]): void {
  for (const value of values) expect({ value, errors: formErrors(name, value) }).toEqual({ value, errors: [] });
}
