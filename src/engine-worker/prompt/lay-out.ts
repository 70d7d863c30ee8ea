import type { ChatMessage, ToolCall } from '../../shared/engine/completion-request.ts';
import { hermesCalls, toolReplyText } from '../tools/tool-syntax.ts';
import { argumentsObject } from '../tools/arguments-object.ts';
import type { Layout } from './layouts.ts';
import type { TemplateCall, TemplateMessage } from './template-message.ts';
import { userContent } from './user-content.ts';

/** A message for a chat template, and the images that belong to it. */
export interface LaidOutMessage extends TemplateMessage {
  /** Addresses of images, for which {@link turnParts} finds the places in the text. Empty for all roles but the user's. */
  readonly images: readonly string[];
}

/**
 * Writes a conversation in a layout.
 *
 * - System messages before the first turn are joined by a blank line, in every layout.
 * - If all messages are system messages, they become one user turn, because most models answer only users.
 * - The results of several calls come in the order of the calls.
 *
 * @param instructions Text that is added to the system message, such as the description of tools; may be empty.
 * @param spell Writes calls as text in the syntax of the template.
 */
export function layOut(
  given: readonly ChatMessage[],
  layout: Layout,
  instructions: string,
  spell: (calls: readonly ToolCall[]) => string,
): readonly LaidOutMessage[] {
  const messages = inCallOrder(given);
  const first = messages.findIndex(({ role }) => role !== 'system');
  const begin = first < 0 ? messages.length : first;
  const leading = messages.slice(0, begin).map(({ content }) => content as string);
  const system = [...leading, instructions].filter((text) => text !== '').join('\n\n');
  if (first < 0) {
    if (instructions === '') return [turn('user', system)];
    return placeSystem([turn('system', instructions), turn('user', leading.join('\n\n'))], layout);
  }
  const turns = messages.slice(begin).flatMap((message) => toTurns(message, messages, layout, spell));
  const all = leading.length > 0 || instructions !== '' ? [turn('system', system), ...turns] : turns;
  return arrangeTurns(placeSystem(all, layout), layout);
}

/**
 * Returns messages with the results of several calls in the order of the calls. A client may send them as they come, each with
 * the id of its call, but most templates do not write the ids.
 */
function inCallOrder(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const ordered = [...messages];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || message.toolCalls.length < 2) continue;
    const ids = message.toolCalls.map(({ id }) => id);
    const place = (result: ChatMessage) => (result.role === 'tool' ? ids.indexOf(result.toolCallId) : 0);
    const next = messages.findIndex(({ role }, later) => later > index && role !== 'tool');
    const results = messages.slice(index + 1, next < 0 ? messages.length : next);
    ordered.splice(index + 1, results.length, ...results.toSorted((one, other) => place(one) - place(other)));
  }
  return ordered;
}

function turn(role: TemplateMessage['role'], content: string, more: Partial<LaidOutMessage> = {}): LaidOutMessage {
  return { role, content, images: [], ...more };
}

function toTurns(
  message: ChatMessage,
  messages: readonly ChatMessage[],
  layout: Layout,
  spell: (calls: readonly ToolCall[]) => string,
): readonly LaidOutMessage[] {
  if (message.role === 'system') return [turn('system', message.content)];
  if (message.role === 'user') {
    const { text, images } = userContent(message.content);
    return [turn('user', text, { images })];
  }
  if (message.role === 'tool') {
    if (layout.tools === 'text') return [turn('user', toolReplyText(message.content))];
    const name = callOf(messages.slice(0, messages.indexOf(message)), message.toolCallId)?.name;
    return [
      turn('tool', message.content, {
        tool_call_id: idIn(layout, message.toolCallId),
        ...(name === undefined ? {} : { name }),
      }),
    ];
  }
  const { content, toolCalls } = message;
  if (toolCalls.length === 0) return [turn('assistant', content)];
  if (layout.tools === 'native') {
    return [turn('assistant', content, { tool_calls: toolCalls.map((call) => templateCall(call, layout)) })];
  }
  const text = layout.tools === 'spelled' ? spell(toolCalls) : hermesCalls(toolCalls);
  return [turn('assistant', content === '' ? text : `${content}\n${text}`)];
}

function callOf(messages: readonly ChatMessage[], id: string): ToolCall | undefined {
  return messages
    .flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
    .findLast((call) => call.id === id);
}

