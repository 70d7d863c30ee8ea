const ENGLISH = {
  language: 'en',
  title: 'Sites that use these models',
  explanation: (hub: string) =>
    `These sites have asked to use the models of ${hub} on this device. What they ask and what the model answers stays on the device. No site sees what another one asks.`,
  none: 'No site has asked yet.',
  framed: 'Open this page in a tab of its own',
  use: (requests: number, tokens: number, first: string, last: string) =>
    `Requests: ${requests}. Tokens: ${tokens}. First here on ${first}, last on ${last}.`,
  models: 'Models (ids; empty: all)',
  limit: 'Tokens a minute (empty: no limit)',
  allow: 'Allow',
  revoke: 'Revoke',
  failed: (why: string) => `That did not work: ${why}`,
};

const GERMAN: typeof ENGLISH = {
  language: 'de',
  title: 'Seiten, die diese Modelle benutzen',
  explanation: (hub) =>
    `Diese Seiten wollten die Modelle von ${hub} auf diesem Gerät benutzen. Was sie fragen und was das Modell antwortet, bleibt auf dem Gerät. Keine Seite sieht, was eine andere fragt.`,
  none: 'Noch hat keine Seite gefragt.',
  framed: 'Diese Seite in einem eigenen Tab öffnen',
  use: (requests, tokens, first, last) =>
    `Anfragen: ${requests}. Tokens: ${tokens}. Zuerst hier am ${first}, zuletzt am ${last}.`,
  models: 'Modelle (Kennungen; leer: alle)',
  limit: 'Tokens je Minute (leer: unbegrenzt)',
  allow: 'Erlauben',
  revoke: 'Zurücknehmen',
  failed: (why) => `Das ist nicht gelungen: ${why}`,
};

/** The words of the hub's page, in German for browsers whose first language it is. */
export const pageStrings = /^de\b/i.test(navigator.language) ? GERMAN : ENGLISH;
