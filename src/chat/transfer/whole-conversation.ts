import type { Conversation, Message } from '../types/conversation.ts';
import type { LeftOut } from './left-out.ts';

/** A conversation with all its branches. */
export interface WholeConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

/** One parsed conversation of a file. */
export interface ReadConversation {
  /** `empty`: no messages. `damaged`: an invalid format. `unknown`: no chat of a known product. */
  readonly whole: WholeConversation | 'empty' | 'damaged' | 'unknown';
  /** The parts that were left out. */
  readonly left: LeftOut;
}
