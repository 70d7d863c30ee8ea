import { contextLengthExceeded } from '../../../shared/engine/engine-errors.ts';
import { sleep } from '../../../shared/timeout.ts';
import type { LoadedModel } from '../loading/loaded-model.ts';
import type { GenerationPlan } from './plan-generation.ts';

/** Characters that are tokenized in one go: about a seventh of a second, in which this thread can do nothing else. */
const SLICE = 2 ** 17;

/**
 * Refuses a prompt that cannot fit. WebLLM finds that out by itself, but tokenizes all of the prompt for it, about a
 * megabyte a second, in which neither a cancel nor another request is heard.
 *
 * What cannot fit by its size alone is refused at once. What might is tokenized by slices, until it is certain: at the
 * edges of slices tokens may be others than in the whole, so only twice what fits counts.
 *
 * @throws ApiError `context_length_exceeded`; the signal's reason.
 */
export async function refuseLongPrompt(
  { messages, errorContext }: GenerationPlan,
  { pipeline, entry, longestToken }: LoadedModel,
  signal: AbortSignal,
): Promise<void> {
  const window = entry.contextWindow;
  const { prompt: param } = errorContext;
  const texts = messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const fewest = Math.ceil(characters / longestToken);
  if (fewest > window) throw contextLengthExceeded(window, `at least ${fewest}`, { param });
  // A WebLLM that keeps it elsewhere has to find out by itself.
  const tokenizer = characters > SLICE ? pipeline.tokenizer : undefined;
  if (tokenizer === undefined) return;
  let tokens = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length; start += SLICE) {
      tokens += tokenizer.encode(text.slice(start, start + SLICE)).length;
      if (tokens > 2 * window) throw contextLengthExceeded(window, `at least ${Math.ceil(tokens / 2)}`, { param });
      await sleep(0, signal);
    }
  }
}
