import type OpenAI from 'openai';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { leaveEarly, LONG_STORY, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from './chat-client.ts';
import { askWhileQueueIsFull } from './full-queue.ts';

const question = <Input extends string | ResponseInput>(input: Input) => ({ model: MODEL, temperature: 0, input });

async function answer(client: OpenAI, content: string, maxTokens: number | null = null) {
  const response = await client.responses.create({ ...question(content), max_output_tokens: maxTokens });
  return { text: response.output_text, totalTokens: response.usage?.total_tokens };
}

/** Runs in the page: {@link ChatClient} for the Responses API of a version of the `openai` package. */
export function openaiResponsesClient(Client: typeof OpenAI): ChatClient {
  const connect = (options: { fetch?: typeof fetch } = {}) =>
    new Client({ apiKey: 'local', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, ...options });
  return {
    complete: (content) => answer(connect(), content),

    async stream(content) {
      const pieces: string[] = [];
      const stream = connect().responses.stream(question(content));
      stream.on('response.output_text.delta', ({ delta }) => pieces.push(delta));
      const response = await stream.finalResponse();
      if (response.output_text !== pieces.join('')) throw new Error('The client put another text together.');
      return pieces;
    },

    async abort() {
      const client = connect();
      const left = await leaveEarly(async function* (signal) {
        const stream = await client.responses.create({ ...question(LONG_STORY), stream: true }, { signal });
        for await (const event of stream) yield event.type === 'response.output_text.delta' ? event.delta : '';
      });
      return { ...left, next: (await answer(client, 'Hello', 4)).text };
    },

    async useTool(content) {
      const client = connect();
      const tools = [{ type: 'function' as const, strict: true, ...WEATHER_TOOL }];
      const asked = await client.responses.create({
        ...question(content),
        tools,
        tool_choice: 'required',
        parallel_tool_calls: false,
      });
      const call = asked.output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Error(`No call: ${JSON.stringify(asked.output)}.`);
      const reply = { type: 'function_call_output' as const, call_id: call.call_id, output: 'Sunny, 21 degrees.' };
      const replied = await client.responses.create({
        ...question([reply]),
        previous_response_id: asked.id,
        tools,
        tool_choice: 'none',
      });
      return { name: call.name, parameters: JSON.parse(call.arguments), answer: replied.output_text };
    },

    async structured(content) {
      const format = { type: 'json_schema' as const, name: 'person', strict: true, schema: PERSON_SCHEMA };
      const response = await connect().responses.parse({ ...question(content), text: { format } });
      return response.output_parsed;
    },

    async failure() {
      try {
        await connect().responses.create({ ...question('Hello'), model: 'nobody' });
        return { status: undefined, message: '' };
      } catch (error) {
        if (!(error instanceof Client.NotFoundError)) throw error;
        return { status: error.status, message: error.message };
      }
    },

    retry: () => askWhileQueueIsFull(async (fetch) => (await answer(connect({ fetch }), 'Hello', 4)).text),
  };
}