function templateCall({ id, name, arguments: text }: ToolCall, layout: Layout): TemplateCall {
  return {
    id: idIn(layout, id),
    type: 'function',
    function: { name, arguments: layout.args === 'object' ? argumentsObject(text) : text.trim() === '' ? '{}' : text },
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Returns an id in a layout. Equal ids become equal ids, so that a result still names its call. */
function idIn({ ids }: Layout, id: string): string {
  if (ids === 'as-sent' || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  // FNV-1a, and a linear congruential generator for the further letters.
  let state = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(id)) state = Math.imul(state ^ byte, 0x01_00_01_93) >>> 0;
  return Array.from({ length: 9 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return LETTERS[(state >>> 16) % LETTERS.length];
  }).join('');
}

/** Moves the system messages that the layout does not leave in their places into turns of the user. */
function placeSystem(turns: readonly LaidOutMessage[], { system }: Layout): readonly LaidOutMessage[] {
  if (system === 'in-place') return turns;
  const keeps = system === 'before-user' && turns[0]?.role === 'system' ? 1 : 0;
  const placed: LaidOutMessage[] = turns.slice(0, keeps);
  let pending: string[] = [];
  const settle = () => {
    if (pending.length > 0) placed.push(turn('user', pending.join('\n\n')));
    pending = [];
  };
  for (const each of turns.slice(keeps)) {
    if (each.role === 'system') pending.push(each.content);
    else if (each.role === 'user') {
      placed.push({ ...each, content: [...pending, each.content].join('\n\n') });
      pending = [];
    } else {
      settle();
      placed.push(each);
    }
  }
  settle();
  return placed;
}

function arrangeTurns(turns: readonly LaidOutMessage[], { turns: form, tools }: Layout): readonly LaidOutMessage[] {
  if (form === 'as-sent') return turns;
  const separate = tools === 'native' ? separateCalls(turns, form === 'split' || form === 'alternating') : turns;
  if (form === 'one-call' || form === 'split') return separate;
  const joined: LaidOutMessage[] = [];
  for (const each of separate) {
    const last = joined.at(-1);
    if (last !== undefined && mayJoin(last, each)) joined[joined.length - 1] = join(last, each);
    else joined.push(each);
  }
  return form === 'alternating' ? alternate(joined) : joined;
}

/**
 * Makes each call a turn of its own, followed by its result.
 * @param splits Whether the text before a call is a turn of its own, too.
 */
function separateCalls(turns: readonly LaidOutMessage[], splits: boolean): readonly LaidOutMessage[] {
  const separate: LaidOutMessage[] = [];
  const taken = new Set<LaidOutMessage>();
  for (const [index, each] of turns.entries()) {
    if (taken.has(each)) continue;
    const calls = each.tool_calls ?? [];
    if (calls.length === 0) {
      separate.push(each);
      continue;
    }
    const splitsText = splits && each.content !== '';
    if (splitsText) separate.push(turn('assistant', each.content));
    for (const [position, call] of calls.entries()) {
      separate.push({ ...each, content: position === 0 && !splitsText ? each.content : '', tool_calls: [call] });
      const result = turns.slice(index + 1).find((later) => later.role === 'tool' && later.tool_call_id === call.id);
      if (result === undefined || taken.has(result)) continue;
      taken.add(result);
      separate.push(result);
    }
  }
  return separate;
}

/** Inserts empty turns so that user and assistant alternate, beginning with the user. Calls and results do not count. */
function alternate(turns: readonly LaidOutMessage[]): readonly LaidOutMessage[] {
  let next: 'user' | 'assistant' = 'user';
  return turns.flatMap((each) => {
    if ((each.role !== 'user' && each.role !== 'assistant') || each.tool_calls !== undefined) return [each];
    const missing = each.role === next ? [] : [turn(next, '')];
    next = each.role === 'user' ? 'assistant' : 'user';
    return [...missing, each];
  });
}

function mayJoin(a: LaidOutMessage, b: LaidOutMessage): boolean {
  return a.role === b.role && a.role !== 'tool' && a.tool_calls === undefined;
}

function join(a: LaidOutMessage, b: LaidOutMessage): LaidOutMessage {
  const content = [a.content, b.content].filter((text) => text !== '').join('\n\n');
  return { ...a, ...b, content, images: [...a.images, ...b.images] };
}
