import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { createOpenAICompatible } from 'ai-sdk-openai-compatible3';
import { generateText, isStepCount, streamText, tool } from 'ai7';
import OpenAI from 'openai7';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { createTestApp, ORIGIN, type TestApp } from '../support/test-app.ts';

// The newest agents of other packages, with their own loops of tools.

const CALL: readonly CompletionEvent[] = [
  { type: 'prefill' },
  { type: 'delta', choice: 0, toolCalls: [{ index: 0, id: 'call_a', name: 'look', arguments: '{"city":"Ulm"}' }] },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
  { type: 'done', usage: USAGE },
];

let app: TestApp;
let fetch: typeof globalThis.fetch;

beforeEach(() => {
  app = createTestApp();
  app.service.play(CALL);
  fetch = (input, init) => app.fetch(new Request(input, init));
});

/** Runs the tool: the model then answers with its result. */
function look({ city }: { city: string }): string {
  app.service.play(answerIn('Sun in ', `${city}.`));
  return `Sun in ${city}.`;
}

const parameters = z.object({ city: z.string() });
const description = 'Looks at the weather.';
const QUESTION = 'How is the weather in Ulm?';

const expectToolResult = () =>
  expect(app.service.completions.at(-1)!.request.messages).toMatchObject([
    ...app.service.completions[0]!.request.messages,
    { role: 'assistant', toolCalls: [{ id: 'call_a', name: 'look' }] },
    { role: 'tool', content: expect.stringContaining('Sun in Ulm.') },
  ]);

test.each([false, true])('`ai` 7 calls a tool and answers with its result, stream: %s', async (stream) => {
  const provider = createOpenAICompatible({ name: 'tabserve', apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch });
  const tools = { look: tool({ description, inputSchema: parameters, execute: look }) };
  const asked = { model: provider('pocket'), prompt: QUESTION, tools, stopWhen: isStepCount(3) };
  const text = stream ? await streamText(asked).text : (await generateText(asked)).text;
  expect(text).toBe('Sun in Ulm.');
  expectToolResult();
});

test.each([
  ['chat completions', false, false],
  ['chat completions', false, true],
  ['responses', true, false],
  ['responses', true, true],
] as const)('an agent of `@openai/agents` on %s uses a tool, stream: %s, %s', async (_, useResponses, stream) => {
  const openAIClient = new OpenAI({ apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch });
  const modelProvider = new OpenAIProvider({ openAIClient: openAIClient as never, useResponses });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const tools = [agentTool({ name: 'look', description, parameters, execute: look })];
  const agent = new Agent({ name: 'Weather', instructions: 'Be brief.', model: 'pocket', tools });
  const streamed = stream ? await runner.run(agent, QUESTION, { stream }) : null;
  await streamed?.completed;
  const { finalOutput } = streamed ?? (await runner.run(agent, QUESTION));
  expect(finalOutput).toBe('Sun in Ulm.');
  expectToolResult();
});
