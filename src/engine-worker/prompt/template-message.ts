/** A message in the form that chat templates of Hugging Face read. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** The model's thinking before an answer. Templates leave it out, or write it into the last turn. */
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly TemplateCall[];
  /** Set for a tool's result: the id of its call, and the name of the tool. */
  readonly tool_call_id?: string;
  readonly name?: string;
}

export interface TemplateCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** The arguments as an object, or as JSON text. Which one a template can write depends on the template. */
    readonly arguments: unknown;
  };
}
