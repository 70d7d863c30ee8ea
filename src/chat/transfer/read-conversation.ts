import type { WholeConversation } from '../types/whole-conversation.ts';
import type { LeftOut } from './left-out.ts';

/** One parsed conversation of a file. */
export interface ReadConversation {
  /** `empty`: no messages. `damaged`: an invalid format. `unknown`: no chat of a known product. */
  readonly whole: WholeConversation | 'empty' | 'damaged' | 'unknown';
  /** The parts that were left out. */
  readonly left: LeftOut;
}
