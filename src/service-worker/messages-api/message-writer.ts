import type { CompletionEvent, DeltaEvent, FinishReason, Usage } from '../../shared/engine/completion-event.ts';

export type MessageEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

interface TextBlock {
  readonly type: 'text';
  text: string;
}

interface ThinkingBlock {
  readonly type: 'thinking';
  thinking: string;
  signature: string;
}

interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly caller: { readonly type: 'direct' };
  input: unknown;
}

type Block = TextBlock | ThinkingBlock | ToolUseBlock;

/**
 * Signature of every thinking block. Clients send it back with the block, and some drop a block without a signature.
 * Tabserve does not check it.
 */
const SIGNATURE = 'local';

const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

/** Converts the events of a completion to a message and to the events of its stream. */
export class MessageWriter {
  readonly #fixed: { readonly id: string; readonly model: string };
  readonly #maxTokens: number;
  readonly #content: Block[] = [];
  #begun = false;
  #open = false;
  #call = -1;
  #input = '';
  #reason: FinishReason | null = null;
  #isStuck = false;
  #stopSequence: string | null = null;
  #usage = NO_USAGE;

  /** @param maxTokens The request's limit, which tells whether it or the context window ended the answer. */
  constructor(fixed: { readonly id: string; readonly model: string }, maxTokens: number) {
    this.#fixed = fixed;
    this.#maxTokens = maxTokens;
  }

  /** The message as built so far. */
  get message(): object {
    return {
      ...this.#fixed,
      type: 'message',
      role: 'assistant',
      content: this.#content,
      ...this.#end(),
      container: null,
      diagnostics: null,
      usage: {
        ...this.#usageObject(),
        cache_creation: null,
        inference_geo: null,
        service_tier: 'standard',
        speed: null,
      },
    };
  }

  *write(event: Exclude<CompletionEvent, { type: 'error' }>): Generator<MessageEvent> {
    if (event.type === 'delta') return yield* this.#write(event);
    if (event.type === 'finish') {
      yield* this.#begin();
      yield* this.#close();
      this.#reason = event.reason;
      this.#isStuck = event.isStuck ?? false;
      this.#stopSequence = event.stopSequence ?? null;
    }
    if (event.type === 'prefill' && event.prompt !== undefined) this.#usage = { ...NO_USAGE, ...event.prompt };
    if (event.type !== 'done') return;
    this.#usage = event.usage;
    yield { type: 'message_delta', delta: { ...this.#end(), container: null }, usage: this.#usageObject() };
    yield { type: 'message_stop' };
  }

  *#write({ reasoning, content, toolCalls = [] }: DeltaEvent): Generator<MessageEvent> {
    yield* this.#begin();
    if (reasoning !== undefined) {
      const block = yield* this.#opened('thinking', () => ({ type: 'thinking', thinking: '', signature: '' }));
      block.thinking += reasoning;
      yield this.#delta({ type: 'thinking_delta', thinking: reasoning });
    }
    if (content !== undefined) {
      const block = yield* this.#opened('text', () => ({ type: 'text', text: '' }));
      block.text += content;
      yield this.#delta({ type: 'text_delta', text: content });
    }
    for (const { index, id = '', name = '', arguments: text } of toolCalls) {
      if (index !== this.#call) yield* this.#close();
      this.#call = index;
      yield* this.#opened('tool_use', () => ({ type: 'tool_use', id, name, caller: { type: 'direct' }, input: {} }));
      this.#input += text;
      if (text !== '') yield this.#delta({ type: 'input_json_delta', partial_json: text });
    }
  }

  *#begin(): Generator<MessageEvent> {
    if (this.#begun) return;
    this.#begun = true;
    yield { type: 'message_start', message: structuredClone(this.message) };
  }

  /** Returns the open block of a type. If necessary, ends the open block of another type and begins a new one. */
  *#opened<Type extends Block['type']>(
    type: Type,
    create: () => Extract<Block, { type: Type }>,
  ): Generator<MessageEvent, Extract<Block, { type: Type }>> {
    const last = this.#content.at(-1);
    if (this.#open && last?.type === type) return last as Extract<Block, { type: Type }>;
    yield* this.#close();
    const block = create();
    this.#content.push(block);
    this.#open = true;
    this.#input = '';
    yield { type: 'content_block_start', index: this.#content.length - 1, content_block: structuredClone(block) };
    return block;
  }

  *#close(): Generator<MessageEvent> {
    if (!this.#open) return;
    this.#open = false;
    const block = this.#content.at(-1);
    if (block?.type === 'thinking') {
      block.signature = SIGNATURE;
      yield this.#delta({ type: 'signature_delta', signature: SIGNATURE });
    }
    if (block?.type === 'tool_use') block.input = parsedInput(this.#input);
    yield { type: 'content_block_stop', index: this.#content.length - 1 };
  }

  #delta(delta: object): MessageEvent {
    return { type: 'content_block_delta', index: this.#content.length - 1, delta };
  }

  #end(): object {
    return { stop_reason: this.#stopReason(), stop_sequence: this.#stopSequence, stop_details: null };
  }

  #stopReason(): string | null {
    switch (this.#reason) {
      case null:
        return null;
      case 'tool_calls':
        return 'tool_use';
      case 'length': {
        // This API has no stop reason for an answer that was ended because it repeats itself.
        const isWindowFull = this.#usage.completionTokens < this.#maxTokens && !this.#isStuck;
        return isWindowFull ? 'model_context_window_exceeded' : 'max_tokens';
      }
      case 'stop':
        return this.#stopSequence === null ? 'end_turn' : 'stop_sequence';
    }
  }

  #usageObject(): object {
    const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = this.#usage;
    return {
      // In this API the cached tokens are not among the input tokens.
      input_tokens: promptTokens - cachedTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cachedTokens,
      output_tokens: completionTokens,
      output_tokens_details: { thinking_tokens: reasoningTokens },
      server_tool_use: null,
    };
  }
}

/**
 * Parses the input of a tool call. If a limit cut the call off, its JSON is incomplete, and the result is an empty
 * object.
 */
function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
