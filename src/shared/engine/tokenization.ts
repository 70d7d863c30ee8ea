import type { CompletionRequest } from './completion-request.ts';

/** What is to be turned into tokens. */
export type TokenizeInput =
  | {
      readonly type: 'text';
      readonly text: string;
      /** Whether the tokens that begin every prompt of the model come first. */
      readonly prefix: boolean;
      /** Whether control markers in the text count; otherwise they are the characters they are written with. */
      readonly markers: boolean;
    }
  | {
      readonly type: 'conversation';
      /** Its prompt, as it would be read. */
      readonly request: CompletionRequest;
      /** Whether that ends with the beginning of the answer. */
      readonly reply: boolean;
    };

/** Stands for each place of a prompt that an image takes: these places have no tokens. */
export const IMAGE_PLACE = -1;

export interface Tokenization {
  /** With {@link IMAGE_PLACE} where there is an image. */
  readonly tokens: readonly number[];
  /** The text of each token by itself, in which parts of a character are U+FFFD; null where nobody asked for it. */
  readonly pieces: readonly string[] | null;
}
