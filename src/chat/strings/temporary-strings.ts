import { formatNumber } from './format.ts';
import { localized } from './page-language.ts';

export const temporaryStrings = localized('temporaryStrings', {
  title: 'Temporary chat',
  words:
    'Nothing of it is written to this device: no chat, no draft, no log. It lives in this tab and is gone when you end it, reload or close the tab.',
  end: 'End it now',

  proof: 'Temporary chat',
  proofNote:
    'While one is open: how many entries lay in each database, cache and small storage of this site when it began, and how many do now.',
  proofNone: 'None is open in this tab.',
  counting: 'Counting…',
  same: (entries: number) => `The same ${formatNumber(entries)} entries as when it began. Nothing was written.`,
  changed: (places: number) =>
    `${formatNumber(places)} ${places === 1 ? 'place has' : 'places have'} changed. The temporary chat writes nothing: this is of other chats, models or tabs.`,
  place: 'Place',
  before: 'When it began',
  now: 'Now',
  localStorage: 'small storage',
  sessionStorage: 'small storage of this tab',
});
