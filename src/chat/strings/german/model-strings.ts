import { formatBytes, formatCount, formatDuration, formatNumber, formatSpeed } from '../format.ts';
import type { Translation } from '../page-language.ts';
import type * as english from '../model-strings.ts';

function speedHere(tokensPerSecond: number): string {
  return tokensPerSecond < 1
    ? 'weniger als ein Token pro Sekunde'
    : `etwa ${formatNumber(tokensPerSecond)} Token pro Sekunde`;
}

export const modelStrings: Translation<typeof english.modelStrings> = {
  title: 'Modelle',
  introduction:
    'Modelle laufen auf diesem Gerät: auf dem Grafikprozessor oder, langsamer, auf dem Prozessor. Du lädst ein Modell einmal herunter; danach läuft es ohne Internet.',

  answering: (id) => `${id} antwortet gerade`,
  answeringOn: (gpu) => `auf ${gpu}`,
  answeringOnProcessor: 'auf dem Prozessor, nicht auf einem Grafikprozessor; größere Modelle sind dort langsam',
  nothingLoaded: 'Kein Modell ist geladen. Deine nächste Frage lädt eins.',
  loadingNow: (id, percent) => `${id} wird geladen, ${percent} %`,
  unload: 'Entladen',
  unloadHint: 'Gibt seinen Speicher frei',

  storage: 'Speicher',
  storageUse: (models, used) => `${formatBytes(models)} für Modelle, ${formatBytes(used)} insgesamt.`,
  storageFree: (free, quota) =>
    `Von den ${formatBytes(quota)}, die der Browser dieser Website erlaubt, sind ${formatBytes(free)} frei.`,
  storageLabel: 'Anteil des belegten Speichers',
  persisted: 'Der Browser behält, was hier gespeichert ist, bis du es löschst.',
  notPersisted: 'Wenn der Datenträger voll wird, darf der Browser löschen, was hier gespeichert ist.',
  persist: 'Den Browser bitten, es zu behalten',
  persistDenied:
    'Der Browser hat nicht zugestimmt. Meist tut er es bei Websites, die installiert sind oder oft besucht werden.',

  suggestions: 'Für dieses Gerät',
  chosenFor: (memory) =>
    memory === null
      ? 'Ausgewählt nach den Grenzen seines Grafikprozessors. Dieser Browser sagt nicht, wie viel Speicher da ist; wenn eines davon nicht lädt, nimm ein kleineres.'
      : `Ausgewählt nach den Grenzen seines Grafikprozessors und nach seinem Speicher, ${memory} GB oder mehr.`,
  chosenForProcessor:
    'Es wurde kein Grafikprozessor gefunden, oder der Prozessor simuliert einen; größere Modelle bräuchten Sekunden pro Wort. Diese laufen auf dem Prozessor.',
  nothingSuits: 'Kein größeres Modell läuft hier sicher in brauchbarem Tempo. Das eingebaute schon.',
  suggestion: (role, name) => `${role}: ${name}`,
  roles: { fast: 'Schnell', balanced: 'Ausgewogen', best: 'Am leistungsfähigsten' },
  strengths: {
    fluent: 'Schreibt flüssig, weiß aber wenig. Gut zum Plaudern und für einen ersten Versuch.',
    short: 'Klein. Gut für kurze Texte und einfache Fragen; weiß wenig.',
    thinks: 'Denkt nach, bevor es antwortet. Gut für Fragen mit ein paar Schritten und für viele Sprachen.',
    texts: 'Gut für Zusammenfassungen, Umformulierungen und alltägliche Fragen.',
    writes: 'Gut zum Erklären und für Texte von einiger Länge.',
    reasons: 'Gut für schwierige Fragen, Mathematik, Programme und viele Sprachen; denkt nach, bevor es antwortet.',
  },
  takes: (download, time, memory, onProcessor) => [
    `Download: ${download}${time === null ? '' : `, ${time}`}`,
    ...(memory === null ? [] : [`${onProcessor ? 'Speicher' : 'Grafikspeicher'}: ${memory}`]),
  ],
  takesTime: (seconds, isMost) => `${isMost ? 'höchstens' : 'etwa'} ${formatDuration(seconds)}`,
  writes: (tokensPerSecond) => `Schreibt hier ${speedHere(tokensPerSecond)}.`,
  expectedSpeed: (tokensPerSecond) => speedHere(tokensPerSecond),
  speedsAreEstimates: 'Die Tempos sind aus einer kurzen Messung auf diesem Gerät geschätzt.',
  isHere: 'Auf diesem Gerät',
  chat: 'Chatten',
  chatWith: (name) => `Chatten mit ${name}`,
  downloadAndChat: 'Laden und chatten',
  downloadAndChatOf: (name) => `Laden und chatten: ${name}`,

  onDevice: 'Auf diesem Gerät',
  catalogue: 'Weitere Modelle',
  search: 'Suchen',
  searchHint: 'Name, Familie, Lizenz',
  family: 'Familie',
  everyFamily: 'Alle Familien',
  ability: 'Fähigkeiten',
  abilities: {
    any: 'Beliebig',
    thinking: 'Nachdenken',
    images: 'Bilder',
    embedding: 'Embeddings',
  },
  order: 'Reihenfolge',
  orders: { family: 'Nach Familie', smallest: 'Kleinste zuerst', largest: 'Größte zuerst', name: 'Nach Namen' },
  fit: 'Zeigen',
  fits: { suits: 'Was zu diesem Gerät passt', 'may-run': 'Auch langsame oder unsichere', all: 'Alles' },
  showMore: (count) => `${formatNumber(count)} weitere zeigen`,
  familySize: (count) => `${formatNumber(count)} ${count === 1 ? 'Paket' : 'Pakete'}`,
  sizes: (least, most) => (least === most ? least : `${least} bis ${most}`),
  found: (shown, all) => `${formatNumber(shown)} von ${formatNumber(all)} Modellen`,
  noneFound: 'Kein Modell passt dazu. Suche weniger eng oder wähle „Alles“ unter „Zeigen“.',

  origins: { 'built-in': 'Eingebaut', custom: 'Von dir hinzugefügt', catalogue: '' },
  fitness: {
    suits: 'Passt zu diesem Gerät',
    slow: 'Hier langsam',
    tight: 'Läuft hier vielleicht nicht',
    doubtful: 'Läuft hier vielleicht nicht',
    no: 'Läuft hier nicht',
  },
  fitnessRemarks: {
    suits: '',
    slow: 'Es würde langsamer schreiben, als man spricht.',
    tight: 'Es würde den größten Teil des Arbeitsspeichers dieses Geräts belegen.',
    doubtful: '',
    no: '',
  },
  answersNow: 'Antwortet gerade',
  loadedNow: 'Geladen',
  facts: {
    parameters: 'Parameter',
    quantization: 'Gewichte',
    memory: 'Grafikspeicher',
    mainMemory: 'Speicher',
    speed: 'Tempo hier',
    download: 'Download',
    size: 'Auf dem Gerät',
    context: 'Kontext',
    library: 'Bibliothek',
    licence: 'Lizenz',
    ability: 'Außerdem',
    id: 'Id',
    checksum: 'SHA-256',
  },
  parameters: (count) => formatCount(count),
  tokens: (count) => `${formatNumber(count)} Token`,
  subgroups: 'für Untergruppen, die schneller sind',
  window: 'Kontextfenster',
  windowSize: (tokens, bytes) =>
    bytes === null
      ? `${formatNumber(tokens)} Token`
      : `${formatNumber(tokens)} Token\u00a0· ${formatBytes(bytes)} Speicher`,
  windowNote:
    'Wie viel von einem Chat und seinen Dateien das Modell auf einmal aufnimmt. Eine Änderung gilt ab der nächsten Frage, die das Modell neu lädt.',
  parallel: 'Fragen zugleich',
  requests: (requests, bytes) =>
    requests === 1 || bytes === null
      ? formatNumber(requests)
      : `${formatNumber(requests)}\u00a0· ${formatBytes(bytes)} mehr Speicher`,
  parallelNote:
    'Wie viele Chats, Tabs und Programme das Modell nebeneinander beantwortet; weitere warten. Jede Frage braucht Speicher für ein eigenes Kontextfenster.',
  keepAlive: 'Unbenutzt',
  keepAliveTime: (seconds) =>
    seconds < 0
      ? 'bleibt es geladen'
      : seconds === 0
        ? 'wird es nach jeder Antwort entladen'
        : `wird es nach ${formatDuration(seconds)} entladen`,
  keepAliveNote:
    'Das Entladen gibt den Speicher frei. Die nächste Frage wartet dann, bis das Modell wieder geladen ist.',
  thinking: 'denkt laut nach',
  images: 'sieht Bilder',
  embedding: 'vergleicht Texte nach ihrer Bedeutung, für die Suche; schreibt nichts',
  continues: 'setzt Texte fort; nicht für Chats gemacht',
  ranks: 'ordnet Texte nach einer Frage, für die Suche; schreibt nichts',
  unknown: 'unbekannt',
  unknownLicence: 'siehe seine Seite',
  page: 'Seite',
  pageOf: (id) => `Seite über ${id} (eine andere Website)`,
  about: (size) => `etwa ${size}`,
  asking: 'Server wird kontaktiert …',
  offline: 'Du bist offline. Es wurde nichts heruntergeladen; versuch es noch einmal, wenn du wieder online bist.',
  askRoom: (name, bytes, free) => ({
    heading: `Nicht genug Platz für ${name}`,
    words: `Es braucht ${formatBytes(bytes)}, und der Browser hat für diese Website noch ${formatBytes(free)}. Nichts wurde begonnen. Lösche Modelle, die du nicht brauchst, oder wähle ein kleineres.`,
    action: 'Zeigen, was auf diesem Gerät ist',
  }),
  askLarger: (name, bytes, said) => ({
    heading: `${name} herunterladen?`,
    words:
      said === null
        ? `Der Server sagt, dass es ${formatBytes(bytes)} braucht.`
        : `Der Server sagt, dass es ${formatBytes(bytes)} braucht, mehr als die erwarteten ${formatBytes(said)}.`,
    action: 'Herunterladen',
  }),
  builtInNote: 'In diese Seite eingebaut; nichts herunterzuladen.',
  ready: 'Heruntergeladen. Läuft ohne Internet.',
  missing: (files) =>
    `Der Browser hat ${files.length === 1 ? files[0] : `${files.length} Dateien`} davon gelöscht. Reparieren holt nur, was fehlt.`,

  download: 'Herunterladen',
  downloadOf: (id) => `${id} herunterladen`,
  keepOffline: 'Offline verfügbar machen',
  repair: 'Reparieren',
  repairOf: (id) => `${id} reparieren`,
  load: 'Laden',
  loadOf: (id) => `${id} laden`,
  loading: 'Lädt …',
  loadingOf: (id) => `Lädt … ${id}`,
  pause: 'Anhalten',
  pauseOf: (id) => `Download von ${id} anhalten`,
  resume: 'Fortsetzen',
  resumeOf: (id) => `Download von ${id} fortsetzen`,
  retry: 'Noch einmal versuchen',
  retryOf: (id) => `Noch einmal versuchen, ${id} herunterzuladen`,
  cancel: 'Abbrechen',
  cancelOf: (id) => `Download von ${id} abbrechen`,
  delete: 'Löschen',
  deleteOf: (id) => `${id} löschen`,
  confirm: {
    delete: (id) => ({
      heading: 'Dieses Modell löschen?',
      words: `Die Dateien von ${id} verschwinden von diesem Gerät.`,
      action: 'Löschen',
    }),
    cancel: (id) => ({
      heading: 'Diesen Download abbrechen?',
      words: `Was von ${id} schon angekommen ist, verschwindet.`,
      action: 'Löschen',
    }),
  },

  phases: {
    preparing: 'Liest die Liste der Dateien',
    downloading: 'Lädt herunter',
    paused: 'Angehalten',
    failed: 'Abgebrochen',
    offline: 'Wartet auf das Netz',
  },
  progress: (received, total) =>
    total === null
      ? received === 0
        ? ''
        : formatBytes(received)
      : `${formatBytes(received)} von ${formatBytes(total)}`,
  speed: (bytesPerSecond) => formatSpeed(bytesPerSecond),
  left: (seconds) => `noch ${formatDuration(seconds)}`,
  progressOf: (id) => `Download von ${id}`,
  failures: {
    network: 'Die Verbindung ist abgebrochen. Was angekommen ist, bleibt; mach weiter, sobald das Netz wieder da ist.',
    http: 'Der Server sendet es zurzeit nicht. Was angekommen ist, bleibt; versuch es später wieder oder wähle ein anderes Modell.',
    quota:
      'Auf diesem Gerät ist kein Platz mehr dafür. Was angekommen ist, bleibt; lösche ein Modell, das du nicht brauchst, dann mach weiter.',
    storage: 'Der Browser konnte es nicht speichern. Was angekommen ist, bleibt; schaffe Platz, dann mach weiter.',
    size: 'Angekommen ist nicht, was der Herausgeber ankündigt, darum wird es nicht benutzt. Versuch es noch einmal oder wähle ein anderes Modell.',
    integrity:
      'Angekommen ist nicht, was der Herausgeber ankündigt, darum wird es nicht benutzt. Versuch es noch einmal oder wähle ein anderes Modell.',
    content: 'Unter der Adresse liegt etwas anderes als ein Modell. Prüfe die Adresse oder wähle ein anderes Modell.',
    unreadable: 'Die Datei lässt sich nicht mehr lesen. Wähle dieselbe Datei noch einmal; was kopiert ist, bleibt.',
    internal: 'Hier ist etwas schiefgegangen. Ein neuer Versuch kann helfen.',
  },
  failuresAtStart: {
    network: 'Die Verbindung ist abgebrochen, bevor etwas angekommen ist. Mach weiter, sobald das Netz wieder da ist.',
    http: 'Der Server sendet es zurzeit nicht. Versuch es später wieder oder wähle ein anderes Modell.',
    quota: 'Auf diesem Gerät ist kein Platz mehr dafür. Lösche ein Modell, das du nicht brauchst, dann mach weiter.',
    storage: 'Der Browser konnte es nicht speichern. Schaffe Platz, dann mach weiter.',
    unreadable: 'Die Datei lässt sich nicht mehr lesen. Wähle dieselbe Datei noch einmal.',
  },
  arrived: (id) => `${id} ist auf diesem Gerät.`,

  downloads: 'Downloads von Modellen',
  details: 'Einzelheiten',
  dismiss: 'Diesen Hinweis schließen',
  newChatsAsk: 'Neue Chats verwenden es.',
  tryIt: (question) => `Probieren: ${question}`,
  firstQuestion: 'Erkläre in einfachen Worten, wie ein Regenbogen entsteht.',
  firstQuestions: {
    fluent: 'Erzähl mir etwas Schönes über Sonntage.',
    short: 'Schreibe eine freundliche Absage auf eine Einladung.',
    thinks: 'Ein Zug fährt um 9:40 Uhr ab und braucht 2 Stunden und 35 Minuten. Wann kommt er an?',
    texts: 'Sag in einfachen Worten: „Gemäß unserer Vereinbarung ist die Zahlung umgehend fällig.“',
    writes: 'Schreibe eine Gutenachtgeschichte über einen Leuchtturm und einen Wal.',
    reasons: 'Drei Freunde teilen sich 42 Euro. Jeder bekommt doppelt so viel wie der vorige. Wie viel bekommt jeder?',
  },
  chatsWhenHere: 'Neue Chats verwenden es, sobald es heruntergeladen ist.',

  addCustom: 'Ein eigenes Modell hinzufügen',
  customNote:
    'Jedes Paket im Format von WebLLM mit einer Bibliothek, die für dessen hiesige Version gemacht ist. Die Adressen müssen von der Content-Security-Policy dieser Website erlaubt sein, die diese Quellen nennt:',
  customName: 'Name',
  customNameHint: 'Was Programme in das Feld „model“ schreiben',
  customModelUrl: 'Adresse des Pakets',
  customModelUrlHint: 'Der Ordner mit mlc-chat-config.json',
  customLibraryUrl: 'Adresse der Bibliothek',
  customLibraryUrlHint: 'Die .wasm-Datei',
  customAdd: 'Hinzufügen und herunterladen',
  customUnusable:
    'Unter dieser Adresse ist nichts Brauchbares. Berichtige sie und versuch es wieder; begonnen wurde nichts.',
  customAdded: (id) => `${id} wird heruntergeladen, siehe oben.`,

  unsupported:
    'Welche Modelle hier laufen können, zeigt sich, sobald dieser Browser einen Grafikprozessor anbietet; der Hinweis oben sagt, wie.',
  listFailed: 'Die Liste der Modelle konnte nicht erstellt werden.',
  reading: 'Sieht sich dieses Gerät an …',
};
