import { AnswerTimes } from './answer-times.ts';
import { isEnd, readAnswer, type AnswerEnd, type AnswerPiece } from './read-answer.ts';
import { jsonResponse } from './json-response.ts';
import { RequestFailure } from './request-failure.ts';
import type { ToolCall } from './tool-calls.ts';

/** Arranges the parts of an answer in the fields of a route. */
export type AnswerForm = (content: string, thinking: string, toolCalls: readonly ToolCall[]) => object;

/**
 * Converts an answer of the endpoint to Ollama's format.
 * @param asked The endpoint's pending response.
 * @param model The model's name in the client's request.
 * @param stream True for NDJSON, one line per part; false for one JSON object.
 */
export async function answerResponse(
  asked: Promise<Response>,
  { model, stream, form }: { model: string; stream: boolean; form: AnswerForm },
): Promise<Response> {
  const times = new AnswerTimes();
  const created = () => ({ model, created_at: new Date().toISOString() });
  const piece = ({ content, thinking, toolCalls, logprobs }: AnswerPiece) => ({
    ...form(content, thinking, toolCalls),
    ...(logprobs.length === 0 ? {} : { logprobs }),
  });
  const answer = readAnswer(await asked, times);
  if (!stream) {
    const { all, end } = await collect(answer);
    return jsonResponse({ ...created(), ...piece(all), done: true, ...end });
  }

  async function* lines(): AsyncGenerator<object> {
    try {
      for await (const part of answer) {
        yield isEnd(part)
          ? { ...created(), ...form('', '', []), done: true, ...part }
          : { ...created(), ...piece(part), done: false };
      }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      yield { error: error.message };
    }
  }
  return ndjsonResponse(lines());
}

/** Returns the response to a request without a prompt, which asks to load or unload a model. Nothing is done for it. */
export function emptyAnswer(
  model: string,
  stream: boolean,
  form: AnswerForm,
  done_reason: 'load' | 'unload',
): Response {
  const line = { model, created_at: new Date().toISOString(), ...form('', '', []), done: true, done_reason };
  if (!stream) return jsonResponse(line);
  return ndjsonResponse(
    (async function* () {
      yield line;
    })(),
  );
}

async function collect(answer: AsyncIterable<AnswerPiece | AnswerEnd>) {
  const pieces: AnswerPiece[] = [];
  let end: AnswerEnd | null = null;
  for await (const part of answer) {
    if (isEnd(part)) end = part;
    else pieces.push(part);
  }
  const all: AnswerPiece = {
    content: pieces.map(({ content }) => content).join(''),
    thinking: pieces.map(({ thinking }) => thinking).join(''),
    toolCalls: pieces.flatMap(({ toolCalls }) => toolCalls),
    logprobs: pieces.flatMap(({ logprobs }) => logprobs),
  };
  return { all, end };
}

function ndjsonResponse(lines: AsyncGenerator<object>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = await lines.next();
      if (done) stream.close();
      else stream.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}
