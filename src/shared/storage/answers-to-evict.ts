import type { AnswerSummary } from './stored-answer.ts';

/** How much is kept. The age is that of the cloud service, whose clients expect no more. */
export const ANSWER_LIMITS = { count: 500, characters: 50_000_000, days: 30 } as const;

const SECONDS_A_DAY = 86_400;

/**
 * The ids of the answers that have to go, the oldest first.
 * @param summaries Newest first.
 * @param now Seconds since 1970.
 */
export function answersToEvict(summaries: readonly AnswerSummary[], now: number): readonly string[] {
  let characters = 0;
  const surplus = summaries.filter((answer, index) => {
    characters += answer.characters;
    return (
      index >= ANSWER_LIMITS.count ||
      // The latest stays, however large it is: it has only just been asked for.
      (index > 0 && characters > ANSWER_LIMITS.characters) ||
      answer.created < now - ANSWER_LIMITS.days * SECONDS_A_DAY
    );
  });
  return surplus.map(({ id }) => id).toReversed();
}
