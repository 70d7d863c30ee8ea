import { ApiError } from '../../shared/api-error.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { toolMessages } from '../api/answer-request.ts';
import { documentName, readCollection, searchCollection } from '../api/collections.ts';
import { listModels } from '../api/list-models.ts';
import { questionText } from '../api/message-content.ts';
import { toolDefinitions } from '../api/tool-definitions.ts';
import { hasTemporaryChat } from '../storage/has-temporary-chat.ts';
import { sourceStrings } from '../strings/source-strings.ts';
import type { Answer, Message, Source } from '../types/conversation.ts';

/** The most passages that a model gets: small models lose their way in more. */
const MAX_PASSAGES = 4;
/**
 * The least score of a passage that counts as found. `npm run documents` measures how many questions without an answer it
 * leaves without passages, and how many answers it loses.
 */
export const LEAST_SCORE = 0.2;
/** The most tokens of all passages together. A CPU reads more too slowly. */
const MAX_TOKENS = 1000;
/** The least tokens of a passage that is cut, if not even the best one fits. */
const MIN_TOKENS = 100;
/** Tokens of the instructions around the passages. */
const FRAME_TOKENS = 90;
/** Share of the context window that is left for the answer. */
const ANSWER_SHARE = 0.25;
/** Context window in tokens that is assumed if a model does not state its own. */
const USUAL_WINDOW = 4096;
/**
 * A question with fewer characters is looked up both alone, as "lighthouse", and together with the one before it, as "And in winter?"
 */
const SHORT = 24;
/** The most characters of a question by which is searched. */
const MAX_QUERY = 1000;

/**
 * Finds the passages of the chat's documents that fit the last question of a path, as many as the model has room for.
 * @param ask Replaces the global `fetch`.
 * @returns null if the question has no words.
 * @throws ApiError as `requestEndpoint` does; `vector_store_not_found` if the collection was deleted; `invalid_value` if
 * nothing is found while files are still being indexed.
 */
export async function findSources(
  { model, settings }: Pick<Answer, 'model' | 'settings'>,
  path: readonly Message[],
  signal: AbortSignal,
  ask?: typeof fetch,
): Promise<readonly Source[] | null> {
  const query = queryOf(path);
  if (query.length === 0 || settings.documents === undefined) return null;
  const request = { query, max_num_results: MAX_PASSAGES, ranking_options: { score_threshold: LEAST_SCORE } };
  const [found, models] = await Promise.all([
    searchCollection(settings.documents.id, request, signal, ask),
    listModels(signal, hasTemporaryChat()),
  ]);
  if (found.length === 0) await expectIndexed(settings.documents.id, signal, ask);
  const window = models.find(({ id }) => id === model)?.context_window ?? USUAL_WINDOW;
  const sources = found.map(({ file_id: file, filename, attributes, content }) => ({
    file,
    name: documentName(attributes, filename),
    text: content
      .map(({ text }) => text)
      .join('\n')
      .trim(),
  }));
  // The built-in model gets none, so the page shows them whole.
  return model === BUILT_IN_MODEL_ID ? sources : fitting(sources, roomFor(window, settings, path));
}

/** @throws ApiError if files are still being indexed, among which may be those that were asked about. */
async function expectIndexed(id: string, signal: AbortSignal, ask?: typeof fetch): Promise<void> {
  const { file_counts: counts } = await readCollection(id, signal, ask);
  if (counts.in_progress === 0) return;
  const words = sourceStrings.stillIndexing(counts.total - counts.in_progress, counts.total);
  throw new ApiError('invalid_value', words);
}

/** Returns what is searched: the last question, and if it is short, it after the question before it, too. Empty without words. */
function queryOf(path: readonly Message[]): string | readonly string[] {
  const questions = path.filter(({ role }) => role === 'user').map(({ text }) => text.trim());
  const question = (questions.at(-1) ?? '').slice(-MAX_QUERY);
  const before = question.length < SHORT ? (questions.at(-2) ?? '') : '';
  if (before === '') return question;
  const both = `${before} ${question}`.trim().slice(-MAX_QUERY);
  return question === '' ? both : [question, both];
}

/** Returns how many tokens the passages may have. */
function roomFor(
  window: number,
  { systemPrompt, instructions = '', maxTokens, tools = [] }: Answer['settings'],
  path: readonly Message[],
): number {
  const answer = Math.min(maxTokens ?? Infinity, window * ANSWER_SHARE);
  const chat = path.map((message) =>
    message.role === 'user' ? questionText(message) : message.text + JSON.stringify(toolMessages(message.rounds ?? [])),
  );
  const offered = JSON.stringify(toolDefinitions(tools));
  const used = [systemPrompt, instructions, offered, ...chat].reduce((sum, text) => sum + estimateTokens(text), 0);
  return Math.min(MAX_TOKENS, Math.floor(window - answer - used - FRAME_TOKENS));
}

/** Returns the best passages that fit together; if not even the best one fits, its beginning. */
function fitting(sources: readonly Source[], room: number): readonly Source[] {
  const chosen: Source[] = [];
  let left = room;
  for (const source of sources) {
    const tokens = estimateTokens(source.name + source.text);
    if (tokens > left) continue;
    chosen.push(source);
    left -= tokens;
  }
  const [best] = sources;
  if (chosen.length > 0 || best === undefined) return chosen;
  const share = Math.min(1, Math.max(room, MIN_TOKENS) / estimateTokens(best.text));
  return [{ ...best, text: beginningOf(best.text, Math.floor(best.text.length * share)) }];
}

/** Cuts a text, not inside a word unless it is very long, as in scripts without spaces, nor inside a surrogate pair. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text
    .slice(0, most)
    .replace(/\s\S{0,40}$|[\uD800-\uDBFF]$/, '')
    .trim();
}

/** Estimates three bytes for each token: high for English, about right for scripts of which each character is a token. */
function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}
