import type OpenAI from 'openai';
import { ENDLESS, leaveEarly, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from './chat-client.ts';
import { askWhileQueueIsFull } from './full-queue.ts';

const question = (content: string) => ({
  model: MODEL,
  temperature: 0,
  messages: [{ role: 'user' as const, content }],
});

async function answer(client: OpenAI, content: string, maxTokens: number | null = null) {
  const { choices, usage } = await client.chat.completions.create({ ...question(content), max_tokens: maxTokens });
  return { text: choices[0]!.message.content!, totalTokens: usage?.total_tokens };
}

/** Runs in the page: {@link ChatClient} for a version of the `openai` package. */
export function openaiChatClient(Client: typeof OpenAI): ChatClient {
  const connect = (options: { fetch?: typeof fetch } = {}) =>
    new Client({ apiKey: 'local', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, ...options });
  return {
    complete: (content) => answer(connect(), content),

    async stream(content) {
      const pieces: string[] = [];
      const stream = connect().chat.completions.stream(question(content));
      stream.on('content', (piece) => pieces.push(piece));
      if ((await stream.finalContent()) !== pieces.join('')) throw new Error('The client put another text together.');
      return pieces;
    },

    async abort() {
      const client = connect();
      const left = await leaveEarly(async function* (signal) {
        const stream = await client.chat.completions.create(
          { ...question('Hello'), ...ENDLESS, stream: true },
          { signal },
        );
        for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
      });
      return { ...left, next: (await answer(client, 'Hello', 4)).text };
    },

    async useTool(content) {
      const { messages, ...rest } = question(content);
      const client = connect();
      const first = await client.chat.completions.create({
        ...rest,
        messages,
        tools: [{ type: 'function', function: WEATHER_TOOL }],
        tool_choice: 'required',
        parallel_tool_calls: false,
      });
      const message = first.choices[0]!.message;
      const call = message.tool_calls![0]!;
      if (call.type !== 'function') throw new Error(`Call of type ${call.type}.`);
      const second = await client.chat.completions.create({
        ...rest,
        messages: [...messages, message, { role: 'tool', tool_call_id: call.id, content: 'Sunny, 21 degrees.' }],
        tools: [{ type: 'function', function: WEATHER_TOOL }],
        tool_choice: 'none',
      });
      return {
        name: call.function.name,
        parameters: JSON.parse(call.function.arguments),
        answer: second.choices[0]!.message.content!,
      };
    },

    async structured(content) {
      const completion = await connect().chat.completions.parse({
        ...question(content),
        response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema: PERSON_SCHEMA } },
      });
      return completion.choices[0]!.message.parsed;
    },

    async failure() {
      try {
        await connect().chat.completions.create({ ...question('Hello'), model: 'nobody' });
        return { status: undefined, message: '' };
      } catch (error) {
        if (!(error instanceof Client.NotFoundError)) throw error;
        return { status: error.status, message: error.message };
      }
    },

    retry: () => askWhileQueueIsFull(async (fetch) => (await answer(connect({ fetch }), 'Hello', 4)).text),
  };
}
