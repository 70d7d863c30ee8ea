import type { CompletionRequest } from './completion-request.ts';

export type TokenizeInput =
  | {
      readonly type: 'text';
      readonly text: string;
      /** Whether to add the special tokens that the model expects around a text, such as begin-of-sequence. */
      readonly prefix: boolean;
      /** Whether special tokens in the text are recognised; otherwise they are plain characters. */
      readonly markers: boolean;
    }
  | {
      readonly type: 'conversation';
      /** The request whose rendered prompt is tokenized. */
      readonly request: CompletionRequest;
      /** Whether the prompt ends with the header of the assistant's message. */
      readonly reply: boolean;
    };

/** Stands for each position of a prompt that an image occupies: these positions have no token id. */
export const IMAGE_PLACE = -1;

export interface Tokenization {
  /** Token ids, and {@link IMAGE_PLACE} for images. */
  readonly tokens: readonly number[];
  /** The text of each token, with U+FFFD for incomplete characters; null unless it was requested. */
  readonly pieces: readonly string[] | null;
}
