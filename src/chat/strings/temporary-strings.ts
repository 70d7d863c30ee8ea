import { formatNumber } from './format.ts';
import { localized } from './page-language.ts';

export const temporaryStrings = localized('temporaryStrings', {
  title: 'Temporary chat',
  words:
    'This page stores nothing of it on this device: no chat, no draft, no entry in a log. It lives in this tab and is gone when you end it, reload or close the tab.',
  end: 'End now',

  proof: 'Temporary chat',
  proofNote:
    'While one is open: how many entries lay in each database, cache and small storage of this site when it began, and how many do now.',
  proofNone: 'None is open in this tab.',
  counting: 'Counting…',
  same: (entries: number) => `Each place has as many entries as when it began: ${formatNumber(entries)} in all.`,
  changed: (places: number) =>
    `${formatNumber(places)} ${places === 1 ? 'place has' : 'places have'} changed. This page stores nothing of the temporary chat; other chats, models or tabs can have done this.`,
  place: 'Place',
  before: 'When it began',
  now: 'Now',
  localStorage: 'small storage',
  sessionStorage: 'small storage of this tab',
  endsNow: {
    heading: 'End the temporary chat?',
    words: 'Its messages, and what you have typed or attached, will be gone.',
    action: 'End it',
  },
  ends: {
    heading: 'End the temporary chat?',
    words: 'This reloads the page. The temporary chat will be gone; everything else stays.',
    action: 'End it and reload',
  },
  loses: {
    heading: 'Lose the chats of this page?',
    words:
      'This reloads the page. The browser could not store its chats, so they will be gone. Export those that you want to keep.',
    action: 'Lose them and reload',
  },
});
