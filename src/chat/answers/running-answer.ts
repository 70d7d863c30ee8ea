import { streamChatCompletion, type ChatCompletionRequest, type CompletionPiece } from '../api/chat-completion.ts';
import { ApiError } from '../../shared/api-error.ts';
import { orAborted } from '../../shared/timing.ts';
import type { Answer } from '../storage/conversation.ts';
import { AnswerMeter } from './answer-meter.ts';
import { ReplayDiverged } from './continue-answer.ts';

/**
 * One answer while it is written.
 * @fires change - {@link answer} is a newer one.
 */
export class RunningAnswer extends EventTarget {
  answer: Answer;
  /** True while an answer that is being continued has not reached its old end again. */
  catchingUp = false;
  readonly #abort = new AbortController();
  readonly #endpointReady: () => Promise<void>;

  /** @param endpointReady What it gives is waited for before anything is asked; if that rejects the answer has failed. */
  constructor(answer: Answer, endpointReady: () => Promise<void>) {
    super();
    this.#endpointReady = endpointReady;
    this.answer = { ...answer, state: 'running', error: null, finishReason: null };
  }

  /** Ends it as "stopped". What has come so far stays. */
  stop(): void {
    this.#abort.abort(new DOMException('The person stopped the answer.', 'AbortError'));
  }

  /**
   * Writes a new answer. Never rejects: the outcome is the answer's state.
   * @param request Makes the request. Where it throws, as for settings that ask for nothing possible, the answer fails.
   */
  async write(request: () => ChatCompletionRequest): Promise<void> {
    await this.#settle(this.#stream(request, ''));
  }

  /** Writes on after the text that is there, by `replay` if the model repeats itself, else by `goOn`. */
  async continue(replay: () => ChatCompletionRequest, goOn: () => ChatCompletionRequest): Promise<void> {
    const { text } = this.answer;
    const attempt = this.#stream(replay, text).catch((error: unknown) => {
      if (!(error instanceof ReplayDiverged)) throw error;
      this.#change({ text });
      return this.#stream(goOn, '');
    });
    await this.#settle(attempt);
  }

  async #settle(stream: Promise<void>): Promise<void> {
    try {
      await stream;
      this.#change({ state: 'complete' });
    } catch (thrown) {
      if (this.#abort.signal.aborted) return this.#change({ state: 'stopped' });
      const { code, message } = ApiError.from(thrown);
      if (code === 'internal_error') console.error(thrown);
      this.#change({ state: 'failed', error: { code, message } });
    } finally {
      this.catchingUp = false;
    }
  }

  /** @param known Text that must come first; it is compared, not added. */
  async #stream(makeRequest: () => ChatCompletionRequest, known: string): Promise<void> {
    const { signal } = this.#abort;
    const request = makeRequest();
    await orAborted(this.#endpointReady(), signal);
    const meter = new AnswerMeter(performance.now());
    let repeated = '';
    this.catchingUp = known !== '';
    for await (const piece of streamChatCompletion(request, signal)) {
      if (piece.type === 'text' && this.catchingUp) {
        repeated += piece.text;
        meter.piece(performance.now());
        if (!repeated.startsWith(known) && !known.startsWith(repeated)) throw new ReplayDiverged();
        if (repeated.length < known.length) continue;
        this.catchingUp = false;
        this.#change({ text: repeated });
        continue;
      }
      if (piece.type === 'thinking' && known !== '') continue;
      this.#apply(piece, meter);
    }
  }

  #apply(piece: CompletionPiece, meter: AnswerMeter): void {
    const { answer } = this;
    switch (piece.type) {
      case 'begin':
        return this.#change({ model: piece.model });
      case 'text':
        meter.piece(performance.now());
        return this.#change({ text: answer.text + piece.text, timeToFirstToken: meter.timeToFirstToken });
      case 'thinking':
        meter.piece(performance.now());
        return this.#change({ thinking: answer.thinking + piece.text, timeToFirstToken: meter.timeToFirstToken });
      case 'finish':
        return this.#change({ finishReason: piece.reason });
      case 'usage':
        return this.#change({
          promptTokens: piece.promptTokens,
          completionTokens: piece.completionTokens,
          tokensPerSecond: meter.tokensPerSecond(piece.completionTokens),
        });
    }
  }

  #change(changes: Partial<Answer>): void {
    this.answer = { ...this.answer, ...changes };
    this.dispatchEvent(new Event('change'));
  }
}
