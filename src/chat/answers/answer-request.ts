import type { ChatCompletionRequest } from '../api/chat-completion.ts';
import { messageContent } from '../attachments/message-content.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { ConversationSettings, Message } from '../storage/conversation.ts';
import { schemaProblem } from '../storage/schema-problem.ts';
import { conversationStrings } from '../strings/conversation.ts';

/**
 * The request that asks for the answer to a path of messages. Answers without text are left out.
 * @throws ApiError `invalid_value` when the settings hold no JSON Schema where one should be.
 */
export function answerRequest(
  model: string,
  path: readonly Message[],
  settings: ConversationSettings,
  seed: number,
): ChatCompletionRequest {
  const { systemPrompt, temperature, topP, maxTokens, stop, presencePenalty, frequencyPenalty, jsonSchema } = settings;
  return {
    model,
    messages: [
      ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt } as const]),
      ...path.flatMap((message) => {
        const content = messageContent(message);
        return content === '' ? [] : [{ role: message.role, content }];
      }),
    ],
    seed,
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(maxTokens === null ? {} : { max_completion_tokens: maxTokens }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(presencePenalty === null ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === null ? {} : { frequency_penalty: frequencyPenalty }),
    ...(jsonSchema.trim() === ''
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'answer', schema: parseSchema(jsonSchema) },
          },
        }),
  };
}

function parseSchema(text: string): unknown {
  const problem = schemaProblem(text);
  if (problem !== null) throw new ApiError('invalid_value', conversationStrings.brokenSchema(problem));
  return JSON.parse(text);
}
