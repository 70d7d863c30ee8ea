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
  documents: 'Dokumente',
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
  language: 'Sprache',
  viewFailed: 'Dieser Teil der Seite konnte nicht geladen werden.',
  partFailed: 'Dieser Teil der Seite konnte nicht geladen werden. Lade die Seite neu und versuche es noch einmal.',
  reload: 'Seite neu laden',
};

export const endpointStrings: Translation<typeof english.endpointStrings> = {
  noAnswer: 'Der Endpunkt in diesem Browser hat nicht geantwortet.',
  notRunning: (status) => `Der Endpunkt läuft auf dieser Seite noch nicht (Status ${status}).`,
};
