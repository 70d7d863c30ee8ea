import { ApiError } from '../../shared/api-error.ts';
import type { ChatMessage, CompletionRequest, ResponseFormat } from '../../shared/engine/completion-request.ts';
import type { BrowserMessage, BrowserModelRequest } from '../../shared/messaging/browser-model-messages.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { patternExpression } from '../../shared/json-schema/unicode-pattern.ts';
import { withoutThoughts } from '../answer/usual-thinking.ts';
import { answerSchema } from '../grammar/request-grammar.ts';
import { simpleTurns } from '../prompt/simple-turns.ts';

/**
 * Rejects request fields for which the browser's API has no option. A field whose value has no effect is accepted,
 * because many clients send their defaults.
 * @throws ApiError `unsupported_parameter` naming the field.
 */
export function refuseBeyondBrowserModel(request: CompletionRequest, { contextWindow }: ModelEntry): void {
  const { maxTokens, responseFormat } = request;
  const given: readonly (readonly [param: string, isUsed: boolean, remedy?: string])[] = [
    ['prompt', request.raw !== undefined, 'Send a conversation to `/chat/completions`.'],
    ['messages', request.messages.some(hasImages), 'Leave out the images.'],
    ['messages', request.answerPrefix !== '', 'End with a message of the user: it begins each answer itself.'],
    ['temperature', request.temperature !== null],
    ['top_p', (request.topP ?? 1) !== 1],
    ['top_k', request.topK !== null],
    ['min_p', (request.minP ?? 0) !== 0],
    [
      'max_tokens',
      maxTokens !== null && maxTokens < contextWindow,
      'Leave it out, or send at least its context window.',
    ],
    ['stop', request.stop.length > 0],
    ['stop_token_ids', request.stopTokens.length > 0],
    ['ignore_eos', request.ignoreEnd],
    ['seed', request.seed !== null],
    ['presence_penalty', (request.presencePenalty ?? 0) !== 0],
    ['frequency_penalty', (request.frequencyPenalty ?? 0) !== 0],
    ['repetition_penalty', (request.repetitionPenalty ?? 1) !== 1],
    ['n', request.choices > 1],
    ['logprobs', request.logprobs],
    ['logit_bias', request.logitBias !== null],
    ['tools', request.tools.length > 0 && request.toolChoice !== 'none'],
    [responseFormat.type === 'grammar' ? responseFormat.param : '', responseFormat.type === 'grammar'],
  ];
  const refused = given.find(([, isUsed]) => isUsed);
  if (refused === undefined) return;
  const [param, , remedy = 'Leave it out.'] = refused;
  const subject = param === 'messages' ? 'such messages' : 'it';
  throw new ApiError(
    'unsupported_parameter',
    `\`${param}\`: the browser's own model does not take ${subject}. ${remedy}`,
    { param },
  );
}

function hasImages({ content }: ChatMessage): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'image');
}

/** Converts the conversation to the form of the browser's API, in which the last turn is the prompt. */
export function toBrowserPrompt(
  request: CompletionRequest,
): Omit<Extract<BrowserModelRequest, { type: 'prompt' }>, 'id'> {
  const all = simpleTurns(withoutThoughts(request), false).map(({ role, content }): BrowserMessage => ({
    role: role === 'tool' ? 'user' : role,
    content,
  }));
  return {
    type: 'prompt',
    initialPrompts: all.slice(0, -1),
    prompt: all.at(-1)!,
    constraint: toConstraint(request.responseFormat),
  };
}

function toConstraint(format: ResponseFormat): object | null {
  switch (format.type) {
    case 'json_object':
    case 'json_schema': {
      const schema = answerSchema(format);
      return typeof schema === 'object' ? schema : {};
    }
    case 'regex':
      return patternExpression(format.pattern, true);
    case 'choice':
      return new RegExp(
        `^(?:${format.choices.map((choice) => choice.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})$`,
        'u',
      );
    case 'grammar':
    case 'text':
      return null;
  }
}
