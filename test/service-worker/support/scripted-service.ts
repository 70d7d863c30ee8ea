import type { CompletionEvent, Usage } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { CancelledStream, CompletionOptions, CompletionService } from '../../../src/shared/engine/engine.ts';

/** A completion that the service was asked for, from the engine's side. */
interface ScriptedCompletion {
  readonly request: CompletionRequest;
  readonly options: CompletionOptions;
  /** Whether the HTTP layer has cancelled it. */
  readonly cancelled: boolean;
  /** Sends events that come together; `done` and `error` end the completion. */
  emit(...events: readonly CompletionEvent[]): void;
  /** Stops without a terminal event, as when the engine's page is gone. */
  vanish(): void;
}

export interface ScriptedService extends CompletionService {
  readonly completions: readonly ScriptedCompletion[];
  /** What it was told to end by name. */
  readonly cancelledStreams: readonly CancelledStream[];
  /** Events that every completion from now on begins with. Default: a short answer. */
  play(events: readonly CompletionEvent[]): void;
}

export const USAGE: Usage = { promptTokens: 12, completionTokens: 5, cachedTokens: 3, reasoningTokens: 0 };

/** The events of a plain answer that comes in these pieces. */
export function answerIn(...pieces: readonly string[]): CompletionEvent[] {
  return [
    { type: 'prefill' },
    ...pieces.map((content): CompletionEvent => ({ type: 'delta', choice: 0, content })),
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'done', usage: USAGE },
  ];
}

/** A completion service that does what a test says instead of running a model. */
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
