import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embed, embedMany, type EmbeddingModel } from 'ai';
import OpenAI6 from 'openai';
import OpenAI, { BadRequestError } from 'openai7';

const MODEL = 'pocket-embed';
const connection = () => ({ apiKey: 'local', baseURL: `${location.origin}/v1` });

// The two versions differ only in private members, so one type fits both.
const openai = (Client: typeof OpenAI) => new Client({ ...connection(), dangerouslyAllowBrowser: true });

async function byOpenai(Client: typeof OpenAI, input: string[], format?: 'float'): Promise<number[][]> {
  const fields = { model: MODEL, input, ...(format && { encoding_format: format }) };
  const { data, usage } = await openai(Client).embeddings.create(fields);
  if (usage.total_tokens < input.length) throw new Error('There are fewer tokens than texts.');
  return data.map(({ embedding }) => embedding);
}

async function byAiSdk(model: EmbeddingModel, values: string[]): Promise<number[][]> {
  const [first = ''] = values;
  const { embedding } = await embed({ model, value: first });
  const { embeddings } = await embedMany({ model, values });
  return [embedding, ...embeddings.slice(1)];
}

function langchain(more: object = {}): OpenAIEmbeddings {
  const { apiKey, baseURL } = connection();
  return new OpenAIEmbeddings({
    model: MODEL,
    apiKey,
    configuration: { baseURL, dangerouslyAllowBrowser: true },
    ...more,
  });
}

/** For each client package, a function that returns the embeddings of texts. */
const CLIENTS: Readonly<Record<string, (texts: string[]) => Promise<number[][]>>> = {
  'openai 7': (texts) => byOpenai(OpenAI, texts),
  'openai 7, floats': (texts) => byOpenai(OpenAI, texts, 'float'),
  'openai 6': (texts) => byOpenai(OpenAI6 as unknown as typeof OpenAI, texts),
  ai: (texts) => byAiSdk(createOpenAI(connection()).textEmbeddingModel(MODEL), texts),
  'ai, compatible': (texts) =>
    byAiSdk(createOpenAICompatible({ name: 'tabserve', ...connection() }).textEmbeddingModel(MODEL), texts),
  LangChain: async (texts) => [
    await langchain().embedQuery(texts[0]!),
    ...(await langchain({ batchSize: 2 }).embedDocuments(texts)).slice(1),
  ],
};

export async function embedWith(client: string, texts: string[]): Promise<number[][]> {
  return CLIENTS[client]!(texts);
}

/** Returns the error of the `openai` client for embeddings of a chat model. */
export async function refusal(): Promise<{ readonly status: unknown; readonly message: string }> {
  try {
    await openai(OpenAI).embeddings.create({ model: 'pocket', input: 'a' });
    return { status: 200, message: '' };
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    return { status: error.status, message: error.message };
  }
}
