import { ApiError } from '../../shared/api-error.ts';
import type { DeltaEvent, GenerationEvent, ToolCallDelta, Usage } from '../../shared/engine/completion-event.ts';
import type { ChatMessage, CompletionRequest, Tool } from '../../shared/engine/completion-request.ts';
import { boundArguments } from '../grammar/request-grammar.ts';
import { matchesWhole } from '../grammar/json-schema/matches-schema.ts';
import { trace } from '../../shared/trace/trace.ts';

type Generate = (request: CompletionRequest) => AsyncIterable<GenerationEvent>;

/** A tool call that is held back until it is complete. */
interface HeldCall {
  readonly deltas: ToolCallDelta[];
  readonly tool: Tool | undefined;
}

/** What is held back of one choice. */
interface HeldChoice {
  content: string;
  /** By the index of the call. */
  readonly calls: Map<number, HeldCall>;
  finish: Extract<GenerationEvent, { type: 'finish' }> | null;
}

/** How many calls of an answer are repeated. Each takes a generation. */
const MAX_REPEATED = 4;

/**
 * Generates an answer, and generates a tool call once more whose arguments are not valid against the schema of a tool. That
 * is possible only for a tool without `strict`, of whose schema the grammar omits what it cannot follow. Calls of such tools,
 * and those after them, are held back until the choice is complete; everything else is streamed.
 *
 * For the second attempt the model gets its call with a message that says what is wrong with it, and has to call the same
 * function. Whatever it then writes is delivered, as a tool without `strict` promises no valid arguments. If the second
 * attempt fails, the first call is delivered.
 * @param signal The signal of the generations.
 * @throws any error of the first generation, and those that {@link endsAnswer} names of a second attempt.
 */
export async function* repeatFailedCalls(
  generate: Generate,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, undefined> {
  const loose = request.toolChoice === 'none' ? [] : request.tools.filter(isLoose);
  if (loose.length === 0) {
    yield* generate(request);
    return undefined;
  }
  const choices = new Map<number, HeldChoice>();
  for await (const event of generate(request)) {
    if (event.type === 'prefill') yield event;
    else if (event.type === 'delta') {
      const held = choices.get(event.choice) ?? { content: '', calls: new Map(), finish: null };
      choices.set(event.choice, held);
      yield* hold(event, held, loose);
    } else if (event.type === 'finish') {
      const held = choices.get(event.choice);
      const isWhole = event.reason !== 'length' && held !== undefined;
      if (isWhole && [...held.calls.values()].some(hasFailed)) held.finish = event;
      else {
        yield* released(event.choice, held?.calls);
        yield event;
      }
    } else {
      let { usage } = event;
      let left = MAX_REPEATED;
      for (const [choice, held] of choices) {
        if (held.finish === null) continue;
        for (const call of [...held.calls.values()].filter(hasFailed)) {
          const room = roomLeft(request, usage);
          if (left-- > 0 && room !== 0)
            usage = added(usage, yield* repeat(generate, { ...request, maxTokens: room }, signal, held.content, call));
        }
        yield* released(choice, held.calls);
        yield held.finish;
      }
      yield { ...event, usage };
    }
  }
  return undefined;
}

/** Whether the grammar omits a part of the tool's schema. */
function isLoose(tool: Tool): boolean {
  return tool.custom === undefined && boundArguments(tool).left.length > 0;
}

/** Yields a delta without the calls that are held back. */
function* hold(event: DeltaEvent, held: HeldChoice, loose: readonly Tool[]): Generator<DeltaEvent, undefined> {
  held.content += event.content ?? '';
  const told: ToolCallDelta[] = [];
  for (const delta of event.toolCalls ?? []) {
    const known = held.calls.get(delta.index);
    const tool = loose.find(({ name }) => name === delta.name);
    if (known !== undefined) known.deltas.push(delta);
    else if (delta.name !== undefined && (tool !== undefined || held.calls.size > 0))
      held.calls.set(delta.index, { deltas: [delta], tool });
    else told.push(delta);
  }
  const { toolCalls, ...others } = event;
  if (toolCalls === undefined || told.length === toolCalls.length) yield event;
  else if (told.length > 0) yield { ...others, toolCalls: told };
  else if (Object.keys(others).length > 2) yield others;
  return undefined;
}

function* released(choice: number, calls: ReadonlyMap<number, HeldCall> = new Map()): Generator<DeltaEvent, undefined> {
  for (const { deltas } of calls.values())
    for (const delta of deltas) yield { type: 'delta', choice, toolCalls: [delta] };
  return undefined;
}

/** Returns how many tokens may still be generated; null if that is not limited. */
function roomLeft({ maxTokens, choices }: CompletionRequest, { completionTokens }: Usage): number | null {
  return maxTokens === null ? null : Math.max(0, Math.min(maxTokens, maxTokens * choices - completionTokens));
}

function argumentsOf({ deltas }: HeldCall): string {
  return deltas.map((delta) => delta.arguments).join('');
}

function hasFailed(call: HeldCall): boolean {
  return call.tool !== undefined && !matchesWhole(call.tool.parameters, argumentsOf(call));
}

/**
 * Generates a call once more, and replaces its arguments if the model writes a whole call. Yields what the engine reports
 * about the prefill. @returns the usage; null if the attempt failed, as it does where the conversation with the failed call
 * does not fit into the context window, or the model's template cannot write the result of a tool.
 */
async function* repeat(
  generate: Generate,
  request: CompletionRequest,
  signal: AbortSignal,
  content: string,
  call: HeldCall,
): AsyncGenerator<GenerationEvent, Usage | null> {
  const [{ id = '', name = '' } = {}] = call.deltas;
  const failed: readonly ChatMessage[] = [
    {
      role: 'assistant',
      content: request.answerPrefix + content,
      toolCalls: [{ id, name, arguments: argumentsOf(call) }],
    },
    { role: 'tool', toolCallId: id, content: explanation(call.tool!) },
  ];
  const again: CompletionRequest = {
    ...request,
    messages: [...request.messages, ...failed],
    tools: [call.tool!],
    toolChoice: { name },
    responseFormat: { type: 'text' },
    answerPrefix: '',
    choices: 1,
  };
  let text = '';
  let usage: Usage | null = null;
  let isWhole = false;
  try {
    for await (const event of generate(again)) {
      if (event.type === 'prefill') yield event;
      else if (event.type === 'delta') text += (event.toolCalls ?? []).map((delta) => delta.arguments).join('');
      else if (event.type === 'finish') isWhole = event.reason === 'tool_calls';
      else usage = event.usage;
    }
  } catch (thrown) {
    if (signal.aborted || endsAnswer(thrown)) throw thrown;
    trace('engine', 'a call could not be repeated', String(thrown));
  }
  if (isWhole) call.deltas.splice(0, call.deltas.length, { ...call.deltas[0]!, arguments: text });
  return usage;
}

/** Whether an error says that the engine, the model or the GPU is lost or stands still, so that the model is loaded again. */
function endsAnswer(thrown: unknown): boolean {
  return ApiError.from(thrown).status > 500;
}

function explanation({ parameters }: Tool): string {
  return `Error: these arguments do not satisfy the schema of the function. Call it again with arguments that do. The schema: ${JSON.stringify(parameters)}`;
}

/** The prompt of a repeated call is not counted: the client did not send it. */
function added(usage: Usage, more: Usage | null): Usage {
  return more === null
    ? usage
    : {
        ...usage,
        completionTokens: usage.completionTokens + more.completionTokens,
        reasoningTokens: usage.reasoningTokens + more.reasoningTokens,
      };
}
