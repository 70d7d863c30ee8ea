import type { Wllama } from '@wllama/wllama';
import { openWllamaPage } from '../support/sites/wllama-page.ts';
import { CANDIDATES, type Distribution } from './distribution.ts';
import type { GrowingPrompt } from './growing-prompts.ts';
import type { CacheSetting } from './native-distributions.ts';

/** The used part of llama.cpp's answer to a completion of one token. */
interface Answer {
  readonly usage: { readonly prompt_tokens: number };
  readonly choices: readonly {
    readonly logprobs: {
      readonly content: readonly {
        readonly top_logprobs: readonly { readonly id: number; readonly logprob: number }[];
      }[];
    };
  }[];
}

/**
 * Computes distributions with llama.cpp in WebAssembly, in Chromium without a GPU, on one thread. Null stands for a prompt
 * whose most probable token is a part of a character, which wllama cannot return.
 */
export async function wllamaDistributions(
  modelPath: string,
  setting: CacheSetting,
  texts: readonly GrowingPrompt[],
): Promise<readonly (Distribution | null)[]> {
  const { page, close } = await openWllamaPage({ '/model.gguf': modelPath });
  try {
    await page.evaluate(loadModel, setting);
    const results: (Distribution | null)[] = [];
    for (const prompt of texts.flatMap(({ prompts }) => prompts)) {
      results.push(await page.evaluate(predict, { prompt, candidates: [CANDIDATES, 100, 30, 10] }));
    }
    return results;
  } finally {
    await close();
  }
}

// These two functions run in the page, so they use nothing outside themselves.

async function loadModel({ type, flashAttention }: CacheSetting): Promise<void> {
  const address = '/wllama.js';
  const module = (await import(address)) as { readonly Wllama: typeof Wllama };
  const wllama = new module.Wllama({ default: '/wllama.wasm' }, { suppressNativeLog: true });
  wllama.setCompat(null);
  const file = await (await fetch('/model.gguf')).blob();
  await wllama.loadModel([file], {
    n_ctx: 4096,
    n_parallel: 1,
    n_batch: 32,
    n_threads: 1,
    n_gpu_layers: 0,
    kv_unified: false,
    warmup: false,
    cache_type_k: type,
    cache_type_v: type,
    flash_attn: flashAttention,
  });
  Object.assign(globalThis, { wllama });
}

async function predict({
  prompt,
  candidates,
}: {
  readonly prompt: string;
  readonly candidates: readonly number[];
}): Promise<Distribution | null> {
  const { wllama } = globalThis as unknown as { readonly wllama: Wllama };
  const complete = wllama.createCompletion.bind(wllama) as unknown as (options: object) => Promise<Answer>;
  for (const n_probs of candidates) {
    // wllama fails if one of the tokens is a part of a character, so fewer are asked for then.
    const answer = await complete({ prompt, max_tokens: 1, temperature: 0, n_probs, cache_prompt: true }).catch(
      () => null,
    );
    if (answer === null) continue;
    const [token] = answer.choices[0]!.logprobs.content;
    return {
      promptTokens: answer.usage.prompt_tokens,
      top: token!.top_logprobs.map(({ id, logprob }) => [id, logprob] as const),
    };
  }
  return null;
}
