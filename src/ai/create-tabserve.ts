import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import type { Tabserve } from '../page/index.ts';

/** Settings of {@link createTabserve} that have defaults. */
export interface TabserveProviderOptions {
  /** Default: `local`, the key that every site accepts unless it names its own. */
  readonly apiKey?: string;
}

/**
 * A provider for Vercel's `ai` package: `generateText({ model: createTabserve(register())('pocket'), … })`.
 *
 * A call waits until the endpoint is ready, and its stream goes on when the browser stops the service worker in the
 * middle of it. Usage is told for streams too, and schemas are enforced while the model writes.
 * @param tabserve What `register()` has given.
 */
export function createTabserve(
  tabserve: Pick<Tabserve, 'ready' | 'fetch' | 'basePath'>,
  { apiKey = 'local' }: TabserveProviderOptions = {},
): OpenAICompatibleProvider {
  // A server that renders the page makes the provider, and calls it only in a browser.
  const origin = globalThis.location?.origin ?? 'http://localhost';
  return createOpenAICompatible({
    name: 'tabserve',
    baseURL: origin,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: async (input, init) => {
      await tabserve.ready;
      // Where the endpoint is, the page may have learned only by now.
      return tabserve.fetch(String(input).replace(origin, origin + tabserve.basePath), init);
    },
  });
}
