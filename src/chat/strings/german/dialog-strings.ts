import type * as english from '../dialog-strings.ts';
import { formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';

export const dialogStrings: Translation<typeof english.dialogStrings> = {
  cancel: 'Abbrechen',
  keep: 'Behalten',
  save: 'Speichern',
  dismiss: 'Diesen Hinweis schließen',
  shortcuts: 'Tastenkürzel',
  discard: {
    heading: 'Änderungen verwerfen?',
    words: 'Was du hier geändert hast, ist nicht gespeichert.',
    action: 'Verwerfen',
  },
};

export const settingsStrings: Translation<typeof english.settingsStrings> = {
  title: 'Einstellungen dieses Chats',
  systemPrompt: 'System-Prompt',
  systemPromptHelp: 'Sagt dem Modell, wer es ist und wie es antworten soll. Wird vor jeder Frage gesendet.',
  preset: 'Voreinstellungen',
  presets: { own: 'Vorgabe des Modells', exact: 'Genau', balanced: 'Ausgewogen', inventive: 'Einfallsreich' },
  sampling: 'Wortwahl',
  modelDefault: 'Vorgabe des Modells',
  modelDefaultOf: (value) => `Vorgabe des Modells (${formatNumber(value, 2)})`,
  temperature: 'Temperatur',
  temperatureHelp: '0 bis 2. Bei 0 nimmt das Modell immer das wahrscheinlichste Wort.',
  topP: 'Top-p',
  topPHelp: '0 bis 1. Kleinere Werte schließen unwahrscheinliche Wörter aus.',
  maxTokens: 'Höchstlänge',
  maxTokensHelp: 'In Token. Leer lassen für so viele, wie das Modell verarbeiten kann.',
  seed: 'Startwert',
  seedHelp: 'Eine Zahl macht Antworten wiederholbar. Leer: jedes Mal eine andere.',
  random: 'zufällig',
  presencePenalty: 'Wiederholungen von Themen',
  presencePenaltyHelp: '−2 bis 2. Über 0: spricht von Neuem (presence penalty).',
  frequencyPenalty: 'Wiederholungen von Wörtern',
  frequencyPenaltyHelp: '−2 bis 2. Über 0: wiederholt weniger Wörter (frequency penalty).',
  none: 'keine',
  stop: 'Anhalten bei',
  stopHelp: 'Bis zu vier Texte, einer je Zeile. Eine Antwort endet vor dem ersten, der vorkommt.',
  tooManyStops: 'Höchstens vier Texte, bei denen angehalten wird.',
  advanced: 'Erweitert',
  jsonSchema: 'JSON-Schema',
  jsonSchemaHelp:
    'Wenn angegeben, ist jede Antwort JSON, das ihm folgt, und es werden keine Werkzeuge benutzt. Leer: freier Text.',
  schemaNoJson: (reason) => `Das ist kein JSON: ${reason}`,
  schemaNoObject: 'Ein JSON-Schema ist ein Objekt, zum Beispiel {"type": "object"}.',
  brokenSchema: (problem) =>
    `Es wurde nichts gefragt: Das JSON-Schema in den Einstellungen dieses Chats ist fehlerhaft. ${problem} Berichtige oder leere es dort und frag noch einmal.`,
};

export const allChatsStrings: Translation<typeof english.allChatsStrings> = {
  title: 'Für alle Chats',
  instructions: 'Anweisungen',
  instructionsHelp:
    'Was jedes Modell über dich wissen und wie es antworten soll. Wird vor dem Systemprompt eines Chats gesendet.',
  model: 'Modell neuer Chats',
  lastModel: 'Das zuletzt verwendete',
  modelHelp: 'Jeder Chat kann seines weiterhin ändern.',
  notStored: 'Das konnte nicht gespeichert werden. Ist auf diesem Gerät noch Platz?',
};

export const paletteStrings: Translation<typeof english.paletteStrings> = {
  label: 'Aktionen und Chats',
  placeholder: 'Aktionen und Chats suchen',
  none: 'Keine Treffer.',
  search: (words) => `Chats nach „${words}“ durchsuchen`,
};

export const shortcutStrings: Translation<typeof english.shortcutStrings> = [
  [['Enter'], 'Frage senden'],
  [['Shift', 'Enter'], 'Neue Zeile'],
  [['Esc'], 'Antwort anhalten oder schließen, was offen ist'],
  [['↑'], 'Letzte Frage bearbeiten, aus einem leeren Feld'],
  [['Ctrl', 'K'], 'Jede Aktion und jeden Chat finden'],
  [['Ctrl', 'Shift', 'F'], 'Chats durchsuchen'],
  [['Ctrl', 'Alt', 'N'], 'Neuer Chat'],
  [['Ctrl', 'Alt', 'P'], 'Temporärer Chat'],
  [['Ctrl', '/'], 'Diese Tastenkürzel zeigen'],
];

export const keyStrings: Translation<typeof english.keyStrings> = {
  Enter: 'Eingabe',
  Shift: 'Umschalt',
  Esc: 'Esc',
  Ctrl: 'Strg',
  Alt: 'Alt',
};

export const appearanceStrings: Translation<typeof english.appearanceStrings> = {
  title: 'Aussehen',
  schemes: { system: 'Wie im System', light: 'Hell', dark: 'Dunkel' },
};
