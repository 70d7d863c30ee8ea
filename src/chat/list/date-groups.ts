import type { Conversation } from '../types/conversation.ts';

/** Conversations that belong together, below their heading. */
export interface ConversationGroup {
  readonly title: string;
  readonly conversations: readonly Conversation[];
}

const DAY = 24 * 3600 * 1000;

/**
 * Conversations by the day of their last question or answer: today, yesterday, the seven days before, and then each month.
 * @param conversations The newest first.
 * @param now Milliseconds since 1970; days are those of the device's time zone.
 * @param language In which days and months are called; what `Intl` has no word for is `lastDays`.
 */
export function groupByDate(
  conversations: readonly Conversation[],
  now: number,
  language: string,
  lastDays: string,
): readonly ConversationGroup[] {
  const days = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  const today = startOfDay(now);
  const titleOf = (time: number): string => {
    // A clock that was wrong, or a file that somebody wrote, can give any number.
    const updated = Math.min(Math.max(time || 0, 0), now);
    // Rounded, as a day on which the clocks are changed is an hour longer or shorter.
    const ago = Math.round((today - startOfDay(updated)) / DAY);
    if (ago < 2) return capitalized(days.format(-ago, 'day'), language);
    return ago <= 7 ? lastDays : capitalized(months.format(updated), language);
  };
  const groups = new Map<string, Conversation[]>();
  for (const conversation of conversations) {
    const title = titleOf(conversation.updated);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [conversation]);
    else group.push(conversation);
  }
  return [...groups].map(([title, conversations]) => ({ title, conversations }));
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function capitalized(words: string, language: string): string {
  return words.slice(0, 1).toLocaleUpperCase(language) + words.slice(1);
}
