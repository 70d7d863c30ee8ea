import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../../src/shared/engine/completion-request.ts';
import { loadFamily } from '../families/ask-family.ts';
import { ask, CHAT_TEMPLATE, loadedEngine } from './webllm/support/test-engine.ts';

/** The layout of {@link CHAT_TEMPLATE} without a tool role, in Jinja. As most templates it takes a system message first only. */
const IN_JINJA = `{% for m in messages %}
{%- if m.role == 'tool' or m.tool_calls or (m.role == 'system' and not loop.first) %}{{ raise_exception('unknown turn') }}{% endif %}
{%- if m.role != 'system' or m.content %}{{ '<|' + m.role + '|>' + m.content + '<|end|>' }}{% endif %}
{%- endfor %}<|assistant|>`;

const text = fc.constantFrom('', 'a', 'b c', 'd\ne');
const call = fc.record({
  id: fc.constantFrom('x', 'y'),
  name: fc.constantFrom('look', 'say'),
  arguments: fc.constantFrom('', '{}', '{"at": "sky"}'),
});
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant('system'), content: text }),
  fc.record({ role: fc.constant('user'), content: text }),
  fc.record({ role: fc.constant('assistant'), content: text, toolCalls: fc.array(call, { maxLength: 2 }) }),
  fc.record({ role: fc.constant('tool'), toolCallId: fc.constantFrom('x', 'y'), content: text }),
);

test('a package of WebLLM and a GGUF file with the same template get the same prompt', async () => {
  const family = await loadFamily(IN_JINJA);
  const { user, assistant } = CHAT_TEMPLATE.roles;
  const template = { roles: { user: user!, assistant: assistant! } };
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (messages) => {
      const { engine, runs } = await loadedEngine({ replies: [['ok']], template });
      await ask(engine, { messages });
      expect(runs[0]!.prompt.replaceAll(/[«»]/g, '')).toBe((await family.ask({ messages })).prompt);
    }),
    { numRuns: 80, seed: 54 },
  );
});
