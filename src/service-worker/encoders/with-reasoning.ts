import type { DeltaEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionEncoder } from './completion-encoder.ts';

/** Where a chat completion has the model's reasoning. Plain data. */
export interface ReasoningPlaces {
  /** Whether it is in `reasoning_content`. */
  readonly apart: boolean;
  /** Whether it is in `content`, between `<think>` and `</think>`, before the answer. */
  readonly inContent: boolean;
}

/** Values of llama-server's field `reasoning_format`. */
export const REASONING_FORMATS = {
  auto: { apart: true, inContent: false },
  deepseek: { apart: true, inContent: false },
  'deepseek-legacy': { apart: true, inContent: true },
  none: { apart: false, inContent: true },
} as const satisfies Record<string, ReasoningPlaces>;

/** The places if `include_reasoning` of vLLM is false. */
export const NO_REASONING: ReasoningPlaces = { apart: false, inContent: false };

/**
 * Wraps an encoder of chat completions, which has reasoning in `reasoning_content`, so that the places have it.
 * A choice that is cut while the model thinks has no `</think>`.
 */
export function withReasoning(encoder: CompletionEncoder, { apart, inContent }: ReasoningPlaces): CompletionEncoder {
  if (apart && !inContent) return encoder;
  /** The choices whose `<think>` is open. */
  const thinking = new Set<number>();

  function placed({ reasoning, content, logprobs, ...event }: DeltaEvent): DeltaEvent {
    const { choice, toolCalls } = event;
    let thought = '';
    if (reasoning !== undefined && inContent) {
      thought = (thinking.has(choice) ? '' : '<think>') + reasoning;
      thinking.add(choice);
    }
    if ((content !== undefined || toolCalls !== undefined) && thinking.delete(choice)) thought += '</think>';
    const text = thought === '' ? content : thought + (content ?? '');
    const isHidden = reasoning !== undefined && content === undefined && !apart && !inContent;
    return {
      ...event,
      ...(apart && reasoning !== undefined && { reasoning }),
      ...(text !== undefined && { content: text }),
      ...(logprobs !== undefined && !isHidden && { logprobs }),
    };
  }

  return { ...encoder, encode: (event) => encoder.encode(event.type === 'delta' ? placed(event) : event) };
}
