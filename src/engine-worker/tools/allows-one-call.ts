import type { CompletionRequest } from '../../shared/engine/completion-request.ts';

/** Whether an answer may have at most one call. */
export function allowsOneCall({
  parallelToolCalls,
  toolChoice,
}: Pick<CompletionRequest, 'parallelToolCalls' | 'toolChoice'>): boolean {
  return !parallelToolCalls || typeof toolChoice === 'object';
}
