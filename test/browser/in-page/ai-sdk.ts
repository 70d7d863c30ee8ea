import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { ENDLESS, leaveEarly, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from '../../support/chat-client.ts';
import { askWhileQueueIsFull } from '../../support/full-queue.ts';

type Options = {
  fetch?: typeof fetch;
  transformRequestBody?: (body: Record<string, unknown>) => Record<string, unknown>;
};

const connect = (options: Options = {}, model = MODEL) =>
  createOpenAICompatible({
    name: 'tabserve',
    apiKey: 'local',
    baseURL: `${location.origin}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...options,
  })(model);

export const complete: ChatClient['complete'] = async (prompt) => {
  const { text, usage } = await generateText({ model: connect(), prompt, temperature: 0 });
  return { text, totalTokens: usage.totalTokens };
};

export const stream: ChatClient['stream'] = async (prompt) => {
  const pieces: string[] = [];
  for await (const piece of streamText({ model: connect(), prompt, temperature: 0 }).textStream) pieces.push(piece);
  return pieces;
};

export const abort: ChatClient['abort'] = async () => {
  const model = connect({ transformRequestBody: (body) => ({ ...body, ...ENDLESS }) });
  const left = await leaveEarly((abortSignal) => streamText({ model, prompt: 'Hello', abortSignal }).textStream);
  const { text } = await generateText({ model: connect(), prompt: 'Hello', maxOutputTokens: 4 });
  return { ...left, next: text };
};

export const useTool: ChatClient['useTool'] = async (prompt) => {
  let parameters: unknown;
  const { text, steps } = await generateText({
    // The package has no setting for it; a small model repeats itself where it may.
    model: connect({ transformRequestBody: (body) => ({ ...body, parallel_tool_calls: false }) }),
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
};

export const structured: ChatClient['structured'] = async (prompt) => {
  const { output } = await generateText({
    model: connect(),
    prompt,
    temperature: 0,
    output: Output.object({ schema: jsonSchema(PERSON_SCHEMA as never) }),
  });
  return output;
};

export const failure: ChatClient['failure'] = async () => {
  try {
    await generateText({ model: connect({}, 'nobody'), prompt: 'Hello' });
    return { status: undefined, message: '' };
  } catch (error) {
    if (!APICallError.isInstance(error)) throw error;
    return { status: error.statusCode, message: error.message };
  }
};

export const retry: ChatClient['retry'] = () =>
  askWhileQueueIsFull(async (fetch) => {
    const { text } = await generateText({ model: connect({ fetch }), prompt: 'Hello', maxOutputTokens: 4 });
    return text;
  });
