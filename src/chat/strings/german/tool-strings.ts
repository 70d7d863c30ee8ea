import type { Translation } from '../page-language.ts';
import type * as english from '../tool-strings.ts';

export const toolStrings: Translation<typeof english.toolStrings> = {
  on: (names) => `${names.length === 1 ? '1 Werkzeug' : `${names.length} Werkzeuge`} dieses Chats: ${names.join(', ')}`,
  count: (count) => `${count} Werkzeuge`,
  title: 'Werkzeuge',
  help: 'Jedes ist aus, bis du es hier einschaltest. Dann kann das Modell danach fragen; du siehst, womit, und erlaubst es oder nicht.',
  beyond: (model) => `${model} ist zu klein, um Werkzeuge gut zu wählen: Es ruft sie selten auf, und manchmal falsch.`,
  models: 'Ein Modell holen, das es kann',
  names: {
    calculate: 'Taschenrechner',
    current_time: 'Datum und Uhrzeit',
    search_chats: 'Suche in meinen Chats',
    run_javascript: 'JavaScript',
  },
  helps: {
    calculate: 'Rechnet genau, was Sprachmodelle nicht tun.',
    current_time: 'Sagt dem Modell, welcher Tag und wie spät es hier ist.',
    search_chats:
      'Gibt dem Modell Stellen aus deinen anderen Chats. Läuft das Modell auf einem Server, verlassen sie dieses Gerät.',
    run_javascript:
      'Führt ein Programm aus, das das Modell schreibt, getrennt von dieser Seite: Es erreicht kein Netz, keinen Chat und keine Datei.',
  },

  calls: 'Werkzeuge, nach denen gefragt wurde',
  asks: (tool) => `Das Modell fragt nach: ${tool}`,
  unknown: (name) => `einem unbekannten Werkzeug, „${name}“`,
  states: {
    writing: 'wird angefragt',
    waiting: 'wartet auf dich',
    elsewhere: 'wartet in einem anderen Tab auf dich',
    running: 'läuft',
    done: 'fertig',
    failed: 'fehlgeschlagen',
    refused: 'nicht erlaubt',
    left: 'nicht gelaufen',
  },
  reads: {
    calculate: 'Der Taschenrechner sieht nur diese Worte.',
    current_time: 'Das Modell erfährt Datum, Uhrzeit und deine Zeitzone.',
    search_chats:
      'Das durchsucht alle deine anderen Chats. Das Modell bekommt bis zu fünf Stellen mit Titel und Tag ihrer Chats; sie werden ein Teil dieses Chats.',
    run_javascript: 'Das Programm erreicht kein Netz, keinen Chat und keine Datei.',
  },
  stays:
    'Das Ergebnis geht an das Modell auf diesem Gerät. Es wird ein Teil dieses Chats: Beantwortet ein Server eine spätere Frage darin, geht es auch dorthin.',
  leaves: (name) => `Das Ergebnis verlässt dieses Gerät: Es geht an ${name}, das in diesem Chat antwortet.`,
  once: 'Einmal erlauben',
  always: 'Immer in diesem Chat',
  refuse: 'Nicht erlauben',
  given: 'Es bekommt',
  hidden: 'Es enthält Zeichen, die nicht gezeichnet werden. Sie sind ausgeschrieben, etwa ⟨U+202E⟩.',
  result: 'Ergebnis',
  nothing: 'nichts',
};
