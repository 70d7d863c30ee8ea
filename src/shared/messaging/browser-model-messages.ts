/** Messages between the engine and the page that uses the browser's own model (`LanguageModel`) for it. */

export interface BrowserMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Engine worker → page. A reply has the `id` of its request. */
export type BrowserModelRequest =
  /** Loads the model, which the browser may have to download first. */
  | { readonly type: 'load'; readonly id: number }
  | {
      readonly type: 'prompt';
      readonly id: number;
      /** The conversation before {@link prompt}. */
      readonly initialPrompts: readonly BrowserMessage[];
      readonly prompt: BrowserMessage;
      /** A JSON Schema, or the pattern of the whole answer; null for free text. */
      readonly constraint: object | null;
    }
  /** Ends an answer early. Its reply is `done`, with the tokens so far. */
  | { readonly type: 'finish'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number };

/** Page → engine worker. Each request but `cancel` ends with `loaded`, `done` or `error`. */
export type BrowserModelReply =
  /** Progress of loading, 0…1. */
  | { readonly type: 'progress'; readonly id: number; readonly progress: number }
  | {
      readonly type: 'loaded';
      readonly id: number;
      /** Tokens of prompt and answer together. */
      readonly contextWindow: number;
    }
  | { readonly type: 'piece'; readonly id: number; readonly text: string }
  | {
      readonly type: 'done';
      readonly id: number;
      readonly promptTokens: number;
      readonly completionTokens: number;
    }
  | {
      readonly type: 'error';
      readonly id: number;
      /** Name of the browser's exception, such as `QuotaExceededError`. */
      readonly name: string;
      readonly message: string;
      /** Number of tokens of a prompt that does not fit, if the browser reports it. */
      readonly requested?: number;
    };
