import { buildWhenStale } from '../../scripts/build/build-when-stale.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { openPage } from '../../src/command-line/browser/open-page.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import type { LocalModel } from '../../src/command-line/local-models.ts';
import { sleep } from '../../src/shared/timeout.ts';

/** Milliseconds between two looks at a vector store that is being indexed. */
const POLL_INTERVAL = 500;

/** The endpoint of the built site, in a browser without a graphics card. */
export interface Endpoint {
  /** Sends JSON, or a form, and returns the JSON of the response. @throws Error with an error response. */
  post(path: string, body: object): Promise<unknown>;
  /** Returns the id of a vector store of texts, when it is indexed. */
  createStore(texts: Readonly<Record<string, string>>, embeddingModel?: string): Promise<string>;
  close(): Promise<void>;
}

/** @param gguf Models that the site offers beside the built-in ones. */
export async function openEndpoint(gguf: readonly LocalModel[], signal: AbortSignal): Promise<Endpoint> {
  const site = await serveBuiltSite({ folder: process.env['TABSERVE_TEST_DIST'] ?? (await buildWhenStale()), gguf });
  const page = await openPage(site.url, findBrowser().path, signal);
  const send = async (method: string, path: string, body: Response | null): Promise<unknown> => {
    const headers: [string, string][] = [['authorization', 'Bearer local']];
    const type = body?.headers.get('content-type');
    if (type) headers.push(['content-type', type]);
    const bytes = body === null ? null : Buffer.from(await body.arrayBuffer());
    const response = await page.fetch({ path: `/v1/${path}`, method, headers, body: bytes });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const post = (path: string, body: object) =>
    send('POST', path, body instanceof FormData ? new Response(body) : Response.json(body));
  return {
    post,
    async createStore(texts, embedding_model) {
      const ids: string[] = [];
      for (const [name, text] of Object.entries(texts)) {
        const form = new FormData();
        form.set('purpose', 'user_data');
        form.set('file', new File([text], name));
        ids.push(((await post('files', form)) as { readonly id: string }).id);
      }
      const store = (await post('vector_stores', { file_ids: ids, embedding_model })) as { readonly id: string };
      for (;;) {
        const { file_counts: counts } = (await send('GET', `vector_stores/${store.id}`, null)) as {
          readonly file_counts: { readonly in_progress: number; readonly completed: number };
        };
        if (counts.completed === ids.length) return store.id;
        if (counts.in_progress === 0) throw new Error('A file was not indexed.');
        await sleep(POLL_INTERVAL, signal);
      }
    },
    async close() {
      await page.close();
      await site.close();
    },
  };
}
