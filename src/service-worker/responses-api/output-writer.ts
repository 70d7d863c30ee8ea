import type { DeltaEvent, ToolCallDelta } from '../../shared/engine/completion-event.ts';
import { logprobObjects } from '../encoders/completion-objects.ts';
import { CitationFinder } from './file-search/citations.ts';
import type { ResponseDetail } from './response-detail.ts';
import { engineName, itemId } from './response-items.ts';
import type {
  CustomToolCall,
  FileSearchCall,
  FunctionCall,
  OutputItem,
  OutputMessage,
  OutputText,
  Reasoning,
} from './response-items.ts';

/** Adds an event to the stream of the response. `fields` are all its fields except `type` and `sequence_number`. */
export type Emit = (type: string, fields: Readonly<Record<string, unknown>>) => void;

/** The item that is still being written. `call` is the index of a tool call in the completion. */
type OpenItem =
  | { readonly type: 'message'; readonly item: OutputMessage }
  | { readonly type: 'reasoning'; readonly item: Reasoning }
  | { readonly type: 'call'; readonly item: FunctionCall | CustomToolCall; readonly call: number };

/**
 * Builds the output of a response from deltas, one item after the other, and emits the events of each item. The event
 * that adds an item contains a copy, because the item changes until it ends.
 */
export class OutputWriter {
  readonly items: OutputItem[] = [];
  #responseId = '';
  readonly #detail: ResponseDetail;
  readonly #emit: Emit;
  /** Those of the open message, as places in its text. */
  #citations = new CitationFinder([]);
  #open: OpenItem | null = null;

  constructor(detail: ResponseDetail, emit: Emit) {
    this.#detail = detail;
    this.#emit = emit;
  }

  /** Adds the search that preceded the answer, if there was one. */
  addSearch(responseId: string): void {
    const { search } = this.#detail;
    if (search === undefined) return;
    const { queries, results } = search;
    const id = itemId('file_search_call', responseId, '0');
    const item: FileSearchCall = { id, type: 'file_search_call', status: 'completed', queries, results };
    this.items.push(item);
    const place = this.#place(item);
    const begun = { ...item, status: 'in_progress', results: null };
    this.#emit('response.output_item.added', { output_index: place.output_index, item: begun });
    for (const step of ['in_progress', 'searching', 'completed'])
      this.#emit(`response.file_search_call.${step}`, place);
    this.#emit('response.output_item.done', { output_index: place.output_index, item });
  }

  write({ reasoning, content, toolCalls = [], logprobs = [] }: DeltaEvent, responseId: string): void {
    this.#responseId = responseId;
    if (reasoning !== undefined) this.#addReasoning(reasoning);
    if (content !== undefined) this.#addText(content, this.#detail.logprobs ? logprobObjects(logprobs) : []);
    for (const call of toolCalls) this.#addCall(call);
  }

  /** Whether the model has written something. */
  get isBegun(): boolean {
    return this.items.some(({ type }) => type !== 'file_search_call');
  }

  /** Ends the last item. An output without items of the model gets an empty message. */
  end(status: 'completed' | 'incomplete', responseId: string): void {
    this.#responseId = responseId;
    if (!this.isBegun) this.#openMessage();
    this.#close(status);
  }

