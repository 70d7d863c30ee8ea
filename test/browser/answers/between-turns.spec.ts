import { expect, type Page } from '@playwright/test';
import { test } from '../../support/pages/shared-site.ts';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const QUESTIONS = ['What is the capital of France?', 'What is 12 plus 30?', 'What is a dog?', 'Tell me a story.'];

/**
 * The prompts of every turn of three conversations, each long enough for its KV cache to be saved when another one
 * comes.
 */
const PROMPTS = ['Tom', 'Anna', 'Rex'].flatMap((name) => {
  const first: Turn = {
    role: 'user',
    content: `My name is ${name}. ${'I live by the sea and like books. '.repeat(4)}Who am I?`,
  };
  const further = QUESTIONS.flatMap((content): Turn[] => [
    { role: 'assistant', content: `You are ${name}.` },
    { role: 'user', content },
  ]);
  return Array.from({ length: QUESTIONS.length + 1 }, (_, turn) => [first, ...further.slice(0, 2 * turn)]);
});

/** Returns the most likely answer of the built-in model. */
async function answerTo(page: Page, messages: readonly Turn[]): Promise<string> {
  const body = JSON.stringify({ model: 'pocket', messages, temperature: 0, max_tokens: 12 });
  return page.evaluate(async (body) => {
    const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
    const response = await fetch('/v1/chat/completions', { method: 'POST', headers, body });
    if (!response.ok) return `${response.status}: ${await response.text()}`;
    return (await response.json()).choices[0].message.content;
  }, body);
}

// A tenth of a second after an answer, the engine prefills the tokens before the next question and saves the KV cache.
// Requests arrive before, during and after that.
test('alternating conversations get the same answers, however soon a request follows an answer', async ({ site }) => {
  test.setTimeout(180_000);
  const known = new Map<number, string>();
  for (let request = 0; request < 45; request++) {
    const index = (request * 7 + Math.floor(request / 15)) % PROMPTS.length;
    const answer = await answerTo(site, PROMPTS[index]!);
    expect(answer, `request ${request}`).toBe(known.get(index) ?? answer);
    expect(answer).not.toMatch(/^\d{3}: /);
    known.set(index, answer);
    await site.waitForTimeout(70 + ((request * 13) % 90));
  }
  expect(known.size).toBe(PROMPTS.length);
});
