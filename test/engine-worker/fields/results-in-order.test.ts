import { afterEach, expect, test, vi } from 'vitest';
import type { ChatMessage, ToolCall } from '../../../src/shared/engine/completion-request.ts';
import { askEngine } from './ask-engine.ts';

afterEach(() => vi.unstubAllGlobals());

const call = (id: string): ToolCall => ({ id, name: 'look', arguments: `{"at": "${id}"}` });
const calling = (...ids: readonly string[]): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map(call),
});
const result = (id: string, content = `seen ${id}`): ChatMessage => ({ role: 'tool', toolCallId: id, content });
const user = (content: string): ChatMessage => ({ role: 'user', content });

test.each<[messages: readonly ChatMessage[], order: readonly string[]]>([
  [
    [calling('a', 'b'), result('a'), result('b')],
    ['seen a', 'seen b'],
  ],
  [
    [calling('a', 'b', 'c'), result('c'), result('a'), result('b')],
    ['seen a', 'seen b', 'seen c'],
  ],
  [
    [calling('a', 'b'), result('b'), result('a'), user('and'), calling('c', 'd'), result('d'), result('c')],
    ['seen a', 'seen b', 'and', 'seen c', 'seen d'],
  ],
  [
    [calling('a', 'b'), result('b', 'first b'), result('a'), result('b', 'second b')],
    ['seen a', 'first b', 'second b'],
  ],
])('the model gets results in the order of the calls: %j', async (messages, order) => {
  for (const engine of ['webllm', 'llamaCpp'] as const) {
    const { prompt, error } = await askEngine(engine, { reply: ['Well'] }, { messages: [user('Look.'), ...messages] });
    expect(error).toBeNull();
    expect(prompt.match(/(?:seen|first|second) \w|and/g)).toEqual(order);
  }
});