  #addReasoning(delta: string): void {
    const { item } = this.#open?.type === 'reasoning' ? this.#open : this.#openReasoning();
    item.summary[0]!.text += delta;
    this.#emit('response.reasoning_summary_text.delta', { ...this.#place(item), summary_index: 0, delta });
  }

  #addText(delta: string, logprobs: readonly object[]): void {
    const { item } = this.#open?.type === 'message' ? this.#open : this.#openMessage();
    const part = item.content[0]!;
    part.text += delta;
    part.logprobs.push(...logprobs);
    const place = { ...this.#place(item), content_index: 0 };
    this.#emit('response.output_text.delta', { ...place, delta, logprobs });
    this.#addCitations(item, false);
  }

  #addCitations(item: OutputMessage, isComplete: boolean): void {
    const part = item.content[0]!;
    for (const annotation of this.#citations.find(part.text, isComplete)) {
      const annotation_index = part.annotations.push(annotation) - 1;
      const place = { ...this.#place(item), content_index: 0 };
      this.#emit('response.output_text.annotation.added', { ...place, annotation_index, annotation });
    }
  }

  #addCall(delta: ToolCallDelta): void {
    const open = this.#open;
    const { item } = open?.type === 'call' && open.call === delta.index ? open : this.#openCall(delta);
    if (delta.arguments === '') return;
    const piece = { ...this.#place(item), delta: delta.arguments };
    if (item.type === 'function_call') {
      item.arguments += delta.arguments;
      this.#emit('response.function_call_arguments.delta', piece);
    } else {
      item.input += delta.arguments;
      this.#emit('response.custom_tool_call_input.delta', piece);
    }
  }

  #openReasoning(): Extract<OpenItem, { type: 'reasoning' }> {
    const item: Reasoning = { id: this.#nextId('reasoning'), type: 'reasoning', status: 'in_progress', summary: [] };
    const open = { type: 'reasoning', item } as const;
    this.#begin(open);
    const part = { type: 'summary_text', text: '' } as const;
    item.summary.push({ ...part });
    this.#emit('response.reasoning_summary_part.added', { ...this.#place(item), summary_index: 0, part });
    return open;
  }

  #openMessage(): Extract<OpenItem, { type: 'message' }> {
    const id = this.#nextId('message');
    const item: OutputMessage = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    const open = { type: 'message', item } as const;
    this.#begin(open);
    const { search } = this.#detail;
    this.#citations = new CitationFinder(search?.cites ? search.passages : []);
    item.content.push(emptyPart());
    this.#emit('response.content_part.added', { ...this.#place(item), content_index: 0, part: emptyPart() });
    return open;
  }

  #openCall({ index, id = '', name = '', custom }: ToolCallDelta): Extract<OpenItem, { type: 'call' }> {
    const { namespaces } = this.#detail;
    const namespace = Object.hasOwn(namespaces, name) ? namespaces[name] : undefined;
    const called = {
      status: 'in_progress',
      call_id: id,
      ...(namespace !== undefined && { namespace }),
      name: name.replace(engineName(namespace, ''), ''),
    } as const;
    const item: FunctionCall | CustomToolCall = custom
      ? { id: this.#nextId('custom_tool_call'), type: 'custom_tool_call', ...called, input: '' }
      : { id: this.#nextId('function_call'), type: 'function_call', ...called, arguments: '' };
    const open = { type: 'call', item, call: index } as const;
    this.#begin(open);
    return open;
  }

  #begin(open: OpenItem): void {
    this.#close('completed');
    this.#open = open;
    this.items.push(open.item);
    const copy = structuredClone(open.item);
    this.#emit('response.output_item.added', { output_index: this.items.length - 1, item: copy });
  }

  #close(status: 'completed' | 'incomplete'): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { item } = open;
    const place = this.#place(item);
    item.status = status;
    if (open.type === 'reasoning') {
      const part = { ...open.item.summary[0]! };
      this.#emit('response.reasoning_summary_text.done', { ...place, summary_index: 0, text: part.text });
      this.#emit('response.reasoning_summary_part.done', { ...place, summary_index: 0, part });
    } else if (open.type === 'message') {
      this.#addCitations(open.item, true);
      const part = open.item.content[0]!;
      const { text, logprobs } = part;
      this.#emit('response.output_text.done', { ...place, content_index: 0, text, logprobs });
      this.#emit('response.content_part.done', { ...place, content_index: 0, part });
    } else if (open.item.type === 'function_call') {
      const { name, arguments: text } = open.item;
      this.#emit('response.function_call_arguments.done', { ...place, name, arguments: text });
    } else this.#emit('response.custom_tool_call_input.done', { ...place, input: open.item.input });
    this.#emit('response.output_item.done', { output_index: place.output_index, item });
  }

  #nextId(type: OutputItem['type']): string {
    return itemId(type, this.#responseId, String(this.items.length));
  }

  #place({ id }: OutputItem): { item_id: string | undefined; output_index: number } {
    return { item_id: id, output_index: this.items.length - 1 };
  }
}

function emptyPart(): OutputText {
  return { type: 'output_text', text: '', annotations: [], logprobs: [] };
}
