import type * as english from '../answer-errors.ts';
import type { Translation } from '../page-language.ts';

export const answerErrors: Translation<typeof english.answerErrors> = {
  model_not_found: 'Dieses Modell ist nicht auf diesem Gerät. Wähle unten ein anderes oder lade es unter „Modelle“.',
  vector_store_not_found: 'Die Dokumente dieses Chats wurden gelöscht. Wähle unten andere, oder keine.',
  model_load_failed: 'Das Modell konnte nicht geladen werden.',
  upstream_not_allowed:
    'Das würde ein anderer Server beantworten. Erlaube ihn unter „Datenschutz“ oder wähle unten ein anderes Modell.',
  model_loading: 'Das Modell wird noch geladen. Versuche es gleich noch einmal.',
  model_not_loaded: 'Es ist kein Modell geladen. Wähle eines unter „Modelle“.',
  gpu_unavailable: 'Dieser Browser kann den Grafikprozessor nicht nutzen, deshalb kann kein Modell laufen.',
  gpu_device_lost:
    'Der Grafikprozessor wurde zurückgesetzt, und das Modell wird neu geladen. Versuche es noch einmal; wenn das nicht hilft, lade die Seite neu.',
  engine_unavailable:
    'Das Modell antwortet nicht mehr. Versuche es noch einmal; wenn das nicht hilft, lade die Seite neu.',
  reload_required: 'Diese Seite hat die Verbindung zum Modell verloren. Lade sie neu.',
  engine_timeout: 'Das Modell hat zu lange nichts gesagt. Versuche es noch einmal oder wähle ein kleineres Modell.',
  rate_limit_exceeded:
    'Es sind mehr Anfragen, als auf einmal beantwortet werden können. Versuche es gleich noch einmal.',
  upstream_failed: 'Der andere Server hat nicht oder nicht bis zum Ende geantwortet.',
  upstream_timeout: 'Der andere Server hat zu lange nichts gesagt.',
  context_length_exceeded:
    'Diese Unterhaltung ist länger, als das Modell aufnehmen kann. Beginne einen neuen Chat oder bearbeite eine frühere Frage, um dort abzuzweigen.',
  internal_error: 'Auf dieser Seite ist etwas schiefgegangen. Versuche es noch einmal.',
};

export const streamStrings: Translation<typeof english.streamStrings> = {
  brokeOff: 'Die Antwort brach vor ihrem Ende ab.',
  endedBecause: (reason) => `Der Server beendete die Antwort und nannte als Grund: ${reason}.`,
  unknownForm:
    'Der Server antwortete in einer Form, die hier nicht bekannt ist. Was er gesendet hat, steht als Text da.',
  connectionLost: 'Die Verbindung zum Modell in diesem Browser ging verloren.',
};
