import { HumanMessage, ToolMessage, type UsageMetadata } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { ENDLESS, leaveEarly, LONG_STORY, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from './chat-client.ts';
import { askWhileQueueIsFull } from './full-queue.ts';

interface ModelOptions {
  readonly model?: string;
  readonly fetch?: typeof fetch;
  readonly maxTokens?: number;
  readonly modelKwargs?: object;
}

/** Runs in the page: {@link ChatClient} for LangChain's model, with chat completions or the Responses API. */
export function langchainChatClient(useResponsesApi: boolean): ChatClient {
  const connect = ({ model = MODEL, fetch, maxTokens, modelKwargs }: ModelOptions = {}) =>
    new ChatOpenAI({
      model,
      apiKey: 'local',
      temperature: 0,
      useResponsesApi,
      configuration: { baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, ...(fetch ? { fetch } : {}) },
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(modelKwargs === undefined ? {} : { modelKwargs: { ...modelKwargs } }),
    });
  return {
    async complete(question) {
      const message = await connect().invoke(question);
      // The package's own type of this field is `never` here.
      const usage = message.usage_metadata as UsageMetadata | undefined;
      return { text: message.text, totalTokens: usage?.total_tokens };
    },

    async stream(question) {
      const pieces: string[] = [];
      for await (const chunk of await connect().stream(question)) if (chunk.text) pieces.push(chunk.text);
      return pieces;
    },

    async abort() {
      // The Responses API has no such fields, but its answer is long enough.
      const modelKwargs = useResponsesApi ? {} : ENDLESS;
      const left = await leaveEarly(async function* (signal) {
        for await (const { text } of await connect({ modelKwargs }).stream(LONG_STORY, { signal })) yield text;
      });
      return { ...left, next: (await connect({ maxTokens: 4 }).invoke('Hello')).text };
    },

    async useTool(question) {
      const tools = [{ type: 'function' as const, function: WEATHER_TOOL }];
      const asked = new HumanMessage(question);
      // For the Responses API the package sends a tool choice only if it is a name, not `required` or `none`.
      const forced = useResponsesApi ? WEATHER_TOOL.name : 'required';
      const message = await connect()
        .bindTools(tools, { tool_choice: forced, parallel_tool_calls: false })
        .invoke([asked]);
      const call = message.tool_calls![0]!;
      const result = new ToolMessage({ content: 'Sunny, 21 degrees.', tool_call_id: call.id! });
      const last = useResponsesApi ? connect() : connect().bindTools(tools, { tool_choice: 'none' });
      const answer = await last.invoke([asked, message, result]);
      return { name: call.name, parameters: call.args, answer: answer.text };
    },

    structured: (question) =>
      connect()
        .withStructuredOutput({ title: 'person', ...PERSON_SCHEMA }, { method: 'jsonSchema' })
        .invoke(question),

    async failure() {
      try {
        await connect({ model: 'nobody' }).invoke('Hello');
        return { status: undefined, message: '' };
      } catch (error) {
        const { status, message } = error as Error & { status?: number };
        return { status, message };
      }
    },

    retry: () => askWhileQueueIsFull(async (fetch) => (await connect({ fetch, maxTokens: 4 }).invoke('Hello')).text),
  };
}
