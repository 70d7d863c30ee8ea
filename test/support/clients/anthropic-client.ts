import Anthropic, { NotFoundError } from '@anthropic-ai/sdk';
import { leaveEarly, LONG_STORY, MODEL, PERSON_SCHEMA, WEATHER_TOOL, type ChatClient } from './chat-client.ts';
import { askWhileQueueIsFull } from './full-queue.ts';

type Message = Anthropic.MessageParam;

const question = (...messages: readonly [string, ...Message[]]) => {
  const [content, ...others] = messages;
  const first: Message = { role: 'user', content };
  return { model: MODEL, max_tokens: 200, temperature: 0, messages: [first, ...others] };
};

const connect = (options: { fetch?: typeof fetch } = {}) =>
  new Anthropic({ apiKey: 'local', baseURL: location.origin, dangerouslyAllowBrowser: true, ...options });

const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

async function answer(client: Anthropic, content: string, maxTokens = 200) {
  const message = await client.messages.create({ ...question(content), max_tokens: maxTokens });
  const { input_tokens, cache_read_input_tokens, output_tokens } = message.usage;
  return { text: textOf(message), totalTokens: input_tokens + (cache_read_input_tokens ?? 0) + output_tokens };
}

/** Runs in the page: {@link ChatClient} for `@anthropic-ai/sdk`. */
export const ANTHROPIC_CLIENT: ChatClient = {
  complete: (content) => answer(connect(), content),

  async stream(content) {
    const pieces: string[] = [];
    const stream = connect().messages.stream(question(content));
    stream.on('text', (delta) => pieces.push(delta));
    const message = await stream.finalMessage();
    if (textOf(message) !== pieces.join('')) throw new Error('The client put another text together.');
    if (message.stop_reason !== 'end_turn') throw new Error(`It ended with ${message.stop_reason}.`);
    return pieces;
  },

  async abort() {
    const client = connect();
    const left = await leaveEarly(async function* (signal) {
      const body = { ...question(LONG_STORY), max_tokens: 1500, stream: true } as const;
      for await (const event of await client.messages.create(body, { signal })) {
        yield event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '';
      }
    });
    return { ...left, next: (await answer(client, 'Hello', 4)).text };
  },

  async useTool(content) {
    const client = connect();
    const { name, description, parameters } = WEATHER_TOOL;
    const tools = [{ name, description, input_schema: { ...parameters, required: [...parameters.required] } }];
    const asked = await client.messages
      .stream({ ...question(content), tools, tool_choice: { type: 'any', disable_parallel_tool_use: true } })
      .finalMessage();
    const call = asked.content.find((block) => block.type === 'tool_use');
    if (call === undefined || asked.stop_reason !== 'tool_use') throw new Error(`No call: ${JSON.stringify(asked)}.`);
    const result: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, content: 'Sunny, 21 degrees.' }],
    };
    const replied = await client.messages.create({
      ...question(content, { role: 'assistant', content: asked.content }, result),
      tools,
      tool_choice: { type: 'none' },
    });
    return { name: call.name, parameters: call.input, answer: textOf(replied) };
  },

  async structured(content) {
    const format = { type: 'json_schema', schema: PERSON_SCHEMA } as const;
    const message = await connect().messages.create({ ...question(content), output_config: { format } });
    return JSON.parse(textOf(message));
  },

  async failure() {
    try {
      await connect().messages.create({ ...question('Hello'), model: 'nobody' });
      return { status: undefined, message: '' };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (error.type !== 'not_found_error' || error.requestID?.startsWith('req_') !== true) throw error;
      return { status: error.status, message: error.apiMessage ?? '' };
    }
  },

  retry: () => askWhileQueueIsFull(async (fetch) => (await answer(connect({ fetch }), 'Hello', 4)).text),
};
