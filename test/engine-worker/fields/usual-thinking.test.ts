import { afterEach, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../../../src/shared/engine/completion-request.ts';
import { askEngine } from './ask-engine.ts';

afterEach(() => vi.unstubAllGlobals());

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content, toolCalls: [] });

/** Words of earlier answers, and whether the model gets them. */
test.each([
  ['What?', '<think>Perhaps four</think>Five', ['Five'], ['Perhaps', 'think>']],
  ['What?', '\n<think>\nPerhaps\n\n</think>\n\nFive </think> six', ['Five <', 'six'], ['Perhaps']],
  ['What?', 'Five <think>Perhaps</think>', ['Five <', 'Perhaps'], []],
  ['What?', '<think>Perhaps', ['Perhaps'], []],
  ['Write <think> first.', '<think>Perhaps</think>Five', ['Perhaps', 'Five'], []],
])('after %j, of the earlier answer %j the model gets %j and not %j', async (question, answer, given, left) => {
  const messages = [user(question), assistant(answer), user('And now?')];
  for (const engine of ['webllm', 'llamaCpp', 'browser'] as const) {
    for (const thought of ['Hm', undefined]) {
      const { prompt, error } = await askEngine(engine, { reply: ['Six'], ...(thought && { thought }) }, { messages });
      const earlier = prompt.slice(0, prompt.indexOf('And now?'));
      expect(error).toBeNull();
      expect(given.filter((words) => !earlier.includes(words))).toEqual([]);
      expect(left.filter((words) => earlier.includes(words))).toEqual([]);
    }
  }
});
