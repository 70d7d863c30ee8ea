import type { DeltaEvent } from '../../shared/engine/completion-event.ts';
import type { AnswerPart } from './answer-reader.ts';
import { pieceText } from './piece-buffer.ts';

export function* answerDeltas(parts: readonly AnswerPart[], choice: number): Generator<DeltaEvent> {
  for (const part of parts) {
    if (part.type === 'toolCalls') {
      for (const call of part.toolCalls) yield { type: 'delta', choice, toolCalls: [call] };
      continue;
    }
    const text = pieceText(part.pieces);
    const logprobs = part.type === 'content' ? part.pieces.flatMap((piece) => piece.logprobs) : [];
    yield { type: 'delta', choice, [part.type]: text, ...(logprobs.length > 0 ? { logprobs } : {}) };
  }
}
