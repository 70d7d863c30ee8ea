import type { HubFault } from '../hub-messages.ts';

type Sentences = Readonly<Record<HubFault, string>>;

const ENGLISH: Sentences = {
  'no-permission': 'You have not allowed this site to use the models of the hub. It uses models of its own.',
  'no-access':
    'This browser does not let the hub use its models on this site: it has no way to ask you, or you have not been asked. This site uses models of its own.',
  nested: 'This page is shown inside another site, where the hub serves nobody. It uses models of its own.',
  'other-version': 'The hub and this site have versions that do not fit together. This site uses models of its own.',
  'no-engine': 'The hub cannot start its engine in this browser. This site uses models of its own.',
  'no-answer': 'The hub cannot be reached. This site uses models of its own.',
};

const GERMAN: Sentences = {
  'no-permission': 'Sie haben dieser Seite die Modelle der Zentrale nicht erlaubt. Sie benutzt eigene Modelle.',
  'no-access':
    'Dieser Browser lässt die Zentrale auf dieser Seite nicht an ihre Modelle: Er kann Sie nicht fragen, oder Sie wurden noch nicht gefragt. Die Seite benutzt eigene Modelle.',
  nested:
    'Diese Seite wird innerhalb einer anderen gezeigt, und dort bedient die Zentrale niemanden. Sie benutzt eigene Modelle.',
  'other-version':
    'Die Versionen der Zentrale und dieser Seite passen nicht zusammen. Die Seite benutzt eigene Modelle.',
  'no-engine': 'Die Zentrale kann in diesem Browser nichts berechnen. Die Seite benutzt eigene Modelle.',
  'no-answer': 'Die Zentrale ist nicht erreichbar. Die Seite benutzt eigene Modelle.',
};

/** Whether a hub, which may be hostile, has named a fault that exists. */
export function isHubFault(value: unknown): value is HubFault {
  return typeof value === 'string' && Object.hasOwn(ENGLISH, value);
}

/** Says in the language of the page why the hub is not used. */
export function hubFaultSentence(fault: HubFault): string {
  return (/^de\b/i.test(document.documentElement.lang) ? GERMAN : ENGLISH)[fault];
}
