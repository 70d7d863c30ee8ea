interface FirstAnswer {
  readonly text: string;
  /** Whether the endpoint ended the answer because the model repeated itself. */
  readonly isStuck: boolean;
}

/** Asks each question in a conversation of its own. */
export interface Asker {
  /** @param seed Default: any. */
  ask(question: string, seed?: number): Promise<FirstAnswer>;
  close(): Promise<void>;
}
