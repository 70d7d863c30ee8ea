import { withAbort } from '../../shared/timeout.ts';
import { toolMessages } from '../api/answer-request.ts';
import type { CompletionPiece } from '../api/chat-completion.ts';
import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { Answer, ToolCall } from '../types/conversation.ts';
import { runTool, unknownTool } from './run-tool.ts';
import { toolDefinitions } from '../api/tool-definitions.ts';

/** Rounds of calls after which the model has to answer in words. */
const MOST_ROUNDS = 5;

/** What the model is told where the person said no. */
const REFUSED = 'Error: The user did not allow this.';

/** The answer that is being written. */
interface GrowingAnswer {
  readonly store: ConversationStore;
  readonly signal: AbortSignal;
  readonly answer: () => Answer;
  readonly change: (changes: Partial<Answer>) => void;
  /** Asks, and resolves when all that is said has come. */
  readonly ask: (request: ChatCompletionRequest) => Promise<void>;
}

/** Runs what a model calls on its way to one answer, as far as the person allows it. */
export class ToolLoop {
  readonly #growing: GrowingAnswer;
  /** Names of the tools that need no word any more. */
  readonly #allowed: Set<string>;
  /** By the id of the call. A word may come before it is waited for: after a reload the buttons are there at once. */
  readonly #words = new Map<string, boolean>();
  readonly #said = new EventTarget();

  constructor(growing: GrowingAnswer) {
    this.#growing = growing;
    const { tools = [], allowedTools = [] } = growing.answer().settings;
    this.#allowed = new Set(allowedTools.filter((name) => tools.includes(name)));
  }

  /** The request with the tools that are switched on. */
  withTools(request: ChatCompletionRequest): ChatCompletionRequest {
    const { tools = [] } = this.#growing.answer().settings;
    return { ...request, tools: toolDefinitions(tools), tool_choice: 'auto' };
  }

  /** The answer with a piece of a call; null for other pieces. The first of a round takes what was said before it along. */
  withCall(answer: Answer, piece: CompletionPiece): Answer | null {
    if (piece.type !== 'tool-call') return null;
    const rounds = [...(answer.rounds ?? [])];
    const isNew = !rounds.at(-1)?.calls.some(({ outcome }) => outcome === 'writing');
    if (isNew) rounds.push({ text: answer.text, calls: [] });
    const { text, calls } = rounds.pop()!;
    const before = calls[piece.index] ?? { id: piece.id, name: '', arguments: '', outcome: 'writing', result: '' };
    const call = { ...before, name: before.name + piece.name, arguments: before.arguments + piece.text };
    const changed = [...calls.slice(0, piece.index), call, ...calls.slice(piece.index + 1)];
    return { ...answer, text: isNew ? '' : answer.text, rounds: [...rounds, { text, calls: changed }] };
  }

  /** The person's word on a call that waits for it. */
  decide({ id, name }: ToolCall, decision: 'once' | 'always' | 'refuse'): void {
    if (decision === 'always') this.#allowed.add(name);
    this.#words.set(id, decision !== 'refuse');
    this.#said.dispatchEvent(new Event(id));
  }

  /**
   * Runs what has been called, and asks again with what came of it, until the model answers in words.
   * @param request What was asked. Where an answer is gone on with after a reload, it holds the rounds before that.
   */
  async run(request: ChatCompletionRequest): Promise<void> {
    const { answer, ask } = this.#growing;
    const told = new Set(request.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
    while (answer().finishReason === 'tool_calls') {
      const { rounds = [] } = answer();
      const calls = (rounds.at(-1)?.calls ?? []).filter(({ result }) => result === '');
      for (const { id } of calls) this.#changeCall(id, { outcome: 'waiting' });
      for (const call of calls) await this.#settle(call);
      const news = answer().rounds?.filter(({ calls: [first] }) => !told.has(first?.id ?? '')) ?? [];
      const messages = [...request.messages, ...toolMessages(news)];
      const isLast = rounds.length >= MOST_ROUNDS;
      await ask({ ...request, messages, ...(isLast ? { tool_choice: 'none' } : {}) });
      if (isLast) return;
    }
  }

  async #settle(call: ToolCall): Promise<void> {
    const { store, signal, answer } = this.#growing;
    const { tools = [] } = answer().settings;
    // What it was not told of, or has made up, is nothing to ask the person about.
    if (!tools.some((name) => name === call.name)) return this.#changeCall(call.id, unknownTool(call.name));
    const isAllowed = this.#allowed.has(call.name) || (await withAbort(this.#word(call.id), signal));
    if (!isAllowed) return this.#changeCall(call.id, { outcome: 'refused', result: REFUSED });
    this.#changeCall(call.id, { outcome: 'running' });
    const { conversation } = answer();
    const ran = runTool(call.name, call.arguments, { store, conversation, signal });
    this.#changeCall(call.id, await withAbort(ran, signal));
  }

  #word(id: string): Promise<boolean> {
    return new Promise((resolve) => {
      const tell = () => resolve(this.#words.get(id) === true);
      if (this.#words.has(id)) tell();
      else this.#said.addEventListener(id, tell, { once: true });
    });
  }

  #changeCall(id: string, changes: Partial<ToolCall>): void {
    const { answer, change } = this.#growing;
    const rounds = (answer().rounds ?? []).map((round) => ({
      ...round,
      calls: round.calls.map((call) => (call.id === id ? { ...call, ...changes } : call)),
    }));
    change({ rounds });
  }
}
