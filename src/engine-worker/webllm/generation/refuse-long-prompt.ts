import { contextLengthExceeded } from '../../../shared/engine/engine-errors.ts';
import { sleep } from '../../../shared/timeout.ts';
import type { LoadedModel } from '../loading/load-chat-model.ts';
import type { GenerationPlan } from './plan-generation.ts';

/** Number of characters to tokenize in one call, which blocks the thread for about a seventh of a second. */
const SLICE = 2 ** 17;

/**
 * Refuses a prompt that is certainly too long for the context window. WebLLM checks the length, too, but it tokenizes
 * the whole prompt first, at about a megabyte a second, and blocks the worker during that time.
 *
 * First, the number of characters gives a lower bound of the number of tokens. Then a large prompt is tokenized in
 * slices. Slicing can add tokens at the edges, so the prompt is refused only above twice the context window.
 *
 * @throws ApiError `context_length_exceeded` if the prompt is certainly too long; the signal's reason if it aborts.
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
  if (fewest > window) throw contextLengthExceeded(entry, `at least ${fewest}`, { param });
  // WebLLM itself checks short prompts, and all prompts if this version of WebLLM does not expose its tokenizer.
  const tokenizer = characters > SLICE ? pipeline.tokenizer : undefined;
  if (tokenizer === undefined) return;
  let tokens = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length; start += SLICE) {
      tokens += tokenizer.encode(text.slice(start, start + SLICE)).length;
      if (tokens > 2 * window) throw contextLengthExceeded(entry, `at least ${Math.ceil(tokens / 2)}`, { param });
      await sleep(0, signal);
    }
  }
}
