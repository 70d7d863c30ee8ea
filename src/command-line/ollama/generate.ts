import { generationFields } from './generation-fields.ts';
import { answerResponse, emptyAnswer, type AnswerForm } from './answer-response.ts';
import { userContent } from './chat-messages.ts';
import type { Endpoint } from './endpoint.ts';
import { findModelId, requireModel } from './find-model.ts';
import { readArray, readBoolean, readModel, readText, type JsonObject } from './read-fields.ts';
import { RequestFailure } from './request-failure.ts';

const TEXT: AnswerForm = (response, thinking) => ({ response, ...(thinking === '' ? {} : { thinking }) });

/**
 * More tokens than any context window has. Without a limit the endpoint would generate only 16 tokens for a raw
 * completion.
 */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * Handles `POST /api/generate`: the answer to one prompt. With `raw` or `suffix`, `/v1/completions` continues the
 * prompt without a chat template.
 */
export async function generate(body: JsonObject, endpoint: Endpoint): Promise<Response> {
  const model = readModel(body);
  const stream = readBoolean(body.stream, 'stream', true);
  const raw = readBoolean(body.raw, 'raw', false);
  const [prompt, suffix, system] = [
    readText(body.prompt, 'prompt'),
    readText(body.suffix, 'suffix'),
    readText(body.system, 'system'),
  ];
  refuseOtherTemplates(body);
  const content = userContent(prompt, body.images, 'images');
  const id = await findModelId(endpoint, model);
  if (content === '' && suffix === '') {
    await requireModel(endpoint, id);
    return emptyAnswer(model, stream, TEXT, body.keep_alive === 0 ? 'unload' : 'load');
  }
  const fields = { model: id, ...generationFields(body) };
  if (raw || suffix !== '') {
    if (typeof content !== 'string' || body.logprobs === true)
      throw new RequestFailure(400, '`images` and `logprobs` are not offered together with `raw` or `suffix`.');
    const completion = { max_tokens: NO_LIMIT, ...fields, prompt, ...(suffix === '' ? {} : { suffix }) };
    return answerResponse(endpoint.stream('/completions', completion), { model, stream, form: TEXT });
  }
  const messages = [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content }];
  const asked = endpoint.stream('/chat/completions', { ...fields, messages });
  return answerResponse(asked, { model, stream, form: TEXT });
}

/** Rejects a request with its own template, or with the tokens of an earlier conversation. @throws RequestFailure */
function refuseOtherTemplates(body: JsonObject): void {
  if (readText(body.template, 'template') !== '') {
    throw new RequestFailure(400, '`template` is not offered: send the whole prompt with `raw`.');
  }
  if (readArray(body.context, 'context').length > 0) {
    throw new RequestFailure(400, '`context` is not offered: send the conversation to /api/chat.');
  }
}
