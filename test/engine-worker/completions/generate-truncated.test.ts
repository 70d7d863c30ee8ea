import { expect, test, vi } from 'vitest';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { CompletionEvent, GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { ChatMessage, CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../../src/shared/engine/engine-errors.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

const SITE = 'https://site.test/';

/** Accepts prompts up to a number of messages, and records the prompts that it received. */
class NarrowEngine extends ScriptedEngine {
  readonly tried: (readonly ChatMessage[])[] = [];
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
    this.loadedModel = 'a';
    this.runFreely();
  }

  override async *generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent> {
    this.tried.push(request.messages);
    if (request.messages.length > this.#most)
      throw contextLengthExceeded({ contextWindow: this.#most }, request.messages.length);
    yield* super.generate(request, signal);
  }
}

const user = (content: string): ChatMessage => ({ role: 'user', content });
const said = (content: string): ChatMessage => ({ role: 'assistant', content, toolCalls: [] });
const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'f', arguments: '{}' })),
});
const reply = (id: string): ChatMessage => ({ role: 'tool', content: 'x', toolCallId: id });
const system: ChatMessage = { role: 'system', content: 'Be brief.' };

async function generate(engine: NarrowEngine, messages: readonly ChatMessage[], truncation?: 'auto') {
  const completions = new Completions({ engine, findModel: async (id) => ({ ...builtInModel(SITE), id }) });
  const request = { ...completionRequest('', 'a'), messages, ...(truncation && { truncation }) };
  const options = { requestId: 'request', fingerprint: 'fingerprint', holdTime: null };
  const events: CompletionEvent[] = [];
  completions.start(request, options, SITE).log.subscribe((event) => events.push(event));
  await vi.waitFor(() => expect(['done', 'error']).toContain(events.at(-1)?.type));
  return events;
}

test.each<[what: string, most: number, messages: ChatMessage[], left: ChatMessage[]]>([
  ['all of it if it fits', 3, [user('a'), said('b'), user('c')], [user('a'), said('b'), user('c')]],
  ['the newest messages', 2, [user('a'), said('b'), user('c'), said('d'), user('e')], [said('d'), user('e')]],
  ['the system message', 2, [system, user('a'), said('b'), user('c')], [system, user('c')]],
  ['no tool result without its call', 3, [user('a'), calls('1', '2'), reply('1'), reply('2'), user('b')], [user('b')]],
  ['the calls that are to be answered', 2, [user('a'), user('b'), calls('1'), reply('1')], [calls('1'), reply('1')]],
])('truncating a conversation that is too long keeps: %s', async (_, most, messages, left) => {
  const engine = new NarrowEngine(most);
  const events = await generate(engine, messages, 'auto');
  expect(events.at(-1)!.type).toBe('done');
  expect(engine.tried.at(-1)).toEqual(left);
});

test('a message that is too long by itself is refused, and so is a conversation that must not be truncated', async () => {
  const alone = await generate(new NarrowEngine(0), [system, user('a'), user('b')], 'auto');
  const whole = await generate(new NarrowEngine(1), [user('a'), user('b')]);
  for (const events of [alone, whole]) {
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'context_length_exceeded' } });
  }
});

test('truncating a far too long conversation takes fewer attempts than it has messages', async () => {
  const engine = new NarrowEngine(3);
  const messages = Array.from({ length: 5000 }, (_, index) => user(`message ${index}`));
  const events = await generate(engine, messages, 'auto');
  expect(events.at(-1)!.type).toBe('done');
  expect(engine.tried.at(-1)!.at(-1)).toEqual(user('message 4999'));
  expect(engine.tried.length).toBeLessThan(130);
});
