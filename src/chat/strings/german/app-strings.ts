import type * as english from '../app-strings.ts';
import type { Translation } from '../page-language.ts';

export const appStrings: Translation<typeof english.appStrings> = {
  name: 'Tabserve',
  skipToContent: 'Zum Inhalt springen',
  openMenu: 'Menü öffnen',
  closeMenu: 'Menü schließen',
  menu: 'Menü',
  mainNavigation: 'Hauptnavigation',
  newChat: 'Neuer Chat',
  temporary: 'Temporärer Chat',
  models: 'Modelle',
  developers: 'Für Entwickler',
  privacy: 'Datenschutz',
  settings: 'Einstellungen & mehr',
  menuActions: {
    'all-chats': 'Anweisungen und Modell',
    'import-chats': 'Chats importieren',
    'export-chats': 'Alle Chats exportieren',
    shortcuts: 'Tastenkürzel',
  },
  colours: 'Aussehen',
  colourSchemes: { system: 'Wie im System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  endsTemporary: {
    heading: 'Den temporären Chat beenden?',
    words: 'Dafür wird die Seite neu geladen. Der temporäre Chat ist dann weg; alles andere bleibt.',
    action: 'Beenden und neu laden',
  },
  viewFailed: 'Dieser Teil der Seite konnte nicht geladen werden.',
  partFailed: 'Dieser Teil der Seite konnte nicht geladen werden. Lade die Seite neu und versuche es noch einmal.',
  reload: 'Seite neu laden',
};

export const copyStrings: Translation<typeof english.copyStrings> = {
  copied: 'Kopiert',
  failed: 'Der Browser hat das Kopieren nicht erlaubt',
};

export const endpointStrings: Translation<typeof english.endpointStrings> = {
  noAnswer: 'Der Endpunkt in diesem Browser hat nicht geantwortet.',
  notRunning: (status) => `Der Endpunkt läuft auf dieser Seite noch nicht (Status ${status}).`,
  brokeOff: 'Die Antwort brach vor ihrem Ende ab.',
  endedBecause: (reason) => `Der Server beendete die Antwort und nannte als Grund: ${reason}.`,
  unknownForm:
    'Der Server antwortete in einer Form, die hier nicht bekannt ist. Was er gesendet hat, steht als Text da.',
  connectionLost: 'Die Verbindung zum Modell in diesem Browser ging verloren.',
};
