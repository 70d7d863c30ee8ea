import type { Wllama } from '@wllama/wllama';
import { withAbort, withTimeout } from '../../shared/timeout.ts';

/** Every language model that works continues this prompt with 13. */
const COUNTED = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,';

/** Milliseconds. The time includes the compilation of the shaders, which the first tokens need. */
const TIMEOUT = 120_000;

/**
 * Whether a model that has just been loaded continues to count. If the driver compiles a shader wrong, the model writes
 * random words, and no error is reported.
 * @throws the signal's reason.
 */
export async function canCount(wllama: Wllama, signal: AbortSignal): Promise<boolean> {
  const completion = wllama.createCompletion({ prompt: COUNTED, max_tokens: 3, temperature: 0 });
  const answer = await withTimeout(TIMEOUT, withAbort(completion, signal), null);
  return answer !== null && /^\s*13/.test(answer.choices[0]?.text ?? '');
}
