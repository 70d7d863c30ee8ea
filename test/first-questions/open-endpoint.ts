import { fetchCompletion } from '../../src/command-line/browser/fetch-completion.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { openPage } from '../../src/command-line/browser/open-page.ts';
import type { Asker } from './asker.ts';

interface Completion {
  readonly choices: readonly [{ readonly message: { readonly content: string | null }; readonly stop_reason?: string }];
}

/**
 * Opens the site in a browser, to ask by `POST /v1/chat/completions`.
 * @param fields The fields of each request beside `messages` and `seed`.
 */
export async function openEndpoint(
  siteUrl: string,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Asker> {
  const page = await openPage(siteUrl, findBrowser().path, signal);
  return {
    ask: async (question, seed) => {
      const body = { ...fields, seed, messages: [{ role: 'user', content: question }] };
      const { choices } = (await fetchCompletion(page, body)) as Completion;
      return { text: choices[0].message.content ?? '', isStuck: choices[0].stop_reason === 'repetition' };
    },
    close: () => page.close(),
  };
}
