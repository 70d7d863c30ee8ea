import type { ChatCompletionUserMessageParam, ResponseFormat } from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import type { CompletionRequest, JsonSchema } from '../../../shared/engine/completion-request.ts';
import { conversationTurns } from '../prompt/conversation-turns.ts';
import type { ErrorContext } from '../errors/engine-error.ts';
import { grammarSchema } from '../grammar/grammar-schema.ts';
import type { LoadedModel } from '../loading/loaded-model.ts';
import { promptMessages, renderPrompt, replyHeader } from '../prompt/render-prompt.ts';
import { toolGrammar } from '../tools/tool-grammar.ts';
import type { ThinkingMarkers } from '../answer/thinking-splitter.ts';
import { toolPrompt } from '../tools/tool-prompt.ts';

/** WebLLM's JSON mode without a schema throws; this schema accepts every object. */
const ANY_OBJECT: JsonSchema = { type: 'object' };

const SCHEMA_PARAM = 'response_format.json_schema.schema';

/** What all choices of a prompt have in common, ready for WebLLM. */
export interface GenerationPlan {
  readonly messages: readonly ChatCompletionUserMessageParam[];
  /** Whether it is known that the prompt fits into the window. */
  readonly fits: boolean;
  readonly format: ResponseFormat | null;
  readonly errorContext: ErrorContext;
  /** Texts that end a turn by the model's template. */
  readonly templateStops: readonly string[];
  /** How the model thinks, and whether it begins inside a block of thinking; null where its text is taken as it is. */
  readonly thinking: { readonly markers: ThinkingMarkers; readonly open: boolean } | null;
  /** Index of the first choice. */
  readonly firstChoice: number;
  /** What each choice begins with, in front of what the model writes. */
  readonly echo: string;
}

/** @throws ApiError for what this model cannot do. */
export function planGeneration(request: CompletionRequest, model: LoadedModel): GenerationPlan {
  const { template, control, entry } = model;
  const { system, turns } = conversationTurns(request.messages, template.roles.tool !== null);
  const images = turns.some((turn) => turn.images.length > 0);
  if (images && !entry.images) {
    throw new ApiError('unsupported_value', `${entry.id} takes text only; leave out the images.`, {
      param: 'messages',
    });
  }
  const usesTools = request.tools.length > 0 && request.toolChoice !== 'none';
  const instructions = usesTools ? withTools(system ?? template.system_message, request) : system;
  const format = usesTools ? toolFormat(request) : answerFormat(request.responseFormat);
  const inside = entry.thinking !== null && replyHeader(template).trimEnd().endsWith(entry.thinking.open);
  const opening = thinkingOpening(request, model, format);
  return {
    messages: promptMessages(renderPrompt({ system: instructions, turns }, template, control, opening)),
    fits: false,
    format,
    errorContext: {
      grammar: format === null ? null : usesTools ? 'tools' : SCHEMA_PARAM,
      images,
      prompt: 'messages',
      contextWindow: entry.contextWindow,
    },
    templateStops: template.stop_str,
    thinking: entry.thinking && { markers: entry.thinking, open: inside && opening === '' },
    firstChoice: 0,
    echo: '',
  };
}

function withTools(system: string, { tools, toolChoice }: CompletionRequest): string {
  const tooling = toolPrompt(tools, toolChoice);
  return system === '' ? tooling : `${system}\n\n${tooling}`;
}

/** The schema that answers must follow; null for free text. */
function answerSchema(format: CompletionRequest['responseFormat']): JsonSchema | null {
  if (format.type === 'text') return null;
  return grammarSchema((format.type === 'json_schema' ? format.schema : null) ?? ANY_OBJECT);
}

/** The grammar that a response format asks for; null for free text. */
function answerFormat(format: CompletionRequest['responseFormat']): ResponseFormat | null {
  const schema = answerSchema(format);
  return schema === null ? null : { type: 'json_object', schema: JSON.stringify(schema) };
}

function toolFormat({ tools, toolChoice, parallelToolCalls, responseFormat }: CompletionRequest): ResponseFormat {
  const single = !parallelToolCalls || typeof toolChoice === 'object';
  const format = toolGrammar(tools, toolChoice, single, answerSchema(responseFormat));
  return { type: 'structural_tag', structural_tag: { type: 'structural_tag', format } };
}

/**
 * An empty block of thinking, written for the model, keeps it from thinking. A grammar that holds from the
 * first token on leaves no room for thoughts either.
 */
function thinkingOpening(request: CompletionRequest, { entry }: LoadedModel, format: ResponseFormat | null): string {
  if (entry.thinking === null) return '';
  const free =
    format?.type !== 'json_object' && request.toolChoice === 'auto' && request.responseFormat.type === 'text';
  const constrained = format !== null && !free;
  if (request.thinking !== false && !constrained) return '';
  const { open, close } = entry.thinking;
  return `${open}\n\n${close}\n\n`;
}
