import { HumanMessage, ToolMessage, type UsageMetadata } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { ENDLESS, leaveEarly, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from '../../support/chat-client.ts';
import { askWhileQueueIsFull } from '../../support/full-queue.ts';

const connect = (options: { model?: string; fetch?: typeof fetch; maxTokens?: number; modelKwargs?: object } = {}) => {
  const { model = MODEL, fetch, maxTokens, modelKwargs } = options;
  return new ChatOpenAI({
    model,
    apiKey: 'local',
    temperature: 0,
    configuration: { baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, ...(fetch ? { fetch } : {}) },
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(modelKwargs === undefined ? {} : { modelKwargs: { ...modelKwargs } }),
  });
};

export const complete: ChatClient['complete'] = async (question) => {
  const message = await connect().invoke(question);
  // The package's own type of this field is `never` here.
  const usage = message.usage_metadata as UsageMetadata | undefined;
  return { text: message.text, totalTokens: usage?.total_tokens };
};

export const stream: ChatClient['stream'] = async (question) => {
  const pieces: string[] = [];
  for await (const chunk of await connect().stream(question)) if (chunk.text) pieces.push(chunk.text);
  return pieces;
};

export const abort: ChatClient['abort'] = async () => {
  const left = await leaveEarly(async function* (signal) {
    for await (const { text } of await connect({ modelKwargs: ENDLESS }).stream('Hello', { signal })) yield text;
  });
  return { ...left, next: (await connect({ maxTokens: 4 }).invoke('Hello')).text };
};

export const useTool: ChatClient['useTool'] = async (question) => {
  const tools = [{ type: 'function' as const, function: WEATHER_TOOL }];
  const asked = new HumanMessage(question);
  const message = await connect()
    .bindTools(tools, { tool_choice: 'required', parallel_tool_calls: false })
    .invoke([asked]);
  const call = message.tool_calls![0]!;
  const result = new ToolMessage({ content: 'Sunny, 21 degrees.', tool_call_id: call.id! });
  const answer = await connect().bindTools(tools, { tool_choice: 'none' }).invoke([asked, message, result]);
  return { name: call.name, parameters: call.args, answer: answer.text };
};

export const structured: ChatClient['structured'] = (question) =>
  connect()
    .withStructuredOutput({ title: 'person', ...PERSON_SCHEMA }, { method: 'jsonSchema' })
    .invoke(question);

export const failure: ChatClient['failure'] = async () => {
  try {
    await connect({ model: 'nobody' }).invoke('Hello');
    return { status: undefined, message: '' };
  } catch (error) {
    const { status, message } = error as Error & { status?: number };
    return { status, message };
  }
};

export const retry: ChatClient['retry'] = () =>
  askWhileQueueIsFull(async (fetch) => (await connect({ fetch, maxTokens: 4 }).invoke('Hello')).text);
