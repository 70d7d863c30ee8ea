import type * as english from '../outside-link-strings.ts';
import type { Translation } from '../page-language.ts';

export const outsideLinkStrings: Translation<typeof english.outsideLinkStrings> = {
  question: (address) => ({
    heading: 'Diese Seite kann keine anderen Websites öffnen',
    words: `Die Regeln dieser Website hindern den Browser daran, von hier aus ${address} zu öffnen. Kopiere die Adresse und füge sie in einen neuen Tab ein.`,
    action: 'Adresse kopieren',
  }),
};
