import type { Translation } from '../page-language.ts';
import type * as english from '../leak-strings.ts';

export const leakStrings: Translation<typeof english.leakStrings> = {
  title: 'Versuch, etwas zu verraten',
  introduction:
    'Die Seite versucht jeden Weg nach draußen, den sie kennt, zu Hosts, die es nicht geben kann, sodass niemand etwas bekommt. Die Tabelle zeigt, was dein Browser verhindert hat und was nicht. Eine Anfrage, die nur gescheitert ist, gilt nicht als verhindert. Die Konsole des Browsers nennt jede Ablehnung. Es dauert einige Sekunden.',
  action: 'Versuchen, etwas zu verraten',
  trying: 'Wird versucht …',
  summary: (stopped, absent, open, unseen) =>
    `Verhindert: ${stopped}. In dieser Seite nicht vorhanden: ${absent}. Offen: ${open}. Von einer Seite nicht erkennbar: ${unseen}.`,
  columns: { way: 'Weg nach draußen', result: 'Ergebnis', basis: 'Woher man das weiß' },
  results: { stopped: 'verhindert', absent: 'nicht vorhanden', open: 'offen', unseen: 'nicht erkennbar' },
  ways: {
    fetch: 'Anfrage der Seite',
    beacon: 'Beacon',
    'web-socket': 'WebSocket',
    'event-source': 'Ereignisstrom',
    'web-transport': 'WebTransport',
    'worker-fetch': 'Anfrage eines Workers',
    'worker-import': 'Skript, das ein Worker lädt',
    'script-import': 'Skript, das die Seite lädt',
    image: 'Bild',
    'css-image': 'Bild in einem Stil',
    'style-sheet': 'Stylesheet',
    font: 'Schrift',
    plugin: 'Eingebettetes Objekt',
    prefetch: 'Vorabruf',
    frame: 'Frame',
    'frame-navigation': 'Navigation in einem Frame',
    form: 'Formular',
    stun: 'WebRTC mit einem STUN-Server',
    peer: 'WebRTC zu einer Adresse',
    'frame-webrtc': 'WebRTC eines neuen Frames',
    preconnect: 'Vorzeitige Verbindung',
    'dns-hint': 'Vorzeitige Namensauflösung',
    'page-navigation': 'Navigation dieser Seite',
    'window-open': 'Neues Fenster',
  },
  bases: {
    policy: (directive) =>
      `Der Browser hat gemeldet, dass die Content-Security-Policy es verhindert hat (${directive}).`,
    exception: (name) => `Der Aufruf wurde sofort abgelehnt (${name}).`,
    absent: (name) => `Diese Seite hat kein ${name}.`,
    observed: (observation) => `Die Seite hat gesehen, dass der Browser damit begonnen hat (${observation}).`,
    timed: () =>
      'Der Browser führt die Anfrage unter seinen Ressourcenzeiten, und keine Regel hat gemeldet, dass sie es verhindert hat.',
    'no-report': () => 'Keine Regel hat gemeldet, dass sie es verhindert hat.',
    allowlist: (allowlist) =>
      `Keine Meldung. Seiner Version nach setzt dieser Browser die Connection-Allowlist des Servers durch: Er verhindert, was die Liste nicht nennt, ohne es der Seite zu sagen. Die Liste: ${allowlist}`,
    hidden: () => 'Der Browser sagt einer Seite nichts darüber.',
    untried: () =>
      'Nicht versucht, weil es dich von hier wegführen würde. Eine Content-Security-Policy verhindert es nicht, und in diesem Browser gilt keine Connection-Allowlist.',
  },
};
