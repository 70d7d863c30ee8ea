import type * as english from '../developer-strings.ts';
import { formatDate, formatMilliseconds, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';

export const developerStrings: Translation<typeof english.developerStrings> = {
  title: 'Für Entwickler',
  introduction:
    'Diese Seite beantwortet das Protokoll von OpenAI (Chat Completions, Responses, Embeddings) unter einer eigenen Adresse. Code dieses Origins ruft sie mit fetch auf oder mit jedem Client, der eine Basisadresse annimmt. Was ein Modell auf diesem Gerät liest und schreibt, verlässt es nicht.',

  baseUrl: 'Basisadresse',
  bench: 'Das Tempo auf diesem Gerät messen',
  notices: 'Bibliotheken, die diese Seite enthält, und ihre Lizenzen',
  baseUrlNote:
    'Wird in diesem Browser beantwortet, für Seiten und Worker dieses Origins. Für Programme außerhalb des Browsers gibt es die Brücke: npm run bridge.',
  copyBaseUrl: 'Basisadresse kopieren',
  routes:
    'Bedient /chat/completions, /responses, /completions, /embeddings, /tokenize, /detokenize und /models; /openapi.json beschreibt sie.',

  try: 'Ausprobieren',
  model: 'Modell',
  key: 'Schlüssel',
  question: 'Frage',
  // The default model knows only English.
  defaultQuestion: 'What is WebGPU?',
  client: 'Client',
  clients: { fetch: 'fetch', openai: 'openai', 'ai-sdk': 'AI SDK', langchain: 'LangChain' },
  run: 'Ausführen',
  stop: 'Anhalten',
  runNotes: {
    fetch: 'Führt genau diese Anfrage aus.',
    openai: 'Führt die Anfrage aus, die dieser Client sendet. Das Paket selbst ist nicht Teil dieser Seite.',
    'ai-sdk': 'Führt die Anfrage aus, die dieser Client sendet. Die Pakete selbst sind nicht Teil dieser Seite.',
    langchain: 'Führt die Anfrage aus, die dieser Client sendet. Das Paket selbst ist nicht Teil dieser Seite.',
  },
  answer: 'Was zurückkam, Byte für Byte',
  running: 'Läuft …',
  stopped: 'Von dir angehalten.',
  ended: (milliseconds) => `Nach ${formatMilliseconds(milliseconds)} beendet.`,
  networkFailed: 'Keine Antwort: Der Service-Worker ist noch nicht für diese Seite zuständig.',

  keys: 'Schlüssel',
  keysNote:
    'Jede Seite dieses Origins darf den Schlüssel „local“ benutzen. Erstelle eigene Schlüssel, um Programme im Protokoll zu unterscheiden, sie auf bestimmte Modelle zu beschränken und ihren Zugang zu beenden.',
  keyName: 'Name',
  keyNameHint: 'Wofür der Schlüssel ist',
  scope: 'Modelle, die er benutzen darf',
  everyModel: 'Jedes Modell, auch spätere',
  someModels: 'Nur diese',
  makeKey: 'Schlüssel erstellen',
  nameNeeded: 'Gib dem Schlüssel einen Namen, damit du ihn wiedererkennst.',
  modelNeeded: 'Wähle mindestens ein Modell oder alle.',
  newKey: 'Kopiere ihn jetzt: Er wird nirgends gespeichert und nicht noch einmal gezeigt.',
  newKeyLabel: 'Der neue Schlüssel',
  copyKey: 'Neuen Schlüssel kopieren',
  done: 'Ich habe ihn kopiert',
  usedAbove: 'Das Beispiel oben benutzt ihn, bis du diese Seite verlässt.',
  noKeys: 'Noch keine eigenen Schlüssel.',
  allModels: 'jedes Modell',
  made: (created) => `erstellt am ${formatDate(created)}`,
  revoke: 'Widerrufen',
  revokeOf: (name) => `Schlüssel ${name} widerrufen`,
  confirmRevoke: (name) => ({
    heading: 'Diesen Schlüssel widerrufen?',
    words: `Programme, die ${name} benutzen, werden von nun an abgewiesen.`,
    action: 'Widerrufen',
  }),
  revoked: (name) => `${name} ist widerrufen.`,

  promptCache: ({ promptTokens, cachedTokens, off }) =>
    off === null
      ? promptTokens === 0
        ? 'Prompt-Cache: kein Prompt, seit das Modell geladen wurde.'
        : `Prompt-Cache: ${formatNumber(cachedTokens)} von ${formatNumber(promptTokens)} Prompt-Token (${Math.round((100 * cachedTokens) / promptTokens)} %) mussten nicht noch einmal gelesen werden, seit das Modell geladen wurde.`
      : 'Jeder Prompt wird ganz gelesen; den Grund nennt die nächste Zeile bei prompt-cache.',
  extensions: (extensions) =>
    `Erweiterungen von WebLLM: ${extensions
      .map(({ name, off }) => (off === null ? name : `${name} (aus: ${off})`))
      .join(', ')}.`,

  log: 'Anfragen',
  logNote:
    'Die letzten 200 Anfragen an diesen Endpunkt, aus allen Tabs. Nur auf diesem Gerät aufbewahrt, ohne Schlüssel.',
  keepContent: 'Auch Fragen und Antworten aufbewahren',
  keepContentNote: 'Beim Ausschalten werden die bisher aufbewahrten gelöscht.',
  clear: 'Protokoll leeren',
  logEmpty: 'Noch keine Anfrage.',
  requestFacts: {
    time: 'Zeit',
    key: 'Schlüssel',
    model: 'Modell',
    server: 'Beantwortet von',
    tokens: 'Token hinein und heraus',
    speed: 'Tempo',
    duration: 'Dauer',
    id: 'ID',
  },
  noKey: 'keiner angenommen',
  tokens: (prompt, completion) => `${formatNumber(prompt)} + ${formatNumber(completion)}`,
  speed: (tokensPerSecond) => `${formatNumber(tokensPerSecond, 1)} Token/s`,
  duration: formatMilliseconds,
  outcomes: { complete: 'vollständig', cancelled: 'abgebrochen' },
  streamed: 'gestreamt',
  request: 'Anfrage',
  response: 'Antwort',
};
