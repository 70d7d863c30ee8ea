import { afterEach, expect, test, vi } from 'vitest';
import { createPageFetch, type PageFetch } from '../../../src/command-line/browser/page-fetch.ts';

afterEach(() => vi.unstubAllGlobals());

/** Sends requests through a page that answers with the body that it got. @returns also the size of each message to it. */
function echoingPage() {
  const sizes: number[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => new Response(body));
  const evaluate = async (call: (argument: unknown) => unknown, argument: unknown) => {
    // The protocol has the call as text in its JSON, and returns JSON.
    const message = JSON.stringify({ expression: `(${String(call)})(${JSON.stringify(argument)})` });
    sizes.push(Buffer.byteLength(message));
    const result = await call(JSON.parse(JSON.stringify(argument)));
    return result === undefined ? result : JSON.parse(JSON.stringify(result));
  };
  return { sizes, fetch: createPageFetch({ evaluate } as never) };
}

const post = (fetch: PageFetch, body: Uint8Array) => fetch({ path: '/v1/files', method: 'POST', body });

test.each([
  ['zero', 0],
  ['a control character', 1],
  ['a quotation mark', 0x22],
  ['a backslash', 0x5c],
  ['a letter', 0x61],
  ['a part of a character', 0xff],
])('the message to the page grows by no more than half if each byte of a body is %s', async (_, byte) => {
  const { sizes, fetch } = echoingPage();
  const size = 1_000_000;
  const response = await post(fetch, new Uint8Array(size).fill(byte));
  expect(sizes[0]).toBeLessThan(1.5 * size);
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.alloc(size, byte))).toBe(true);
});

test('each byte arrives as it is in both directions, also from the middle of a buffer', async () => {
  const { fetch } = echoingPage();
  const bytes = Uint8Array.from({ length: 777 }, (_, index) => index % 256);
  const body = bytes.subarray(5, 700);
  expect(new Uint8Array(await (await post(fetch, body)).arrayBuffer())).toEqual(body);
});

test('the body of a page that is loaded again while nothing is read fails, rather than to end early', async () => {
  const { fetch } = echoingPage();
  const response = await post(fetch, Buffer.from('whole'));
  vi.stubGlobal('tabserveAnswers', undefined);
  await expect(response.text()).rejects.toThrow('loaded again');
});
