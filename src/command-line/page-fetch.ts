import type { Page } from '@playwright/test';

type HeaderList = readonly (readonly [name: string, value: string])[];

export interface PageRequest {
  /** Path and query below the page's origin. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: HeaderList;
  readonly body?: Uint8Array | null;
  readonly signal?: AbortSignal;
}

/**
 * `fetch` of a page, callable from Node: the page's service worker answers. The body is the page's own stream
 * piece by piece; a slow reader slows the page, cancelling or aborting cancels in the page. Rejects, or errors
 * the body, when the page cannot fetch or is gone.
 */
export type PageFetch = (request: PageRequest) => Promise<Response>;

/** A request as it crosses into the page. Each character of `body` is one byte, as JSON has no bytes. */
interface RelayedRequest {
  readonly id: number;
  readonly path: string;
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: string | null;
}

/** What comes back from the page: one head, any number of chunks, one end; or a failure at any point. */
type RelayedEvent =
  | { readonly type: 'head'; readonly status: number; readonly statusText: string; readonly headers: HeaderList }
  | { readonly type: 'chunk'; readonly bytes: string }
  | { readonly type: 'end' }
  | { readonly type: 'failure'; readonly message: string };

/** Globals of the page that the relay uses. */
interface RelayGlobals {
  tabserveRelay(id: number, event: RelayedEvent): Promise<void>;
  tabserveAborts?: Map<number, AbortController>;
}

/** Statuses whose `Response` refuses a body, even an empty one. */
const STATUSES_WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

/** Prepares a page; once per page. */
export async function createPageFetch(page: Page): Promise<PageFetch> {
  const receivers = new Map<number, (event: RelayedEvent) => Promise<void> | void>();
  let lastId = 0;
  await page.exposeFunction('tabserveRelay', (id: number, event: RelayedEvent) => receivers.get(id)?.(event));

  return ({ path, method = 'GET', headers = [], body = null, signal }) =>
    new Promise<Response>((resolve, reject) => {
      const id = ++lastId;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const fail = (reason: unknown) => {
        reject(reason);
        writer.abort(reason).catch(() => {});
      };
      const abort = () => fail(signal?.reason);

      // Rejects when the reader cancels, when the signal aborts and when the page fails: whatever it was, the page
      // must stop. A page that is gone has nothing left to stop.
      writer.closed
        .catch(() => page.evaluate(abortInPage, id).catch(() => {}))
        .finally(() => {
          receivers.delete(id);
          signal?.removeEventListener('abort', abort);
        });
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort);

      receivers.set(id, async (event) => {
        switch (event.type) {
          case 'head': {
            const { status, statusText, headers } = event;
            const init = {
              status,
              statusText,
              headers: headers.map(([name, value]): [string, string] => [name, value]),
            };
            return resolve(new Response(STATUSES_WITHOUT_BODY.has(status) ? null : readable, init));
          }
          case 'chunk':
            // The page waits for this before it reads on. A cancelled reader is dealt with above.
            return writer.write(Buffer.from(event.bytes, 'latin1')).catch(() => {});
          case 'end':
            return writer.close().catch(() => {});
          case 'failure':
            return fail(new TypeError(event.message));
        }
      });
      const request: RelayedRequest = {
        id,
        path,
        method,
        headers,
        body: body && Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'),
      };
      page.evaluate(relayInPage, request).catch(fail);
    });
}

/** Runs in the page, so it can use nothing outside itself but the page's globals. */
async function relayInPage({ id, path, method, headers, body }: RelayedRequest): Promise<void> {
  const page = globalThis as unknown as RelayGlobals;
  const controller = new AbortController();
  page.tabserveAborts ??= new Map();
  page.tabserveAborts.set(id, controller);
  try {
    let bodyBytes: Uint8Array<ArrayBuffer> | null = null;
    if (body !== null) {
      bodyBytes = new Uint8Array(body.length);
      for (let index = 0; index < body.length; index++) bodyBytes[index] = body.charCodeAt(index);
    }
    const response = await fetch(path, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: bodyBytes,
      signal: controller.signal,
    });
    const { status, statusText } = response;
    await page.tabserveRelay(id, { type: 'head', status, statusText, headers: [...response.headers] });
    const reader = response.body?.getReader();
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      let bytes = '';
      // `apply` takes only so many arguments.
      for (let start = 0; start < piece.value.length; start += 8192) {
        bytes += String.fromCharCode(...piece.value.subarray(start, start + 8192));
      }
      await page.tabserveRelay(id, { type: 'chunk', bytes });
    }
    await page.tabserveRelay(id, { type: 'end' });
  } catch (error) {
    await page.tabserveRelay(id, { type: 'failure', message: String(error) });
  } finally {
    page.tabserveAborts.delete(id);
  }
}

/** Runs in the page. */
function abortInPage(id: number): void {
  (globalThis as unknown as RelayGlobals).tabserveAborts?.get(id)?.abort();
}
