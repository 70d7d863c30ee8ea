import { expect, test, vi } from 'vitest';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { Tool } from '../../../src/shared/engine/completion-request.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

const get = (property: string, more: Partial<Tool> = {}): Tool => ({
  name: 'get',
  description: null,
  parameters: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] },
  ...more,
});
const write: Tool = { name: 'get', description: null, parameters: null, custom: { pattern: null } };

const findModel = async (id: string) => ({ ...builtInModel('https://site.test/'), id });

/** Completes a request with an engine that calls a tool. */
async function complete(tools: readonly Tool[], args: string): Promise<readonly CompletionEvent[]> {
  const engine = new ScriptedEngine();
  engine.runFreely();
  engine.generate = async function* () {
    yield { type: 'delta', choice: 0, toolCalls: [{ index: 0, id: 'a', name: 'get', arguments: args }] };
    yield { type: 'finish', choice: 0, reason: 'tool_calls' };
    yield {
      type: 'done',
      usage: { promptTokens: 9, completionTokens: 5, cachedTokens: 0, reasoningTokens: 0 },
    };
  };
  const options = { requestId: 'request', fingerprint: 'fingerprint', holdTime: null };
  const request = { ...completionRequest('x'), tools };
  const { log } = new Completions({ engine, findModel }).start(request, options, 'https://site.test/');
  const events: CompletionEvent[] = [];
  log.subscribe((event) => events.push(event));
  await vi.waitUntil(() => log.ended);
  return events;
}

test.each<[what: string, tools: readonly Tool[]]>([
  ['schemas', [get('a'), get('b')]],
  ['descriptions', [get('a'), get('a', { description: 'Gets.' })]],
  ['strictness', [get('a'), { ...get('b'), name: 'other' }, get('a', { strict: true })]],
  ['kinds', [get('a'), write]],
])('tools of one name with different %s are refused before anything is generated', async (_, tools) => {
  const events = await complete(tools, '{"b": "1"}');
  expect(events.filter(({ type }) => type !== 'begun')).toMatchObject([
    { type: 'error', error: { code: 'invalid_value', param: 'tools', message: expect.stringContaining('"get"') } },
  ]);
});

test.each<[what: string, tools: readonly Tool[]]>([
  ['twice', [get('a'), get('a')]],
  ['twice, once bound less closely', [get('a'), get('a', { bound: { type: 'object' } })]],
  ['beside one of another name', [get('a'), { ...get('b'), name: 'put' }]],
])('a tool that is offered %s can be called', async (_, tools) => {
  expect((await complete(tools, '{"a": "1"}')).at(-1)).toMatchObject({ type: 'done' });
});
