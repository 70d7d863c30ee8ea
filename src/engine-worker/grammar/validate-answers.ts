import { ApiError } from '../../shared/api-error.ts';
import type { GenerationEvent, ToolCallDelta } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest, JsonSchema, ResponseFormat, Tool } from '../../shared/engine/completion-request.ts';
import { matchesGrammar } from './expressions/matches-grammar.ts';
import { matchesPattern } from './regular-language/matches-pattern.ts';
import { matchesSchema } from './json-schema/matches-schema.ts';
import { answerSchema, boundArguments, givenBeginning, givenGrammar } from './request-grammar.ts';

/** What one choice has generated so far. */
interface Answer {
  content: string;
  /** The tool calls by index. The name comes with the first delta of a call. */
  readonly calls: { name: string; input: string }[];
}

/**
 * Forwards the events of a generation, and validates each finished choice against the request's schemas. The engine's
 * grammar should make an invalid answer impossible. If one occurs nevertheless, the client gets an error instead.
 *
 * A choice that ended at the token limit is not validated, nor are the choices of a request with stop sequences or tokens,
 * because both may cut JSON. Choices that begin with their prompt (`echo`) are not validated either.
 * @param fault Creates the error for an invalid answer. Default: an error that reports a defect of Tabserve.
 * @throws ApiError `internal_error` in place of the choice's `finish`; any error of the engine.
 */
export async function* validateAnswers(
  events: AsyncIterable<GenerationEvent>,
  request: CompletionRequest,
  fault = broken,
): AsyncGenerator<GenerationEvent, undefined> {
  const isConstrained = request.responseFormat.type !== 'text' || request.tools.length > 0;
  const mayStop = request.stop.length > 0 || request.stopTokens.length > 0;
  if (!isConstrained || mayStop || request.raw?.echo) {
    yield* events;
    return undefined;
  }
  const answers = new Map<number, Answer>();
  for await (const event of events) {
    if (event.type === 'delta') {
      const answer = answers.get(event.choice) ?? begunAnswer(request);
      answers.set(event.choice, answer);
      answer.content += event.content ?? '';
      event.toolCalls?.forEach((piece) => addPiece(answer, piece));
    }
    const isComplete = event.type === 'finish' && event.reason !== 'length';
    if (isComplete && !satisfies(answers.get(event.choice) ?? begunAnswer(request), request)) throw fault();
    yield event;
  }
  return undefined;
}

function begunAnswer(request: CompletionRequest): Answer {
  return { content: givenBeginning(request), calls: [] };
}

function addPiece({ calls }: Answer, { index, name, arguments: text }: ToolCallDelta): void {
  const call = (calls[index] ??= { name: '', input: '' });
  call.name += name ?? '';
  call.input += text;
}

function satisfies({ content, calls }: Answer, { responseFormat, tools }: CompletionRequest): boolean {
  if (calls.length === 0) return isAnswer(content, responseFormat);
  return calls.every(({ name, input }) => {
    const tool = tools.find((one) => one.name === name);
    return tool !== undefined && isInput(input, tool);
  });
}

function isAnswer(content: string, format: ResponseFormat): boolean {
  switch (format.type) {
    case 'text':
      return true;
    case 'json_object':
    case 'json_schema':
      return isJsonOf(answerSchema(format), content);
    case 'regex':
      return matchesPattern(format.pattern, content, true);
    case 'grammar':
      return matchesGrammar(givenGrammar(format.grammar, format.param), content);
    case 'choice':
      return format.choices.includes(content);
  }
}

function isInput(input: string, tool: Tool): boolean {
  const { custom } = tool;
  if (custom === undefined) return isJsonOf(boundArguments(tool).schema, input);
  return custom.pattern === null || matchesPattern(custom.pattern, input, true);
}

function isJsonOf(schema: JsonSchema, text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return matchesSchema(schema, schema, value);
}

function broken(): ApiError {
  return new ApiError(
    'internal_error',
    'The answer ended, but it does not satisfy the schema of the request. This is a defect of Tabserve: please report the schema.',
  );
}
