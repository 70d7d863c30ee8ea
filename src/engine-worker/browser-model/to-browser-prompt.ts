import { ApiError } from '../../shared/api-error.ts';
import type { ChatMessage, CompletionRequest, ResponseFormat } from '../../shared/engine/completion-request.ts';
import type { BrowserMessage, BrowserModelRequest } from '../../shared/messaging/browser-model-messages.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { answerSchema } from '../grammar/request-grammar.ts';
import { simpleTurns } from '../prompt/simple-turns.ts';

/**
 * Rejects request fields for which the browser's API has no option. A field whose value has no effect is accepted,
 * because many clients send their defaults.
 * @throws ApiError `unsupported_parameter` naming the field.
 */
export function refuseBeyondBrowserModel(request: CompletionRequest, { contextWindow }: ModelEntry): void {
  const { maxTokens, responseFormat } = request;
  const given: readonly (readonly [param: string, isUsed: boolean])[] = [
    ['prompt', request.raw !== undefined],
    ['messages', request.messages.some(hasImages)],
    ['temperature', request.temperature !== null],
    ['top_p', (request.topP ?? 1) !== 1],
    ['top_k', request.topK !== null],
    ['max_tokens', maxTokens !== null && maxTokens < contextWindow],
    ['stop', request.stop.length > 0],
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
  const refused = given.find(([, isUsed]) => isUsed)?.[0];
  if (refused === undefined) return;
  throw new ApiError(
    'unsupported_parameter',
    `\`${refused}\`: the browser's own model does not take ${refused === 'messages' ? 'images' : 'it'}. ${remedy(refused)}`,
    {
      param: refused,
    },
  );
}

function hasImages({ content }: ChatMessage): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'image');
}

function remedy(param: string): string {
  if (param === 'prompt') return 'Send a conversation to `/chat/completions`.';
  if (param === 'messages') return 'Leave out the images.';
  return param === 'max_tokens' ? 'Leave it out, or send at least its context window.' : 'Leave it out.';
}

/** Converts the conversation to the form of the browser's API, in which the last turn is the prompt. */
export function toBrowserPrompt({
  messages,
  responseFormat,
}: CompletionRequest): Omit<Extract<BrowserModelRequest, { type: 'prompt' }>, 'id'> {
  const all = simpleTurns(messages, false).map(({ role, content }): BrowserMessage => ({
    role: role === 'tool' ? 'user' : role,
    content,
  }));
  return {
    type: 'prompt',
    initialPrompts: all.slice(0, -1),
    prompt: all.at(-1)!,
    constraint: toConstraint(responseFormat),
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
      return new RegExp(`^(?:${format.pattern})$`, 'u');
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
