import type { ChatCompletionRequest, RequestMessage } from '../types/chat-completion-request.ts';
import { messageContent } from './message-content.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { ConversationSettings, Message, ToolRound } from '../types/conversation.ts';
import { schemaTextProblem } from './schema-text-problem.ts';
import { settingsStrings } from '../strings/dialog-strings.ts';

/**
 * Builds the request for the next answer to a path of messages: those of the shown branch, oldest first. Messages
 * without content are left out, but the tool calls of an answer without text stay. A question that the page answered
 * from the chat's documents, without a model, is left out too, because many chat templates refuse two in a row.
 * @throws ApiError `invalid_value` if the settings contain an invalid JSON Schema.
 */
export function answerRequest(
  model: string,
  path: readonly Message[],
  settings: ConversationSettings,
  seed: number,
): ChatCompletionRequest {
  const { temperature, topP, maxTokens, stop, presencePenalty, frequencyPenalty, jsonSchema } = settings;
  const prompts = [settings.instructions ?? '', settings.systemPrompt];
  const system = prompts.filter((prompt) => prompt.trim() !== '').join('\n\n');
  return {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...path.flatMap((message, index) => {
        const next = path[index + 1];
        if (next?.role === 'assistant' && next.sources && next.text === '' && !next.rounds) return [];
        const content = messageContent(message);
        return [
          ...(message.role === 'assistant' ? toolMessages(message.rounds ?? []) : []),
          ...(content === '' ? [] : [{ role: message.role, content }]),
        ];
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

/**
 * Returns the tool calls before an answer, and their results, as messages of the request. Unfinished rounds are left
 * out.
 */
export function toolMessages(rounds: readonly ToolRound[]): readonly RequestMessage[] {
  const ended = rounds.filter(({ calls }) => calls.every(({ result }) => result !== ''));
  return ended.flatMap(({ text, calls }): RequestMessage[] => [
    {
      role: 'assistant',
      content: text,
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
      })),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool', content: result, tool_call_id: id }) as const),
  ]);
}

function parseSchema(text: string): unknown {
  const problem = schemaTextProblem(text);
  if (problem !== null) throw new ApiError('invalid_value', settingsStrings.brokenSchema(problem));
  return JSON.parse(text);
}
