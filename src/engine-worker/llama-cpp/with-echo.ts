import type { DeltaEvent, PrefillEvent } from '../../shared/engine/completion-event.ts';

/**
 * Yields the prompt before its continuation, but not before llama.cpp has accepted it: until then a refusal has a status of
 * its own.
 */
export async function* withEcho(
  echo: DeltaEvent,
  continuation: AsyncIterable<DeltaEvent | PrefillEvent>,
): AsyncGenerator<DeltaEvent | PrefillEvent, undefined> {
  let isTold = false;
  for await (const event of continuation) {
    if (!isTold) yield echo;
    isTold = true;
    yield event;
  }
  if (!isTold) yield echo;
  return undefined;
}
