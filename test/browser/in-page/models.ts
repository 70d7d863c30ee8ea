import OpenAI from 'openai';

/** Ids that the official client lists. */
export async function listModels(apiKey: string): Promise<string[]> {
  const client = new OpenAI({ apiKey, baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true });
  const page = await client.models.list();
  return page.data.map(({ id }) => id);
}
