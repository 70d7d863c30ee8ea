import type { Conversation } from '../types/conversation.ts';

export interface ConversationGroup {
  readonly title: string;
  readonly conversations: readonly Conversation[];
}

const DAY = 24 * 3600 * 1000;

/**
 * Groups conversations by the day of their last message: today, yesterday, up to seven days ago, and then each month.
 * @param conversations Newest first.
 * @param now Milliseconds since 1970. Days follow the device's time zone.
 * @param language Language of the titles, for `Intl`.
 * @param lastDays Title of the group of two to seven days ago, for which `Intl` has no word.
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
    // Kept between 1970 and now, because a wrong clock or an edited export can give any time.
    const updated = Math.min(Math.max(time || 0, 0), now);
    // Rounded, because a day on which the clocks change has 23 or 25 hours.
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
