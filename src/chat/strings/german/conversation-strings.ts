import type * as english from '../conversation-strings.ts';
import type { Translation } from '../page-language.ts';

export const conversationStrings: Translation<typeof english.conversationStrings> = {
  messages: 'Unterhaltung',
  missing: 'Dieser Chat ist nicht auf diesem Gerät. Vielleicht wurde er gelöscht.',
  unreadable:
    'Die Chats auf diesem Gerät konnten nicht gelesen werden. Die Seite versucht es noch einmal: Ist der Datenträger voll, oder dieses Fenster privat?',
  answerNotStored:
    'Diese Antwort konnte nicht gespeichert werden. Sie bleibt hier, solange diese Seite offen ist, und wird gespeichert, sobald der Browser wieder schreibt. Ist auf diesem Gerät noch Platz?',
  draftNotKept:
    'Der Browser hat keinen Platz, diesen Text zu behalten: Er geht verloren, wenn du die Seite verlässt oder neu lädst.',
  deleted: 'Dieser Chat wurde inzwischen gelöscht, deshalb wurde die Frage nicht gesendet.',
  notStored:
    'Der Chat konnte nicht gespeichert werden, deshalb wurde die Frage nicht gesendet. Ist auf diesem Gerät noch Platz?',
  jumpToEnd: 'Zum Ende springen',

  placeholder: 'Stell eine Frage',
  questionLabel: 'Deine Frage',
  send: 'Senden',
  queue: 'Nach dieser Antwort senden',
  queueHint: 'Eingabe sendet dies nach der Antwort.',
  sendWithoutFiles: 'Ohne die Dateien senden',
  attach: 'Dateien anhängen',
  drop: 'Dateien hier loslassen, um sie anzuhängen',
  choosing: 'Passende Stellen werden ausgewählt …',
  stop: 'Anhalten',
  composerHint: 'Senden mit Eingabe, neue Zeile mit Umschalt + Eingabe.',
  loading: 'Das Modell wird geladen',
  cannotRun: 'Hier läuft noch kein Modell: siehe oben.',
  model: 'Modell',
  modelElsewhere: (id, name) => `${id} (${name})`,
  modelMissing: (model) => `${model} (nicht auf diesem Gerät)`,
  settings: 'Einstellungen dieses Chats',

  answering: 'Die Antwort beginnt',
};

export const destinationStrings: Translation<typeof english.destinationStrings> = {
  title: (name) => `Ein Sprachmodell,\nauf ${name}.`,
  goesTo: ({ name, host, isFallback }) =>
    isFallback ? `Geht an ${name} (${host}), wenn dieses Gerät nicht antworten kann` : `Geht an ${name} (${host})`,
  words: ({ name, host, isFallback }) =>
    isFallback
      ? `Dieses Gerät antwortet. Was es nicht beantworten kann, geht samt dem Gespräch davor an ${name} (${host}), und wer diesen Server betreibt, kann es lesen.`
      : `Was du fragst, geht samt dem Gespräch davor an ${name} (${host}), und wer diesen Server betreibt, kann es lesen.`,
};

export const emptyStrings: Translation<typeof english.emptyStrings> = {
  title: 'Ein Sprachmodell,\nin diesem Tab.',
  words: 'Was du fragst, bleibt auf diesem Gerät: Das Modell läuft in deinem eigenen Browser, auch ohne Internet.',
  ready: (model, place) => `${model} läuft auf ${place}`,
  processor: 'dem Prozessor, nicht auf einem Grafikprozessor',
  tryOne: 'Frag zum Beispiel',
  tryBuiltIn: 'Frag Pocket zum Beispiel – auf Englisch',
  // The built-in model knows only English.
  builtInQuestions: [
    'What is a service worker?',
    'What is 27 + 35?',
    'What is the capital of France?',
    'Tell me a story about Anna and a dog.',
  ],
  questions: [
    'Erkläre in einfachen Worten, wie ein Regenbogen entsteht.',
    'Schreibe eine freundliche Absage auf eine Einladung.',
    'Nenne drei Ideen für einen verregneten Sonntag mit Kindern.',
    'Was sollte ich fragen, bevor ich eine Wohnung miete?',
  ],
};
