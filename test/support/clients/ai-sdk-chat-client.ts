import type * as Ai from 'ai';
import { leaveEarly, LONG_STORY, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from './chat-client.ts';
import { askWhileQueueIsFull } from './full-queue.ts';

interface ModelOptions {
  readonly model: string;
  readonly fetch: typeof fetch;
}

/** Returns the settings of `createOpenAICompatible`, of any version, for the endpoint of the page. */
export function compatibleSettings({ fetch }: Pick<ModelOptions, 'fetch'>) {
  return {
    name: 'tabserve',
    apiKey: 'local',
    baseURL: `${location.origin}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch,
  };
}

/**
 * Runs in the page: {@link ChatClient} for a version of the `ai` package and one of its providers.
 * @param endless Request fields that keep the answer from ending, if the route has any.
 */
export function aiSdkChatClient(
  { APICallError, generateText, jsonSchema, Output, stepCountIs, streamText, tool }: typeof Ai,
  createModel: (options: ModelOptions) => Ai.LanguageModel,
  endless: object,
): ChatClient {
  const connect = (options: Partial<ModelOptions> = {}) =>
    createModel({ model: MODEL, fetch: (input, init) => fetch(input, init), ...options });
  return {
    async complete(prompt) {
      const { text, usage } = await generateText({ model: connect(), prompt, temperature: 0 });
      return { text, totalTokens: usage.totalTokens };
    },

    async stream(prompt) {
      const pieces: string[] = [];
      for await (const piece of streamText({ model: connect(), prompt, temperature: 0 }).textStream) pieces.push(piece);
      return pieces;
    },

    async abort() {
      const model = connect({ fetch: fetchWith(endless) });
      const left = await leaveEarly((abortSignal) => streamText({ model, prompt: LONG_STORY, abortSignal }).textStream);
      const { text } = await generateText({ model: connect(), prompt: 'Hello', maxOutputTokens: 4 });
      return { ...left, next: text };
    },

    async useTool(prompt) {
      let parameters: unknown;
      const { text, steps } = await generateText({
        // Not every provider has this setting. A small model would repeat parallel calls.
        model: connect({ fetch: fetchWith({ parallel_tool_calls: false }) }),
        prompt,
        temperature: 0,
        tools: {
          [WEATHER_TOOL.name]: tool({
            description: WEATHER_TOOL.description,
            inputSchema: jsonSchema(WEATHER_TOOL.parameters as never),
            execute: async (given) => {
              parameters = given;
              return 'Sunny, 21 degrees.';
            },
          }),
        },
        stopWhen: stepCountIs(2),
        prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'none' }),
      });
      return { name: steps[0]!.toolCalls[0]!.toolName, parameters, answer: text };
    },

    async structured(prompt) {
      const { output } = await generateText({
        model: connect(),
        prompt,
        temperature: 0,
        output: Output.object({ schema: jsonSchema(PERSON_SCHEMA as never) }),
      });
      return output;
    },

    async failure() {
      try {
        await generateText({ model: connect({ model: 'nobody' }), prompt: 'Hello' });
        return { status: undefined, message: '' };
      } catch (error) {
        if (!APICallError.isInstance(error)) throw error;
        return { status: error.statusCode, message: error.message };
      }
    },

    retry: () =>
      askWhileQueueIsFull(async (fetch) => {
        const { text } = await generateText({ model: connect({ fetch }), prompt: 'Hello', maxOutputTokens: 4 });
        return text;
      }),
  };
}

/** Returns a `fetch` that adds fields to the JSON of requests. */
function fetchWith(fields: object): typeof fetch {
  return (input, init) => {
    const body = JSON.parse(init!.body as string) as object;
    return fetch(input, { ...init, body: JSON.stringify({ ...body, ...fields }) });
  };
}
