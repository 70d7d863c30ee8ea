import { LoopDetector } from '../../src/engine-worker/answer/loop-detector.ts';

/** Texts of control tokens, and of tool calls at the beginning of a line. */
const MARKER = /<\|\w+\|>|<\/?s>|<(?:start|end)_of_turn>|^[ \t]*<\/?tool_(?:call|response)>/m;

/**
 * Returns the fault of an answer to a request without tools; null if it has none.
 * @param isEnded Whether the endpoint ended the answer because it repeated itself.
 */
export function faultOf(answer: string, isEnded: boolean): 'empty' | 'marker' | 'loop' | null {
  if (answer.trim() === '') return 'empty';
  if (MARKER.test(answer)) return 'marker';
  const loops = new LoopDetector();
  loops.push(answer);
  return loops.found && !isEnded ? 'loop' : null;
}
