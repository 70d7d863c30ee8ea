import { ANSWER_LIMITS } from '../../../shared/storage/answers-to-evict.ts';
import { formatBytes, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../privacy-strings.ts';

export const privacyStrings: Translation<typeof english.privacyStrings> = {
  title: 'Datenschutz',
  introduction:
    'Chats, Schlüssel und das Protokoll sind in diesem Browser gespeichert. Es gibt kein Konto, keine Telemetrie, keine Schrift und kein Skript von anderswo.',
  asked: (servers) =>
    servers.length === 0
      ? 'Diese Seite sendet deine Fragen und die Antworten an keinen Server: Das Modell läuft in diesem Browser.'
      : `Du hast Servern erlaubt zu antworten: ${servers.join(', ')}. Was ein solcher Server beantworten soll, verlässt diesen Browser, mit der Unterhaltung davor. Solche Anfragen sind unten aufgeführt.`,

  outside: 'Was diesen Origin verlassen hat',
  outsideNote:
    'Was der Browser selbst aufgezeichnet hat, seit sie jeweils gestartet wurden: Anfragen der Seite, der Engine, die Modelle herunterlädt, und des Service-Workers. Weder Verbindungen über WebRTC und WebSocket noch das Auflösen von Namen noch das, was Erweiterungen senden, zeichnen Browser hier auf.',
  looking: 'Wird nachgesehen …',
  outsideNone: 'Der Browser hat keine Anfrage an eine andere Adresse aufgezeichnet.',
  outsideNoneYet: 'Bisher ist keine Anfrage an eine andere Adresse bekannt.',
  outsideSome: (count, hosts) =>
    `${formatNumber(count)} ${count === 1 ? 'Anfrage' : 'Anfragen'} an ${hosts} ${hosts === 1 ? 'Host' : 'Hosts'}, hier einzeln aufgeführt. Die an Server, die du erlaubt hast, stehen auch oben, mit ihrer Größe.`,
  sources: { page: 'Seite', engine: 'Engine', 'service-worker': 'Service-Worker' },
  unseen:
    'Die Engine oder der Service-Worker konnte noch nicht gefragt werden, die Liste ist also vielleicht unvollständig.',
  again: 'Noch einmal nachsehen',

  policy: 'Die Regel, die der Browser durchsetzt',
  policyNote:
    'Der Server hat diese Content-Security-Policy mit der Seite gesendet. Der Browser wendet sie auf alles an, was die Seite und ihre Skripte laden, einbetten, absenden oder anfragen, auch wenn eines unserer Skripte oder eine Antwort des Modells schuld ist. Sie gilt nicht für Links, denen du folgst, für WebRTC, für das Auflösen von Namen und für Erweiterungen des Browsers.',
  policyAdded:
    'Der Server hat keine Content-Security-Policy gesendet: Der Service-Worker dieser Website fügt Seite und Engine diese hinzu, ab dem zweiten Besuch. Der Browser wendet sie dann auf das an, was sie laden, einbetten, absenden oder anfragen. Den Service-Worker selbst bindet sie nicht, anders als ein Header des Servers. Wer diese Website betreibt, sollte einen senden: siehe die Dokumentation zum Hosting.',
  policyMissing:
    'Der Server hat mit dieser Seite keine Content-Security-Policy gesendet. Wer diese Website betreibt, sollte das tun: siehe die Dokumentation zum Hosting.',
  strict:
    'Streng: Die Regel nennt keinen anderen Host. Modelle kommen von dieser Website oder von deinem Datenträger; eines von anderswo hinzuzufügen wird verweigert, bevor eine Anfrage gesendet wird.',
  policyInHtml:
    'Diese Content-Security-Policy steht in der Seite selbst, der Browser wendet sie also auf die Seite und ihre Skripte an. Sie bindet weder die Engine, die Modelle herunterlädt, noch den Service-Worker: Das tun nur Header des Servers.',
  directives: {
    'default-src': 'was keine andere Zeile nennt',
    'script-src': 'Skripte',
    'worker-src': 'Worker',
    'style-src': 'Stile',
    'img-src': 'Bilder',
    'font-src': 'Schriften',
    'manifest-src': 'das App-Manifest',
    'connect-src': 'Anfragen: diese Website, und woher Modelle geladen werden',
    'base-uri': 'geänderte Basisadressen',
    'form-action': 'Formulare',
    'frame-ancestors': 'Seiten, die diese einbetten dürfen',
  },

  stored: 'Was hier gespeichert ist',
  storedNote: 'All das liegt im Speicher dieses Browsers für diese Website.',
  totals: (used, quota) =>
    Number.isFinite(quota)
      ? `Insgesamt ${formatBytes(used)} von ${formatBytes(quota)}, die der Browser dieser Website erlaubt.`
      : `Insgesamt ${formatBytes(used)}.`,
  caches: {
    'webllm/model': 'Gewichte und Tokenizer von Modellen',
    'webllm/config': 'Konfigurationen von Modellen',
    'webllm/wasm': 'Bibliotheken von Modellen',
    'tabserve/gguf': 'GGUF-Modelle',
    'tabserve/llama-cpp': 'Das Programm, das GGUF-Modelle ausführt',
    'tabserve/partial': 'Anfänge unfertiger Downloads',
  },
  precache: 'Die Seite selbst, für offline',
  otherCache: 'Andere Dateien dieser Website',
  databases: {
    tabserve: 'Schlüssel (als Prüfsummen), Modelle, Downloads, Anfrageprotokoll',
    'tabserve-chat': 'Chats und Einstellungen, und das Verzeichnis für die Suche in Chats',
    'tabserve-drafts': 'Nicht gesendete Texte und Fragen, die auf eine Antwort warten',
    'tabserve-files': 'Dateien, die auf die nächste Frage eines Chats warten',
    'tabserve-folders': 'Ordner von Sammlungen, um sie auf Änderungen zu prüfen',
    'tabserve-answers': 'Gespeicherte Antworten',
    'tabserve-documents':
      'Dateien von Sammlungen und von Programmen, die den Endpunkt nutzen, und ihre Verzeichnisse für die Suche',
    'tabserve-hub':
      'Falls diese Seite eine Zentrale ist: die Seiten, die ihre Modelle wollten, und wie viel sie benutzt haben',
    'tabserve-upstreams': 'Server, die du erlaubt hast, mit ihren Schlüsseln, und was an sie gesendet wurde',
  },
  otherDatabase: 'Andere Daten dieser Website',
  entries: (count) => `${formatNumber(count)} ${count === 1 ? 'Datei' : 'Dateien'}`,
  cache: 'Cache',
  database: 'Datenbank',

  answers: {
    title: 'Gespeicherte Antworten',
    note: () =>
      `Antworten, die dieser Browser für Programme aufbewahrt, mit ihren Fragen, damit sie wieder gelesen oder fortgesetzt werden können („store“). Dieser Browser behält sie ${ANSWER_LIMITS.days} Tage lang; sind es mehr als ${ANSWER_LIMITS.count} oder mehr als ${formatBytes(ANSWER_LIMITS.characters)}, weichen die ältesten. Die Chats dieser Seite gehören nicht dazu.`,
    total: (count, characters) =>
      count === 0
        ? 'Keine ist gespeichert.'
        : `${formatNumber(count)} ${count === 1 ? 'Antwort' : 'Antworten'}, etwa ${formatBytes(characters)}.`,
    others: (count) => `Und ${formatNumber(count)} ältere.`,
    kinds: { 'chat.completion': 'Chat-Completion', response: 'Response' },
    delete: 'Löschen',
    deleteOne: (time) => `Antwort von ${time} löschen`,
    confirmOne: (time) => ({
      heading: `Die Antwort von ${time} löschen?`,
      words: 'Programme, die sie lesen oder fortsetzen wollen, erfahren dann, dass sie nicht da ist.',
      action: 'Löschen',
    }),
    deleteAll: 'Gespeicherte Antworten löschen',
    confirm: {
      heading: 'Die gespeicherten Antworten löschen?',
      words: 'Programme, die eine davon lesen oder fortsetzen wollen, erfahren dann, dass sie nicht da ist.',
      action: 'Gespeicherte Antworten löschen',
    },
  },

  history: {
    title: 'Der Verlauf des Browsers',
    note: 'Der Browser merkt sich Adressen und Titel von allem, was du öffnest, und sein Konto trägt sie vielleicht auf deine anderen Geräte. Von einem Chat sind das eine zufällige Zahl, sein Titel und die gesuchten Worte, wenn du ihn aus der Suche geöffnet hast. Keine Seite kann sie löschen: Das kannst du, in den Einstellungen des Browsers.',
    neutral: 'Titel von Chats und gesuchte Worte ab jetzt dort heraushalten',
  },

  leftover: 'Früher erlaubt. Unter den Servern, die diese Website jetzt nennt, wurde er nicht gefunden.',

  delete: 'Alles löschen',
  deleteNote:
    'Chats, gespeicherte Antworten, Schlüssel, das Protokoll, jedes Modell und die gespeicherte Seite. Beendet Downloads, gibt den Grafikspeicher frei und entfernt den Service-Worker. Das lässt sich nicht rückgängig machen; exportiere vorher deine Chats, wenn du sie behalten willst. Was der Verlauf des Browsers von deinen Chats enthält, bleibt dort.',
  confirm: {
    heading: 'Alles löschen?',
    words:
      'Alles, was diese Website in diesem Browser gespeichert hat, verschwindet: Chats, gespeicherte Antworten, Schlüssel, Modelle und die Seite selbst. Titel und Adressen von Chats bleiben im Verlauf des Browsers.',
    action: 'Alles löschen',
  },
  deleting: 'Wird gelöscht …',
  deleted: 'Alles ist gelöscht.',
  deletedNote:
    'Diese Website hat in diesem Browser nichts mehr gespeichert. Der Verlauf des Browsers enthält vielleicht noch Titel und Adressen deiner Chats; lösche ihn in den Einstellungen des Browsers. Schließe diesen Tab oder beginne von vorn.',
  startAnew: 'Von vorn beginnen',
  databaseKept: (name) => `Die Datenbank ${name} konnte nicht gelöscht werden.`,
  databaseInUse: (name) => `Ein anderer Tab benutzt ${name} noch.`,
  deleteFailed: (message) =>
    `Nicht alles konnte gelöscht werden: ${message} Schließe andere Tabs dieser Website und versuche es noch einmal.`,
};
