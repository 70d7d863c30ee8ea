import OpenAI, { APIError } from 'openai';
import { resumingFetch } from './requests.ts';

const MODEL = 'pocket';

function client(apiKey = 'local', options: { fetch?: typeof fetch } = {}): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, ...options });
}

/** Requests an answer in JSON. */
export function complete(question: string): Promise<OpenAI.ChatCompletion> {
  return client().chat.completions.create({
    model: MODEL,
    temperature: 0,
    messages: [{ role: 'user', content: question }],
  });
}

/** Requests a stream and returns its pieces. @param resuming Whether the client uses `tabserve.fetch`. */
export async function stream(question: string, resuming = false): Promise<string[]> {
  const chunks = await client('local', resuming ? { fetch: resumingFetch } : {}).chat.completions.create({
    model: MODEL,
    temperature: 0,
    stream: true,
    messages: [{ role: 'user', content: question }],
  });
  const pieces: string[] = [];
  for await (const { choices } of chunks) {
    const content = choices[0]?.delta.content;
    if (content) pieces.push(content);
  }
  return pieces;
}

export async function listModels(apiKey: string): Promise<string[]> {
  const models = await client(apiKey).models.list();
  return models.data.map(({ id }) => id);
}

/** Makes a failing call. @returns the class and the fields of the client's error. */
export async function failure(apiKey: string, model: string) {
  try {
    await client(apiKey).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof APIError)) throw thrown;
    return {
      name: thrown.constructor.name,
      status: thrown.status,
      code: thrown.code,
      param: thrown.param,
      message: thrown.message,
    };
  }
}
