import { expect, test } from '@playwright/test';
import { localModels } from '../../../src/command-line/commands/local-models.ts';
import { serveSite } from '../../../src/command-line/commands/serve-site.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
/** `gaps` has the distance of each piece's logit from the next one's, `end` that of the end; null for a cut answer. */
import native from './native-answers.json' with { type: 'json' };

const gguf = localModels().filter(({ id }) => id === 'smollm2');

test.use(WITHOUT_GPU);
test.skip(gguf.length === 0, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');

/**
 * Difference of logits below which two tokens are level. llama.cpp rounds activations to 8 bits, so that each difference in
 * the order of sums becomes noise: native llama.cpp with and without flash attention parts from itself at up to 0.33.
 */
const LEVEL = 0.5;

/** The chat template of the model as text, up to the answer. */
const rendered = (prompt: string) =>
  `<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\n${prompt}<|im_end|>\n<|im_start|>assistant\n`;

test('greedy answers are those of native llama.cpp, but for tokens that are level', async ({ page }) => {
  test.setTimeout(900_000);
  const folder = process.env['TABSERVE_TEST_DIST'];
  const site = await serveSite({ gguf, ...(folder ? { folder } : {}) });
  const ask = <Document>(path: string, body: object): Promise<Document> =>
    page.evaluate(
      async ({ path, body }) => {
        const response = await fetch(`/v1${path}`, {
          method: 'POST',
          headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
          body,
        });
        if (response.status !== 200) throw new Error(await response.text());
        return (await response.json()) as Document;
      },
      { path, body: JSON.stringify({ model: 'smollm2', temperature: 0, ...body }) },
    );
  try {
    await page.goto(site.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const partings: string[] = [];
    let tokens = 0;
    for (const { prompt, promptTokens, pieces, gaps, end } of native.answers) {
      const text = pieces.join('');
      const { choices, usage } = await ask<Answer>('/chat/completions', {
        messages: [{ role: 'user', content: prompt }],
        max_tokens: pieces.length + 1,
      });
      expect(usage.prompt_tokens, prompt).toBe(promptTokens);
      let ours = choices[0]!.message!.content;
      let at = 0;
      for (const [index, piece] of pieces.entries()) {
        tokens++;
        const next = at + piece.length;
        if (!ours.startsWith(text.slice(0, next))) {
          const gap = gaps[index]!;
          partings.push(`${gap} at "${text.slice(0, at)}|${piece}", here "${ours.slice(at, at + 20)}"`);
          expect(gap, partings.at(-1)).toBeLessThan(LEVEL);
          // Continues behind the token that native llama.cpp chose.
          const continued = { prompt: rendered(prompt) + text.slice(0, next), max_tokens: pieces.length };
          ours = text.slice(0, next) + (await ask<Answer>('/completions', continued)).choices[0]!.text;
        }
        at = next;
      }
      if (end !== null && ours !== text) expect(end, `${prompt} does not end`).toBeLessThan(LEVEL);
    }
    console.log(`${tokens} tokens, ${partings.length} of them level and chosen otherwise:\n${partings.join('\n')}`);
    expect(partings.length / tokens).toBeLessThan(0.1);
  } finally {
    await site.close();
  }
});

interface Answer {
  readonly choices: readonly { readonly message?: { readonly content: string }; readonly text?: string }[];
  readonly usage: { readonly prompt_tokens: number };
}
