import type { CompletionRequest } from '../../shared/engine/completion-request.ts';

/**
 * Marks of ChatML, the layout of chats with a model whose file has no chat template. Such a model has not learned to end
 * a turn. It writes the marks as text, and then goes on with the user's next turn.
 */
const TURN_MARKS = ['<|im_end|>', '<|im_start|>'];

/**
 * Returns the texts that end an answer as the end of the model's turn does. None end a text completion, which may continue
 * a chat, or an answer whose end is ignored.
 * @param hasChatTemplate Whether the model's file has a chat template. If so, the model ends its turn by a token.
 */
export function turnEnds({ raw, ignoreEnd }: CompletionRequest, hasChatTemplate: boolean): readonly string[] {
  return hasChatTemplate || ignoreEnd || raw !== undefined ? [] : TURN_MARKS;
}
