import type { HubRefusal } from '../hub-messages.ts';

interface HubStrings {
  readonly language: string;
  readonly question: (site: string, hub: string) => string;
  readonly allow: string;
  readonly allowed: string;
  readonly visit: string;
  readonly refused: Readonly<Record<HubRefusal, string>>;
}

const ENGLISH: HubStrings = {
  language: 'en',
  question: (site, hub) =>
    `Let ${site} use the models of ${hub} on this device? Nothing leaves the device. ${hub} then sees what you ask on that site.`,
  allow: 'Allow',
  allowed: 'Allowed. You can revoke this on the page of the hub.',
  visit: 'Open the hub',
  refused: {
    'no-permission': 'The hub does not know this permission. Try again.',
    'no-access': 'The browser has not allowed it. Open the hub once and click there, then try again.',
    nested: 'This page is shown inside another site. Open it in a tab of its own.',
    'other-version': 'Hub and site have versions that do not fit together.',
    'no-engine': 'The hub cannot start its engine in this browser.',
    'no-answer': 'The server of the hub does not answer. Try again later.',
  },
};

const GERMAN: HubStrings = {
  language: 'de',
  question: (site, hub) =>
    `Darf ${site} die Modelle von ${hub} auf diesem Gerät benutzen? Nichts verlässt das Gerät. ${hub} sieht dann, was Sie auf jener Seite fragen.`,
  allow: 'Erlauben',
  allowed: 'Erlaubt. Auf der Seite der Zentrale können Sie es zurücknehmen.',
  visit: 'Zentrale öffnen',
  refused: {
    'no-permission': 'Die Zentrale kennt diese Erlaubnis nicht. Versuchen Sie es noch einmal.',
    'no-access':
      'Der Browser hat es nicht erlaubt. Öffnen Sie einmal die Zentrale, klicken Sie dort, und versuchen Sie es noch einmal.',
    nested: 'Diese Seite wird innerhalb einer anderen gezeigt. Öffnen Sie sie in einem eigenen Tab.',
    'other-version': 'Die Versionen von Zentrale und Seite passen nicht zusammen.',
    'no-engine': 'Die Zentrale kann in diesem Browser nichts berechnen.',
    'no-answer': 'Der Server der Zentrale antwortet nicht. Versuchen Sie es später noch einmal.',
  },
};

/** The words of the hub's frame and page, in German for browsers whose first language it is. */
export const hubStrings: HubStrings = /^de\b/i.test(navigator.language) ? GERMAN : ENGLISH;
