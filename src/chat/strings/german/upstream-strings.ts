import { formatBytes, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../upstream-strings.ts';

export const upstreamStrings: Translation<typeof english.upstreamStrings> = {
  title: 'Antworten von anderswo',
  introduction:
    'Diese Website nennt die folgenden Server, die antworten können, wo dieses Gerät es nicht kann. An keinen wird etwas gesendet, bevor du es hier erlaubst. Dann gehen deine Frage, die Unterhaltung davor und deren Einstellungen an diesen Server, und wer ihn betreibt, kann sie lesen.',
  formerly:
    'Kein Server wurde gefunden, den diese Website nennt. Unten steht, was von denen bleibt, die du erlaubt hattest.',
  rules: {
    local: 'wird nie gefragt',
    'prefer-local':
      'wird nur gefragt, wo dieses Gerät nicht antworten kann: ohne WebGPU, bei einem Modell, das nicht hier ist, bei zu langem Text',
    upstream: 'wird bei jeder Frage an diese Modelle gefragt',
  },
  models: (models) => `Modelle: ${models.join(', ')}`,
  key: 'Schlüssel dieses Servers, falls er einen verlangt',
  keyNote: 'Er wird in diesem Browser aufbewahrt und nur an diesen Server gesendet. Er wird nirgends wieder angezeigt.',
  hasKey: 'Mit dem Schlüssel, den du eingegeben hast.',
  allow: (name) => `${name} erlauben`,
  allowed: 'Erlaubt.',
  notAllowed: 'Nicht erlaubt: Dorthin wird nichts gesendet.',
  revoke: (name) => `${name} nicht mehr erlauben`,
  offer: (name, origin) =>
    `Auf diesem Gerät kann kein Modell laufen, aber ${name} (${origin}) kann an seiner Stelle antworten. Deine Fragen würden dorthin gesendet, und wer den Server betreibt, könnte sie lesen.`,
  inPlace: (name, origin) =>
    `Auf diesem Gerät kann kein Modell laufen. Du hast ${name} (${origin}) erlaubt, an seiner Stelle zu antworten: Wähle unten eines seiner Modelle. Deine Fragen werden dorthin gesendet.`,

  withKey: 'Mehr dazu, und ein Feld für den Schlüssel',

  sent: 'Was gesendet wurde',
  sentNone: 'Keine Anfrage an einen von ihnen ist verzeichnet.',
  sentSome: (count, bytes) =>
    `${formatNumber(count)} ${count === 1 ? 'Anfrage' : 'Anfragen'}, zusammen ${formatBytes(bytes)}, die neueste zuerst.`,
  bytes: formatBytes,

  madeHere: 'auf diesem Gerät',
  madeBy: (name) => `von ${name}, nicht auf diesem Gerät`,
};
