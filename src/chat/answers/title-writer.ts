import type { PageStatus } from '../../page/index.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { sleep } from '../../shared/timeout.ts';
import { streamChatCompletion } from '../api/stream-chat-completion.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { titleOf, type Answer, type Message } from '../types/conversation.ts';
import type { AnswerRunner } from './answer-runner.ts';
import { answerRequest } from '../api/answer-request.ts';

/** Milliseconds without a running answer or a key press after which the user counts as idle. */
const IDLE = 4000;
const MAX_CHARACTERS = 60;
const MAX_WORDS = 8;
/** Maximum tokens of the response. Longer output is not a title. */
const MAX_TOKENS = 24;
/** The prompt is in English, because models follow English instructions in a chat of any language. */
const TITLE_PROMPT =
  'Give this conversation a title of three to six words, in the language it is written in. Answer with the title alone.';

/**
 * Lets the model name a chat after its first answer, while the user is idle. If the model writes no usable title, the
 * first words of the question stay the title. The request extends the chat's prompt, so that the chat stays in the KV
 * cache and its next question stays fast. The built-in model is never asked: it is too small to summarise. The request
 * never leaves the device and is not logged.
 * @param status Returns the current status of the endpoint.
 * @returns A function that stops it.
 */
export function writeTitles(
  answers: Pick<AnswerRunner, 'conversations' | 'addEventListener' | 'removeEventListener'>,
  store: ConversationStore,
  status: () => PageStatus,
  ask: typeof fetch,
): () => void {
  let attempt = new AbortController();
  let last: string | null = null;
  const begin = () => {
    attempt.abort();
    attempt = new AbortController();
    const [running] = answers.conversations;
    last = running ?? last;
    if (running !== undefined || last === null) return;
    const { signal } = attempt;
    void nameWhenIdle(last, signal).catch((error: unknown) => {
      if (!signal.aborted) console.info('A chat got no name of its own.', error);
    });
  };

  async function nameWhenIdle(id: string, signal: AbortSignal): Promise<void> {
    await sleep(IDLE, signal);
    last = null;
    const [conversation, messages] = await Promise.all([store.conversation(id), store.messages(id)]);
    const loaded = status();
    if (conversation === undefined || loaded.state !== 'ready' || loaded.model === BUILT_IN_MODEL_ID) return;
    const [question, answer, ...further] = messages.toSorted((a, b) => a.created - b.created);
    if (question?.role !== 'user' || answer?.role !== 'assistant' || further.length > 0) return;
    // An answer without text, such as one that found nothing in the documents, says nothing that a title could name.
    if (answer.state !== 'complete' || answer.text === '' || answer.model !== loaded.model) return;
    if (conversation.title !== titleOf(question)) return;
    const title = readTitle(await askTitle([question, answer], answer, signal));
    const now = await store.conversation(id);
    if (title !== null && now?.title === conversation.title) await store.update(id, { title });
  }

  const askUnlogged: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(LOG_HEADER, 'none');
    return ask(input, { ...init, headers });
  };

  async function askTitle(path: readonly Message[], { model, settings, seed }: Answer, signal: AbortSignal) {
    // The chat's JSON Schema, stop sequences and token limit apply to its answers, not to its title.
    const free = { ...settings, jsonSchema: '', stop: [], maxTokens: MAX_TOKENS };
    const request = answerRequest(model, path, free, seed);
    const messages = [...request.messages, { role: 'user' as const, content: TITLE_PROMPT }];
    const stream = { id: crypto.randomUUID(), lastEvent: null };
    let text = '';
    for await (const { pieces } of streamChatCompletion({ ...request, messages }, stream, signal, askUnlogged, true))
      for (const piece of pieces) if (piece.type === 'text') text += piece.text;
    return text;
  }

  answers.addEventListener('change', begin);
  addEventListener('keydown', begin);
  return () => {
    attempt.abort();
    answers.removeEventListener('change', begin);
    removeEventListener('keydown', begin);
  };
}

/** What models write before a title, in the languages that most of them know. */
const LABEL = /^[*#\s]*(?:title|titel|titre|titolo|título|название|标题|標題|タイトル|제목|العنوان)\s*[:：]\s*/i;

/** Extracts the title from a model's output; null if the output has no usable title. */
export function readTitle(text: string): string | null {
  const title = text
    .trim()
    .replace(LABEL, '')
    .replace(/^["'“„«*#\s]+|["'”“»*.。\s]+$/g, '')
    // Not around a part of the title, such as the name of a book.
    .replace(/^[「『《【]([^」』》】]+)[」』》】]$/, '$1');
  const isOneLine = !/[\n\r]/.test(title);
  const isShort = title.length <= MAX_CHARACTERS && title.split(/\s+/).length <= MAX_WORDS;
  return isOneLine && isShort && /\p{L}{2}/u.test(title) ? title : null;
}
