import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import { modelName } from '../../../src/chat/common/model-name.ts';

const CATALOGUE = prebuiltAppConfig.model_list.map(({ model_id }) => model_id);

test.each([
  ['pocket', 'Pocket'],
  ['pocket-embed', 'Pocket Embed'],
  ['Llama-3.2-1B-Instruct-q4f16_1-MLC', 'Llama 3.2 1B'],
  ['Llama-2-7b-chat-hf-q4f32_1-MLC-1k', 'Llama 2 7B'],
  ['Ministral-3-3B-Instruct-2512-BF16-q4f16_1-MLC', 'Ministral 3 3B'],
  ['Ministral-3-3B-Reasoning-2512-q4f16_1-MLC', 'Ministral 3 3B Reasoning'],
  ['OLMo-2-0425-1B-Instruct-q4f16_1-MLC', 'OLMo 2 1B'],
  ['gemma-4-E2B-it-q4f16_1-MLC', 'Gemma 4 E2B'],
  ['gemma3-1b-it-q4f16_1-MLC', 'Gemma 3 1B'],
  ['gemma-2-2b-jpn-it-q4f32_1-MLC', 'Gemma 2 2B Japanese'],
  ['stablelm-2-zephyr-1_6b-q4f16_1-MLC-1k', 'StableLM 2 Zephyr 1.6B'],
  ['phi-1_5-q4f16_1-MLC', 'Phi 1.5'],
  ['WizardMath-7B-V1.1-q4f16_1-MLC', 'WizardMath 7B v1.1'],
  ['snowflake-arctic-embed-m-q0f32-MLC-b32', 'Snowflake Arctic Embed M'],
  ['Qwen2.5-Coder-0.5B-Instruct-q0f16-MLC', 'Qwen2.5 Coder 0.5B'],
  // Names of models that users add or servers provide are shown as they are.
  ['my-own_model', 'my-own_model'],
  ['gpt-x-2512', 'gpt-x-2512'],
])('%s is called %s', (id, name) => {
  expect(modelName(id)).toBe(name);
});

test('models in one list have different names, and the package format appears only where names would be equal', () => {
  const names = CATALOGUE.map((id) => modelName(id, CATALOGUE));
  expect(new Set(names).size).toBe(CATALOGUE.length);
  expect(names).toContain('Llama 3.1 8B (q4f16_1, 1k)');
  expect(names).toContain('Gemma 3 1B');
});
