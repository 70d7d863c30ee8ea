import { isSingleCharacter, wordsOf } from '../strings/found-words.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';

const MAX_FOUND = 5;

/** Number of characters on either side of the first match. */
const AROUND = 120;

/**
 * The best matching messages of other chats, as text for the model: title, day, and excerpt.
 * @param except Id of the calling conversation.
 */
export async function searchChats(words: string, store: ConversationStore, except: string): Promise<string> {
  const all = wordsOf(words.toLocaleLowerCase()).map(({ word }) => word);
  const sought = [...new Set(all.filter((word) => word.length > 1 || isSingleCharacter(word)))];
  if (sought.length === 0) throw new Error('No words were given.');
  const found: { readonly score: number; readonly words: string }[] = [];
  for (const { id, title } of await store.conversations()) {
    if (id === except) continue;
    for (const { text, created } of await store.messages(id)) {
      const lower = text.toLocaleLowerCase();
      const places = sought.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
      if (places.length === 0) continue;
      const start = Math.max(0, Math.min(...places) - AROUND);
      const passage = text
        .slice(start, start + 2 * AROUND)
        .replace(/\p{Cs}|\s+/gu, ' ')
        .trim();
      // The day on this device, which the clock tool tells, too; not that of UTC. An import may have given any number.
      const day = new Date(created).toLocaleDateString('sv');
      found.push({ score: places.length, words: `"${title}" (${day}): …${passage}…` });
    }
  }
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, MAX_FOUND);
  return best.length === 0 ? 'Nothing was found.' : best.map(({ words }) => words).join('\n');
}
