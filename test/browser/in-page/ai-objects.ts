import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, streamObject } from 'ai';
import { MODEL } from '../../support/clients/chat-client.ts';
import { ORDER } from '../../support/clients/order-schema.ts';

const model = createOpenAICompatible({
  name: 'tabserve',
  apiKey: 'local',
  baseURL: `${location.origin}/v1`,
  supportsStructuredOutputs: true,
})(MODEL);

const request = (seed: number) => ({
  model,
  schema: ORDER,
  prompt: 'Make an order up.',
  temperature: 1,
  seed,
  maxOutputTokens: 1500,
});

/** The package throws unless the answer matches the schema. */
export const generate = async (seed: number): Promise<unknown> => (await generateObject(request(seed))).object;

export async function stream(seed: number): Promise<unknown> {
  const { partialObjectStream, object } = streamObject(request(seed));
  // Without a reader the stream does not begin.
  for await (const _ of partialObjectStream);
  return object;
}
