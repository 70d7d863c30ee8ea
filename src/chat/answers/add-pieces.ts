import type { CompletionPiece } from '../api/read-chunk.ts';
import type { ToolLoop } from '../tools/tool-loop.ts';
import type { Answer } from '../types/conversation.ts';
import { AnswerMeter } from './answer-meter.ts';

/** Adds the pieces of one response to an answer. */
export class PieceAdder {
  readonly #known: string;
  readonly #tools: ToolLoop | null;
  /** Null if an earlier page began the answer: its start time and speed are unknown. */
  readonly #meter: AnswerMeter | null;
  #repeated = '';
  /**
   * Counts the tokens, including replayed ones, because the endpoint sends no usage for a stopped answer. A piece is one
   * token, unless several tokens form one character.
   */
  #tokens: number;
  /** True while the response repeats text that the answer already contains. */
  catchingUp: boolean;

  /**
   * @param known Text that the response must begin with. It is compared with the response and not added to the answer.
   * @param tokens The tokens of the answer before the response; null if the response begins it.
   */
  constructor(known: string, tokens: number | null, tools: ToolLoop | null) {
    this.#known = known;
    this.#tools = tools;
    this.#meter = tokens === null ? new AnswerMeter(performance.now()) : null;
    this.#tokens = tokens ?? 0;
    this.catchingUp = known !== '';
  }

  /** Returns the answer with the pieces; null if the response does not begin with the known text. */
  add(answer: Answer, pieces: readonly CompletionPiece[]): Answer | null {
    let added = answer;
    for (const piece of pieces) {
      const fresh = this.#fresh(piece);
      if (fresh === null) return null;
      if (fresh !== undefined)
        added = this.#tools?.withCall(added, fresh) ?? withPiece(added, fresh, this.#tokens, this.#meter);
    }
    return added;
  }

  /** Returns a piece without what only repeats the known text; undefined if nothing is left, null if it differs. */
  #fresh(piece: CompletionPiece): CompletionPiece | null | undefined {
    if (piece.type === 'text' || piece.type === 'thinking') this.#tokens += 1;
    if ((piece.type === 'thinking' || piece.type === 'was-thinking') && this.catchingUp) return undefined;
    if (piece.type !== 'text' || !this.catchingUp) return piece;
    this.#repeated += piece.text;
    this.#meter?.piece(performance.now());
    if (!this.#repeated.startsWith(this.#known) && !this.#known.startsWith(this.#repeated)) return null;
    if (this.#repeated.length < this.#known.length) return undefined;
    this.catchingUp = false;
    return { type: 'text', text: this.#repeated.slice(this.#known.length) };
  }
}

function withPiece(answer: Answer, piece: CompletionPiece, tokens: number, meter: AnswerMeter | null): Answer {
  switch (piece.type) {
    case 'begin':
      return { ...answer, model: piece.model, engine: piece.engine };
    case 'text':
    case 'thinking': {
      meter?.piece(performance.now(), piece.type === 'thinking');
      return {
        ...answer,
        [piece.type]: answer[piece.type] + piece.text,
        completionTokens: tokens,
        timeToFirstToken: (meter ?? answer).timeToFirstToken,
        thinkingTime: meter?.thinkingTime ?? answer.thinkingTime,
        tokensPerSecond: meter?.tokensPerSecond(tokens) ?? null,
      };
    }
    case 'was-thinking': {
      const at = Math.max(0, answer.text.length - piece.length);
      return { ...answer, text: answer.text.slice(0, at), thinking: answer.thinking + answer.text.slice(at) };
    }
    case 'tool-call':
      return answer;
    case 'finish':
      return {
        ...answer,
        finishReason: piece.reason,
        ...(piece.isStuck && { isStuck: true }),
        ...(piece.isFiltered && { isFiltered: true }),
      };
    case 'usage': {
      const { promptTokens, completionTokens } = piece;
      return {
        ...answer,
        promptTokens,
        completionTokens,
        tokensPerSecond: meter?.tokensPerSecond(completionTokens) ?? null,
      };
    }
  }
}
