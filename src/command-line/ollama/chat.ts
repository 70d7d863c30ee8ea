import { generationFields } from './generation-fields.ts';
import { answerResponse, emptyAnswer, type AnswerForm } from './answer-response.ts';
import { toChatMessages } from './chat-messages.ts';
import type { Endpoint } from './endpoint.ts';
import { findModelId, requireModel } from './find-model.ts';
import { readArray, readBoolean, readModel, readObject, type JsonObject } from './read-fields.ts';

const MESSAGE: AnswerForm = (content, thinking, toolCalls) => ({
  message: {
    role: 'assistant',
    content,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  },
});

/** Handles `POST /api/chat` by a request to `/v1/chat/completions`. */
export async function chat(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  const model = readModel(body);
  const stream = readBoolean(body.stream, 'stream', true);
  const messages = toChatMessages(readArray(body.messages, 'messages'));
  const tools = readArray(body.tools, 'tools').map((tool, index) => ({
    type: 'function',
    ...readObject(tool, `tools[${index}]`),
  }));
  const id = await findModelId(endpoint, model);
  if (messages.length === 0) {
    await requireModel(endpoint, id);
    return emptyAnswer(model, stream, MESSAGE, body.keep_alive === 0 ? 'unload' : 'load');
  }
  const asked = endpoint.stream('/chat/completions', {
    model: id,
    messages,
    ...generationFields(body),
    ...(tools.length === 0 ? {} : { tools }),
  });
  return answerResponse(asked, { model, stream, form: MESSAGE });
}
