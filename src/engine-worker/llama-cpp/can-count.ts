import type { Wllama } from '@wllama/wllama';
import { withAbort, withTimeout } from '../../shared/timeout.ts';

/** Every language model continues it with 13. */
const COUNTED = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,';

/** Milliseconds. The first tokens also wait for the shaders to be compiled. */
const TIMEOUT = 120_000;

/**
 * Whether a model that has just been loaded continues to count. A graphics device whose driver compiles a shader wrong gives
 * random words instead; nothing else would tell.
 * @throws the signal's reason.
 */
export async function canCount(wllama: Wllama, signal: AbortSignal): Promise<boolean> {
  const completion = wllama.createCompletion({ prompt: COUNTED, max_tokens: 3, temperature: 0 });
  const answer = await withTimeout(TIMEOUT, withAbort(completion, signal), null);
  return answer !== null && /^\s*13/.test(answer.choices[0]?.text ?? '');
}
