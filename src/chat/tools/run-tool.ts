import { errorMessage } from '../../shared/error-message.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { isToolName, TOOL_NAMES, type ToolName } from '../types/conversation.ts';
import { calculate } from './calculate.ts';
import { runJavaScript } from './javascript/run-javascript.ts';
import { readToolArguments } from './read-tool-arguments.ts';
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

/**
 * Returns the outcome of a call that needs no consent, because it cannot run: its tool is not switched on, or does not
 * take its arguments. Null if the call can run.
 * @param tools The tools that are switched on.
 */
export function refusalOf(name: string, given: string, tools: readonly ToolName[]): ToolOutcome | null {
  if (!isToolName(name) || !tools.includes(name)) return failure(new Error(`There is no tool called "${name}".`));
  try {
    readToolArguments(name, given);
    return null;
  } catch (thrown) {
    return failure(thrown);
  }
}

/** Runs a tool call. Never rejects: the model receives the error and may correct its call. */
export async function runTool(name: string, given: string, surroundings: ToolSurroundings): Promise<ToolOutcome> {
  const refusal = refusalOf(name, given, TOOL_NAMES);
  if (refusal !== null) return refusal;
  try {
    const tool = name as ToolName;
    const result = await TOOLS[tool](readToolArguments(tool, given), surroundings);
    // The cut may leave half of a surrogate pair.
    return { outcome: 'done', result: result.slice(0, MAX_RESULT_LENGTH).replace(/[\uD800-\uDBFF]$/, '') };
  } catch (thrown) {
    return failure(thrown);
  }
}

function failure(thrown: unknown): ToolOutcome {
  return { outcome: 'failed', result: `Error: ${errorMessage(thrown)}` };
}

/** Returns the time as text, for example `Sunday, 22 November 2026, 20:15:00 (Europe/Oslo)`. */
function timeWords(now: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const day = now.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return `${day}, ${now.toLocaleTimeString('en-GB')} (${timeZone})`;
}
