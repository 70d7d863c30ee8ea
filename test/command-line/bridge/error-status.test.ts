import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withErrorStatus } from '../../../src/command-line/bridge/with-error-status.ts';
import type { HeaderList, PageRequest } from '../../../src/command-line/browser/page-fetch.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that sends its headers after 10 s, and its document never. */
async function endlessPage(): Promise<Response> {
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  return new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } });
}

test('the page is asked for its headers early', async () => {
  const requests: PageRequest[] = [];
  const fetch = withErrorStatus(async (request) => {
    requests.push(request);
    return new Response('{}');
  });
  await fetch({ path: '/v1/messages', headers: [['x-api-key', 'local']] });
  const names = requests[0]!.headers!.map(([name]) => name);
  expect(names).toEqual(['x-api-key', EARLY_HEADERS_HEADER]);
});

test.each<[what: string, headers: HeaderList, seconds: number]>([
  ['a client that states no timeout', [], 240],
  ['a client that waits ten minutes', [['X-Stainless-Timeout', '600']], 240],
  ['a client that waits 20 seconds', [['x-stainless-timeout', '20']], 18],
  ['a client in Python that waits 60 seconds for each piece', [['X-Stainless-Read-Timeout', '60.0']], 54],
  ['a client in Python that waits for ever', [['x-stainless-read-timeout', 'None']], 240],
  ['a client behind a proxy', [['X-Forwarded-For', '10.0.0.7']], 50],
  [
    'a client that waits ten minutes behind a proxy',
    [
      ['Via', '1.1 gate'],
      ['x-stainless-timeout', '600'],
    ],
    50,
  ],
])('the headers for %s wait for the document, also while the page withholds its own', async (_, headers, seconds) => {
  const responses: Response[] = [];
  void withErrorStatus(endlessPage)({ path: '/v1/messages', headers }).then((response) => responses.push(response));
  await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
  expect(responses).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(responses).toMatchObject([{ status: 200 }]);
});

test.each<[error: object, status: number]>([
  [{ code: 'model_not_found' }, 404],
  [{ type: 'overloaded_error' }, 503],
  // What an upstream may send.
  [{ code: null, type: 'rate_limit_error' }, 500],
  [{ code: 'toString' }, 500],
  [{ type: 'constructor' }, 500],
  [{ code: 7, type: 'server_error' }, 500],
])('a document that is the error %j arrives with the status %i', async (error, status) => {
  const headers = { 'content-type': 'application/json' };
  const fetch = withErrorStatus(async () => new Response(` ${JSON.stringify({ error })}`, { headers }));
  expect((await fetch({ path: '/v1/messages' })).status).toBe(status);
});
