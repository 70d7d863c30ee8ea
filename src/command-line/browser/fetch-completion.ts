import type { OpenPage } from './open-page.ts';

/**
 * Limit of requests for one answer: while an engine that has ended is started again, the endpoint responds with 503.
 */
const ATTEMPTS = 6;

/**
 * Sends a chat completion to the endpoint of a page, with the key `local`.
 * @param body Fields of the request, without `stream`.
 * @returns the answer's JSON.
 * @throws Error with status and body of an error response.
 */
export async function fetchCompletion(page: OpenPage, body: object): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await page.fetch({
      path: '/v1/chat/completions',
      method: 'POST',
      headers: [
        ['content-type', 'application/json'],
        ['authorization', 'Bearer local'],
      ],
      body: Buffer.from(JSON.stringify(body)),
    });
    if (response.ok) return response.json();
    const problem = await response.text();
    if (response.status !== 503 || attempt === ATTEMPTS) throw new Error(`${response.status} ${problem}`);
  }
}
