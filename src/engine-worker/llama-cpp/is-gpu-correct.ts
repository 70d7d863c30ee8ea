import type { Wllama } from '@wllama/wllama';
import { withAbort, withTimeout } from '../../shared/timeout.ts';

/** Every working language model continues this prompt with 13. */
const COUNTED = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,';

/** Milliseconds. The first tokens include the compilation of the shaders. */
const TIMEOUT = 120_000;

/**
 * Whether the GPU computes a newly loaded model correctly: the model continues to count. If the driver compiles a
 * shader incorrectly, the model generates random words, and no error is reported.
 * @throws the signal's reason.
 */
export async function isGpuCorrect(wllama: Wllama, signal: AbortSignal): Promise<boolean> {
  const completion = wllama.createCompletion({ prompt: COUNTED, max_tokens: 3, temperature: 0 });
  const answer = await withTimeout(TIMEOUT, withAbort(completion, signal), null);
  return answer !== null && /^\s*13/.test(answer.choices[0]?.text ?? '');
}
