import type { SearchResult } from '../../../shared/documents/document-objects.ts';
import type { ChatMessage, CompletionRequest } from '../../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { passageTextOf, textOf } from './search-files.ts';

/** UTF-8 bytes of a token. Most tokenizers need fewer tokens than this estimate. */
const BYTES_PER_TOKEN = 3;

/** Tokens of the instructions and of the template's markers. */
const INSTRUCTION_TOKENS = 150;

/** Share of the context window that is left for an answer without `max_output_tokens`. */
const ANSWER_SHARE = 1 / 4;

/**
 * Returns the best results that fit into the context window beside the conversation and an answer; at least one, unless
 * there is none.
 */
export function fittingResults(
  results: readonly SearchResult[],
  { messages, maxTokens }: CompletionRequest,
  { contextWindow }: ModelEntry,
): readonly SearchResult[] {
  const answer = Math.min(maxTokens ?? Infinity, contextWindow * ANSWER_SHARE);
  let room = contextWindow - answer - INSTRUCTION_TOKENS - tokensOf(messages.map(textOf).join('\n'));
  const fitting = results.findIndex((result) => {
    room -= tokensOf(`[10] ${result.filename}\n${passageTextOf(result)}\n\n`);
    return room < 0;
  });
  return fitting === -1 ? results : results.slice(0, Math.max(1, fitting));
}

function tokensOf(text: string): number {
  return new TextEncoder().encode(text).length / BYTES_PER_TOKEN;
}

/**
 * Puts numbered passages before the last text of the user, where small models follow them best.
 * @param results The passages; empty if the search found nothing, which the model is told.
 */
export function withPassages(request: CompletionRequest, results: readonly SearchResult[]): CompletionRequest {
  const last = request.messages.findLastIndex(({ role }) => role === 'user');
  if (last === -1) return request;
  const messages = request.messages.map((message, index): ChatMessage => {
    if (index !== last || message.role !== 'user') return message;
    const { content } = message;
    const before = instructions(results);
    if (typeof content === 'string') return { ...message, content: `${before}${content}` };
    return { ...message, content: [{ type: 'text', text: before }, ...content] };
  });
  return { ...request, messages };
}

function instructions(results: readonly SearchResult[]): string {
  if (results.length === 0) {
    return 'A search of the documents found nothing about the following question. Say that the documents contain nothing about it, and nothing else.\n\nQuestion: ';
  }
  const passages = results.map((result, index) => `[${index + 1}] ${result.filename}\n${passageTextOf(result)}`);
  return `Passages of documents:\n\n${passages.join('\n\n')}\n\nAnswer the following question from these passages only, in its language. After each statement write the number of its passage, such as [1]. If the passages do not answer the question, say so.\n\nQuestion: `;
}
