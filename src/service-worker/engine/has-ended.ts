import type { CompletionEvent } from '../../shared/engine/completion-event.ts';

/** Whether these events are the last ones of a completion. */
export function hasEnded(events: readonly CompletionEvent[]): boolean {
  const last = events.at(-1)?.type;
  return last === 'done' || last === 'error';
}
