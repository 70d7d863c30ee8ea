import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolPrompt } from '../../../../src/engine-worker/tools/tool-prompt.ts';
import { toolCallText } from '../../../../src/engine-worker/tools/tool-syntax.ts';

test('the training of the built-in model formats tools, calls and results as the adapter does', () => {
  const fixture = new URL('../../../pocket/fixtures/reference-logits.json', import.meta.url);
  const { prompts } = JSON.parse(readFileSync(fixture, 'utf8')) as { prompts: { text: string }[] };
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  const tools = toolPrompt(
    [{ name: 'get_weather', description: 'The present weather of a city.', parameters }],
    'auto',
  );
  const call = toolCallText('get_weather', '{"city": "Paris"}');
  expect(prompts.map(({ text }) => text)).toContain(
    `<|system|>${tools}<|end|><|user|>What is the weather in Paris?<|end|><|assistant|>${call}<|end|>` +
      '<|tool|>18 degrees<|end|><|assistant|>',
  );
});
