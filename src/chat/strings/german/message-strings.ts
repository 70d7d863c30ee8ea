import { formatNumber, formatSeconds } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../message-strings.ts';

export const messageStrings: Translation<typeof english.messageStrings> = {
  question: 'Deine Frage',
  answer: (model) => `Antwort von ${model}`,
  stopped: 'Du hast diese Antwort angehalten.',
  failed: 'Die Antwort ist fehlgeschlagen.',
  answered: 'Die Antwort ist vollständig.',
  edit: 'Frage bearbeiten',
  unfold: 'Alles zeigen',
  fold: 'Weniger zeigen',
  editLabel: 'Deine Frage bearbeiten',
  editSend: 'Senden',
  cancel: 'Abbrechen',
  copyQuestion: 'Frage kopieren',
  copyAnswer: 'Antwort kopieren',
  regenerate: 'Noch einmal fragen',
  continue: 'Fortsetzen',
  makeRoom: 'Platz schaffen',
  retry: 'Noch einmal versuchen',
  chooseAnswer: 'Mit dieser Antwort weitermachen',
  chosenAnswer: 'Mit dieser Antwort geht es weiter',
  lastAnswer: (action) => `Letzte Antwort: ${action}`,
  messageMenu: 'Weitere Aktionen',
  deleteMessage: 'Ab hier löschen',
  openModels: 'Modelle öffnen',

  branch: (index, count) => `Fassung ${index} von ${count}`,
  previousBranch: 'Vorige Fassung',
  nextBranch: 'Nächste Fassung',

  thinking: 'Denkt nach',
  thought: 'Vor der Antwort nachgedacht',
  thinkingFor: (milliseconds) => `Denkt nach: ${formatSeconds(milliseconds)}`,
  thoughtFor: (milliseconds) => `${formatSeconds(milliseconds)} nachgedacht`,
  waiting: 'Wartet auf das Modell',
  reading: (tokens, milliseconds) =>
    `Wartet auf das Modell: ${formatNumber(tokens)} Token gelesen in ${formatSeconds(milliseconds)}`,
  catchingUp: 'Macht weiter, wo die Antwort stehen blieb',
  stuck: 'Das Modell hat sich nur noch wiederholt, deshalb wurde die Antwort beendet.',
  filtered: 'Ein Inhaltsfilter des Servers hat diese Antwort beendet.',
  cutByServer: 'Die Antwort endet hier, weil sie die Höchstlänge des Servers erreicht hat.',
  emptyAnswer: 'Das Modell hat eine leere Antwort gegeben.',
  interrupted: 'Diese Antwort wurde unterbrochen, als ihre Seite geschlossen oder neu geladen wurde.',
  cutByLimit: (limit) => `Die Antwort hat ihre Höchstlänge von ${formatNumber(limit)} Token erreicht.`,
  cutByWindow:
    'Die Antwort endet hier, weil das Modell keinen weiteren Text aufnehmen kann. Schaffe Platz, um weiterzumachen.',

  tokens: (count) => `${formatNumber(count)} Token`,
  speed: (tokensPerSecond) => `${formatNumber(tokensPerSecond, 1)} Token/s`,
  firstToken: (milliseconds) =>
    `erstes Wort nach ${formatNumber(milliseconds / 1000, milliseconds < 10_000 ? 1 : 0)} s`,
  figures: 'Details zu dieser Antwort',
};

export const deletionStrings: Translation<typeof english.deletionStrings> = {
  heading: 'Diese Nachricht löschen?',
  words: 'Sie und alles, was in diesem Zweig auf sie folgt, wird gelöscht.',
  action: 'Löschen',
};

export const markdownStrings: Translation<typeof english.markdownStrings> = {
  code: 'Code',
  codeIn: (language) => (language === 'Code' ? 'Code' : `Code in ${language}`),
  copy: 'Kopieren',
  copyCode: 'Diesen Code kopieren',
  hiddenCharacter: (code) => `Ein Zeichen, das nicht gezeichnet wird: ${code}`,
  table: 'Tabelle',
  formula: 'Formel',
  image: (description) => `Bild: ${description}`,
  alerts: { note: 'Hinweis', tip: 'Tipp', important: 'Wichtig', warning: 'Warnung', caution: 'Vorsicht' },
};

export const listenAndCompareStrings: Translation<typeof english.listenAndCompareStrings> = {
  askAnother: 'Auch ein anderes Modell fragen',
  askModel: (model) => `Auch ${model} fragen`,
  readAloud: 'Vorlesen',
  stopReading: 'Vorlesen beenden',
};

export const copyStrings: Translation<typeof english.copyStrings> = {
  copied: 'Kopiert',
  failed: 'Der Browser hat das Kopieren nicht erlaubt',
};

export const chatPartStrings: Translation<typeof english.chatPartStrings> = {
  rename: 'Diesen Chat umbenennen',
  export: 'Diesen Chat als Markdown exportieren',
  displaces: (model, loaded) =>
    `Dieser Chat fragt ${model}. Deine nächste Frage lädt es anstelle von ${loaded}, das jetzt geladen ist.`,
  useModel: (model) => `Hier ${model} verwenden`,
};
