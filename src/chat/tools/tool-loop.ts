import { withAbort } from '../../shared/timeout.ts';
import { toolMessages } from '../api/answer-request.ts';
import type { CompletionPiece } from '../api/read-chunk.ts';
import type { ChatCompletionRequest } from '../types/chat-completion-request.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { engineOf, type Answer, type ToolCall } from '../types/conversation.ts';
import { refusalOf, runTool } from './run-tool.ts';
import { toolDefinitions } from '../api/tool-definitions.ts';

/** Limit of rounds of tool calls. After it the model must answer in text. */
const MAX_ROUNDS = 5;

const REFUSED = 'Error: The user did not allow this.';

/** Whether a call may run: only this call, always in this chat, or not. */
export type ToolDecision = 'once' | 'always' | 'refuse';

interface GrowingAnswer {
  readonly store: ConversationStore;
  readonly signal: AbortSignal;
  readonly answer: () => Answer;
  readonly change: (changes: Partial<Answer>) => void;
  /**
   * Sends a request and resolves when its stream has ended.
   * @param staysHere Forbids upstream servers.
   */
  readonly ask: (request: ChatCompletionRequest, staysHere: boolean) => Promise<void>;
}

/** The user's decision about a call, and the call as the user saw it. */
interface Decision {
  readonly call: ToolCall;
  readonly isAllowed: boolean;
}

/**
 * Runs the tool calls of one answer, each with the user's consent. Consent covers what the user saw: one call with its
 * tool, arguments, and the engine that gets the result. "Allow once" covers that call; "always" covers the tool in this
 * chat with this engine. This page gives each call its own id, because a server may use an id twice.
 */
export class ToolLoop {
  readonly #growing: GrowingAnswer;
  /** The tools that run without asking, as keys made by {@link grantKey}. */
  readonly #granted: Set<string>;
  /**
   * The user's decisions by call id. A decision may arrive before the loop waits for it, because a reloaded page shows
   * the buttons first.
   */
  readonly #decisions = new Map<string, Decision>();
  readonly #decided = new EventTarget();

  constructor(growing: GrowingAnswer) {
    this.#growing = growing;
    const { allowedTools = [] } = growing.answer().settings;
    this.#granted = new Set(allowedTools.map(({ tool, engine }) => grantKey(tool, engine)));
  }

  withTools(request: ChatCompletionRequest): ChatCompletionRequest {
    const { tools = [] } = this.#growing.answer().settings;
    return { ...request, tools: toolDefinitions(tools), tool_choice: 'auto' };
  }

  /**
   * Adds a piece of a call to the answer. The first call of a round moves the text before it into the round.
   * @returns null for pieces of another type.
   */
  withCall(answer: Answer, piece: CompletionPiece): Answer | null {
    if (piece.type !== 'tool-call') return null;
    const rounds = [...(answer.rounds ?? [])];
    const isNewRound = !rounds.at(-1)?.calls.some(({ outcome }) => outcome === 'writing');
    if (isNewRound) rounds.push({ text: answer.text, calls: [] });
    const { text, calls } = rounds.pop()!;
    return {
      ...answer,
      text: isNewRound ? '' : answer.text,
      rounds: [...rounds, { text, calls: withPiece(calls, piece) }],
    };
  }

  decide(call: ToolCall, decision: ToolDecision): void {
    if (decision === 'always') this.#granted.add(grantKey(call.name, engineOf(this.#growing.answer())));
    this.#decisions.set(call.id, { call, isAllowed: decision !== 'refuse' });
    this.#decided.dispatchEvent(new Event(call.id));
  }

  /**
   * Runs the calls of the answer and sends their results, until the model answers in text.
   * @param request The request that led to the calls. After a reload it includes the earlier rounds.
   */
  async run(request: ChatCompletionRequest): Promise<void> {
    const { answer, ask } = this.#growing;
    const sent = new Set(request.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
    while (answer().finishReason === 'tool_calls') {
      const { rounds = [] } = answer();
      const calls = (rounds.at(-1)?.calls ?? []).filter(({ result }) => result === '');
      const { tools = [] } = answer().settings;
      const runnable: ToolCall[] = [];
      for (const call of calls) {
        // The user is not asked about a call that cannot run.
        const refusal = refusalOf(call.name, call.arguments, tools);
        if (refusal === null) runnable.push(call);
        this.#changeCall(call.id, { source: undefined, ...(refusal ?? { outcome: 'waiting' }) });
      }
      for (const call of runnable) await this.#settle(call);
      const unsent = answer().rounds?.filter(({ calls: [first] }) => !sent.has(first?.id ?? '')) ?? [];
      const messages = [...request.messages, ...toolMessages(unsent)];
      const isLast = rounds.length >= MAX_ROUNDS;
      // If the answer is generated on this device, no upstream may get the results: the user was told that the model
      // on this device gets them.
      const staysHere = engineOf(answer()) === 'local';
      await ask({ ...request, messages, ...(isLast ? { tool_choice: 'none' } : {}) }, staysHere);
      if (isLast) return;
    }
  }

  async #settle(call: ToolCall): Promise<void> {
    const { store, signal, answer } = this.#growing;
    const isAllowed =
      this.#granted.has(grantKey(call.name, engineOf(answer()))) || (await withAbort(this.#decision(call), signal));
    if (!isAllowed) return this.#changeCall(call.id, { outcome: 'refused', result: REFUSED });
    this.#changeCall(call.id, { outcome: 'running' });
    const { conversation } = answer();
    const ran = runTool(call.name, call.arguments, { store, conversation, signal });
    this.#changeCall(call.id, await withAbort(ran, signal));
  }

  /** Waits for the user's decision about the call. A decision about other arguments under the same id is dropped. */
  async #decision(call: ToolCall): Promise<boolean> {
    for (;;) {
      const decision = this.#decisions.get(call.id);
      this.#decisions.delete(call.id);
      if (decision?.call.name === call.name && decision.call.arguments === call.arguments) return decision.isAllowed;
      await new Promise((resolve) => this.#decided.addEventListener(call.id, resolve, { once: true }));
    }
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

/**
 * Adds a piece to the calls of a round. It belongs to the call with the same index, unless the ids differ: some servers
 * use an index twice within a round.
 */
function withPiece(
  calls: readonly ToolCall[],
  { index, id, name, text }: Extract<CompletionPiece, { type: 'tool-call' }>,
): readonly ToolCall[] {
  const at = calls.findLastIndex(({ source }) => source?.index === index && (id === '' || id === source.id));
  const call = calls[at];
  if (call === undefined) {
    const source = { index, id };
    return [...calls, { id: newCallId(), source, name, arguments: text, outcome: 'writing', result: '' }];
  }
  return calls.with(at, { ...call, name: call.name + name, arguments: call.arguments + text });
}

/**
 * Returns a new id of nine letters and digits, a form that all chat templates and servers accept, including Mistral's.
 */
function newCallId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => letters[byte % letters.length]).join('');
}

function grantKey(tool: string, engine: string): string {
  return `${tool} ${engine}`;
}
