import type { CompletionEvent, Usage } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { CancelledStream, CompletionOptions, CompletionService } from '../../../src/shared/engine/engine.ts';

/** A requested completion, from the engine's side. */
interface ScriptedCompletion {
  readonly request: CompletionRequest;
  readonly options: CompletionOptions;
  /** Whether the HTTP layer has cancelled it. */
  readonly cancelled: boolean;
  /** Sends events in one chunk; `done` and `error` end the completion. */
  emit(...events: readonly CompletionEvent[]): void;
  /** Closes without a final event, as when the engine's page is closed. */
  vanish(): void;
}

export interface ScriptedService extends CompletionService {
  readonly completions: readonly ScriptedCompletion[];
  /** The streams that were cancelled by id. */
  readonly cancelledStreams: readonly CancelledStream[];
  /** First events of every later completion. Default: a short answer. */
  play(events: readonly CompletionEvent[]): void;
}

export const USAGE: Usage = { promptTokens: 12, completionTokens: 5, cachedTokens: 3, reasoningTokens: 0 };

/** The events of an answer with these text deltas. */
export function answerIn(...pieces: readonly string[]): CompletionEvent[] {
  return [
    { type: 'prefill' },
    ...pieces.map((content): CompletionEvent => ({ type: 'delta', choice: 0, content })),
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'done', usage: USAGE },
  ];
}

/** A completion service whose events the test sends. */
export function createScriptedService(): ScriptedService {
  const completions: ScriptedCompletion[] = [];
  const cancelledStreams: CancelledStream[] = [];
  let script: readonly CompletionEvent[] = answerIn('Hel', 'lo.');
  return {
    completions,
    cancelledStreams,
    async cancelStream(stream) {
      cancelledStreams.push(stream);
    },
    play(events) {
      script = events;
    },
    complete(request, options) {
      let cancelled = false;
      let controller!: ReadableStreamDefaultController<readonly CompletionEvent[]>;
      const events = new ReadableStream<readonly CompletionEvent[]>({
        start(started) {
          controller = started;
        },
        cancel() {
          cancelled = true;
        },
      });
      const completion: ScriptedCompletion = {
        request,
        options,
        get cancelled() {
          return cancelled;
        },
        emit(...events) {
          controller.enqueue(events);
          if (events.some(({ type }) => type === 'done' || type === 'error')) controller.close();
        },
        vanish: () => controller.close(),
      };
      completions.push(completion);
      for (const event of script) completion.emit(event);
      return events;
    },
  };
}
