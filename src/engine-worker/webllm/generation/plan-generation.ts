import type { ChatCompletionUserMessageParam, ResponseFormat } from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import { allowsOneCall } from '../../tools/allows-one-call.ts';
import { simpleTurns } from '../../prompt/simple-turns.ts';
import type { ErrorContext } from '../errors/webllm-errors.ts';
import { answerGrammar } from '../../grammar/request-grammar.ts';
import { ebnfOf } from '../grammar/print-ebnf.ts';
import type { LoadedModel } from '../loading/load-chat-model.ts';
import type { ChatTemplate } from '../prompt/chat-template.ts';
import { endBias, endTexts, unwantedBias, type TokenBias } from '../prompt/unwanted-bias.ts';
import { promptMessages, renderPrompt, replyHeader } from '../prompt/render-prompt.ts';
import { HERMES } from '../../tools/call-syntax/call-syntaxes.ts';
import { distinctSyntax } from '../../tools/call-syntax/distinct-syntax.ts';
import { toolGrammar } from '../tools/tool-grammar.ts';
import { afterThinking } from '../tools/after-thinking.ts';
import type { ThinkingMarkers } from '../../answer/thinking-splitter.ts';
import { withoutThoughts } from '../../answer/usual-thinking.ts';
import { toolPrompt } from '../../tools/tool-prompt.ts';

export const SCHEMA_PARAM = 'response_format.json_schema.schema';

/** The inputs for WebLLM that all choices of a prompt share. */
export interface GenerationPlan {
  readonly messages: readonly ChatCompletionUserMessageParam[];
  /** Whether the prompt is known to fit into the context window, so that its length need not be checked. */
  readonly fits: boolean;
  /** The grammar that constrains the answer; null for free text. */
  readonly format: ResponseFormat | null;
  readonly errorContext: ErrorContext;
  /** Stop sequences of the model's chat template. */
  readonly templateStops: readonly string[];
  /** Markers of thinking blocks, and whether the prompt ends inside one. Null: markers are not interpreted. */
  readonly thinking: { readonly markers: ThinkingMarkers; readonly open: boolean } | null;
  /** Index of this prompt's first choice among the choices of the whole response. */
  readonly firstChoice: number;
  /** Bias that prevents the tokens that the answer must not contain; null if all are allowed. */
  readonly unwanted: TokenBias | null;
  /** Text that each choice begins with, before the generated text; may be empty. */
  readonly echo: string;
}

/**
 * Plans the generation for a chat request. @throws ApiError if the model does not support a part of the request, such
 * as images, or if its tools and its answer cannot be distinguished ({@link distinctSyntax}).
 */
export function planGeneration(request: CompletionRequest, model: LoadedModel): GenerationPlan {
  const { template, control, entry } = model;
  const usesTools = request.tools.length > 0 && request.toolChoice !== 'none';
  const turns = simpleTurns(
    withoutThoughts(request),
    template.roles.tool !== null,
    usesTools ? instructions(request, template) : '',
  );
  const images = turns.some((turn) => turn.images.length > 0);
  if (images && !entry.images) {
    throw new ApiError('unsupported_value', `${entry.id} takes text only; leave out the images.`, {
      param: 'messages',
    });
  }
  const answer = usesTools ? toolFormat(request) : answerFormat(request);
  const inside = entry.thinking !== null && replyHeader(template).trimEnd().endsWith(entry.thinking.open);
  // An answer whose beginning is given has no thinking before it.
  const thinks = entry.thinking !== null && request.thinking !== false && request.answerPrefix === '';
  const opening = thinks ? '' : emptyThinking(entry.thinking);
  const format = answer !== null && thinks ? afterThinking(answer, entry.thinking, inside) : answer;
  const unwanted = answerBias(request, unwantedBias(control, template, usesTools), model);
  return {
    messages: promptMessages(renderPrompt(turns, template, control, [opening, request.answerPrefix])),
    fits: false,
    format,
    errorContext: {
      grammar: format === null ? null : usesTools ? 'tools' : SCHEMA_PARAM,
      images,
      prompt: 'messages',
      model: entry,
    },
    templateStops: request.ignoreEnd ? [] : endTexts(control, template),
    thinking:
      request.answerPrefix === ''
        ? entry.thinking && { markers: entry.thinking, open: inside && opening === '' }
        : null,
    firstChoice: 0,
    unwanted,
    echo: '',
  };
}

/** Returns the description of the tools, after the template's own system message where the request has none. */
function instructions({ messages, tools, toolChoice }: CompletionRequest, template: ChatTemplate): string {
  const hasSystem = messages[0]?.role === 'system' && messages.some(({ role }) => role !== 'system');
  const parts = [hasSystem ? '' : template.system_message, toolPrompt(tools, toolChoice)];
  return parts.filter((text) => text !== '').join('\n\n');
}

/** Returns `unwanted` without the tokens at which the request ends its answer, and with those that may not end it. */
export function answerBias(
  { stopTokens, ignoreEnd }: CompletionRequest,
  unwanted: TokenBias | null,
  { control, template }: Pick<LoadedModel, 'control' | 'template'>,
): TokenBias | null {
  const bias = ignoreEnd ? { ...unwanted, ...endBias(control, template) } : unwanted;
  if (bias === null || stopTokens.length === 0) return bias;
  return Object.fromEntries(Object.entries(bias).filter(([token]) => !stopTokens.includes(Number(token))));
}

/** Returns the format that needs a grammar; null for free text. */
export function answerFormat(request: CompletionRequest): ResponseFormat | null {
  const grammar = answerGrammar(request);
  return grammar === null ? null : { type: 'grammar', grammar: ebnfOf(grammar) };
}

function toolFormat(request: CompletionRequest): ResponseFormat {
  const { tools, toolChoice, parallelToolCalls } = request;
  const single = allowsOneCall({ parallelToolCalls, toolChoice });
  const answer = answerGrammar(request);
  distinctSyntax(request, HERMES);
  const format = toolGrammar(tools, toolChoice, single, answer && ebnfOf(answer));
  return { type: 'structural_tag', structural_tag: { type: 'structural_tag', format } };
}

/** Returns an empty thinking block. It is prefilled as the start of the answer, to keep the model from thinking. */
function emptyThinking(markers: ThinkingMarkers | null): string {
  return markers === null ? '' : `${markers.open}\n\n${markers.close}\n\n`;
}
