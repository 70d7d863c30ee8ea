import { localized } from './page-language.ts';

/** Asks whether to copy the address of a link that the browser does not open from this page. */
export const outsideLinkStrings = localized('outsideLinkStrings', {
  question: (address: string) => ({
    heading: 'This page cannot open other sites',
    words: `The rules of this site keep the browser from opening ${address} from here. Copy the address and paste it into a new tab.`,
    action: 'Copy the address',
  }),
});
