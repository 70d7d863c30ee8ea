import { errorMessage } from '../../shared/error-message.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { isToolName, type ToolName } from '../types/conversation.ts';
import { calculate } from './calculate.ts';
import { runJavaScript } from './javascript/run-javascript.ts';
import { searchChats } from './search-chats.ts';

/** Maximum characters of a result. */
const MAX_RESULT_LENGTH = 1500;

export interface ToolSurroundings {
  readonly store: ConversationStore;
  /** Id of the calling conversation, which is not searched. */
  readonly conversation: string;
  /** Aborts a running tool. */
  readonly signal: AbortSignal;
  /** Returns the current time. Default: that of the device. */
  readonly now?: () => Date;
}

export interface ToolOutcome {
  readonly outcome: 'done' | 'failed';
  /** The result for the model. */
  readonly result: string;
}

type Tool = (values: Readonly<Record<string, string>>, surroundings: ToolSurroundings) => Promise<string>;

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  calculate: async ({ expression = '' }) => calculate(expression),
  current_time: async (_, { now = () => new Date() }) => timeWords(now()),
  search_chats: async ({ words = '' }, { store, conversation }) => searchChats(words, store, conversation),
  run_javascript: async ({ program = '' }, { signal }) => runJavaScript(program, signal),
};

/** Runs a tool call. Never rejects: the model receives the error and may correct its call. */
export async function runTool(name: string, values: string, surroundings: ToolSurroundings): Promise<ToolOutcome> {
  if (!isToolName(name)) return unknownTool(name);
  try {
    const result = await TOOLS[name](readValues(values), surroundings);
    return { outcome: 'done', result: result.slice(0, MAX_RESULT_LENGTH) };
  } catch (thrown) {
    return { outcome: 'failed', result: `Error: ${errorMessage(thrown)}` };
  }
}

export function unknownTool(name: string): ToolOutcome {
  return { outcome: 'failed', result: `Error: There is no tool called "${name}".` };
}

/** Parses the arguments, which the model may have written in any form. */
function readValues(text: string): Readonly<Record<string, string>> {
  if (text.trim() === '') return {};
  const parsed = jsonIn(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('The arguments are no JSON object.');
  return Object.fromEntries(
    Object.entries(parsed).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Parses JSON; null if the text is not JSON. The parser's message would not help the model. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the time as text, for example `Sunday, 22 November 2026, 20:15:00 (Europe/Oslo)`. */
function timeWords(now: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const day = now.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return `${day}, ${now.toLocaleTimeString('en-GB')} (${timeZone})`;
}
