import OpenAI from 'openai';
import { allowUpstream, listUpstreams, revokeUpstream } from '../../../src/page/index.ts';
import { WEATHER_TOOL } from '../../support/clients/chat-client.ts';

export { allowUpstream, listUpstreams, revokeUpstream };

interface Outcome {
  /** Pieces of text (one without streaming), then the names of called tools. */
  readonly said: readonly string[];
  readonly engine: string | null;
  /** The status of the client's error; null without one. */
  readonly status: number | null;
  readonly failure: string | null;
}

export interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: boolean;
  readonly maxRetries?: number;
  /** Aborts after this many pieces. */
  readonly leaveAfter?: number;
}

/** Returns what the official client makes of a response. */
export async function ask({ model, stream, tools, maxRetries = 0, leaveAfter }: Asked): Promise<Outcome> {
  const baseURL = `${location.origin}/v1`;
  const client = new OpenAI({ baseURL, apiKey: 'local', dangerouslyAllowBrowser: true, maxRetries });
  const said: string[] = [];
  let engine: string | null = null;
  const question = {
    model,
    messages: [{ role: 'user' as const, content: 'What is the weather in Paris?' }],
    temperature: 0,
    max_tokens: 64,
    ...(tools && {
      tools: [{ type: 'function' as const, function: WEATHER_TOOL }],
      tool_choice: { type: 'function' as const, function: { name: WEATHER_TOOL.name } },
    }),
  };
  try {
    if (stream) {
      const { data, response } = await client.chat.completions.create({ ...question, stream }).withResponse();
      engine = response.headers.get('x-tabserve-engine');
      for await (const { choices } of data) {
        const { content, tool_calls: calls } = choices[0]?.delta ?? {};
        if (content) said.push(content);
        // Some servers repeat the name in every piece, or send null where there is no call.
        for (const { function: called } of calls ?? [])
          if (called?.name && !said.includes(called.name)) said.push(called.name);
        if (said.length === leaveAfter) break;
      }
    } else {
      const { data, response } = await client.chat.completions.create(question).withResponse();
      engine = response.headers.get('x-tabserve-engine');
      const { message } = data.choices[0]!;
      if (message.content) said.push(message.content);
      for (const call of message.tool_calls ?? []) if (call.type === 'function') said.push(call.function.name);
    }
    return { said, engine, status: null, failure: null };
  } catch (thrown) {
    const { status, message } = thrown as { status?: number; message: string };
    return { said, engine, status: status ?? null, failure: message };
  }
}

/** Returns the content of the site's databases as one text, as far as a script can read it. */
export async function readDatabases(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const values = await settled(database.transaction(store).objectStore(store).getAll());
      texts.push(JSON.stringify(values, (_, value) => (value instanceof ArrayBuffer ? decode(value) : value)));
    }
    database.close();
  }
  return texts.join('\n');
}

const decode = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error!));
  });
}
