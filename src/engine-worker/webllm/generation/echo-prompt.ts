import type { DeltaEvent } from '../../../shared/engine/completion-event.ts';
import { contextLengthExceeded } from '../../../shared/engine/engine-errors.ts';
import type { ChoiceResult } from './generate-choice.ts';
import type { LoadedModel } from '../loading/load-chat-model.ts';
import type { GenerationPlan } from './plan-generation.ts';
import { refuseLongPrompt } from './refuse-long-prompt.ts';

/**
 * Produces a choice for a request with `max_tokens` 0: counts the prompt's tokens, and returns the prompt if the
 * request sets `echo`. The model does not run.
 * @throws ApiError `context_length_exceeded` if the prompt fills the context window; the signal's reason if it aborts.
 */
export async function* echoPrompt(
  model: LoadedModel,
  plan: GenerationPlan,
  choice: number,
  signal: AbortSignal,
): AsyncGenerator<DeltaEvent, ChoiceResult> {
  const { pipeline, entry } = model;
  if (!plan.fits) await refuseLongPrompt(plan, model, signal);
  const texts = plan.messages.map(({ content }) => String(content));
  const promptTokens = texts.reduce((sum, text) => sum + (pipeline.tokenizer?.encode(text).length ?? 0), 0);
  if (promptTokens >= entry.contextWindow) {
    throw contextLengthExceeded(entry, promptTokens, { param: plan.errorContext.prompt });
  }
  if (plan.echo !== '') yield { type: 'delta', choice: plan.firstChoice + choice, content: plan.echo };
  return { reason: 'length', promptTokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
}
