import type { AnswerSummary } from './stored-answer.ts';

/** Limits of stored answers. OpenAI's service also keeps them for 30 days. */
export const ANSWER_LIMITS = { count: 500, characters: 50_000_000, days: 30 } as const;

const SECONDS_A_DAY = 86_400;

/**
 * Returns the ids of the answers that exceed {@link ANSWER_LIMITS}, oldest first.
 * @param summaries Newest first.
 * @param now Seconds since 1970.
 */
export function answersToEvict(summaries: readonly AnswerSummary[], now: number): readonly string[] {
  let characters = 0;
  const evicted = summaries.filter((answer, index) => {
    characters += answer.characters;
    return (
      index >= ANSWER_LIMITS.count ||
      // The newest answer is kept regardless of its size, because its completion may still be in progress.
      (index > 0 && characters > ANSWER_LIMITS.characters) ||
      answer.created < now - ANSWER_LIMITS.days * SECONDS_A_DAY
    );
  });
  return evicted.map(({ id }) => id).toReversed();
}
