import type * as english from '../bench-strings.ts';
import { formatBytes, formatDuration, formatMilliseconds, formatNumber } from '../format.ts';
import type { Translation } from '../page-language.ts';

export const benchStrings: Translation<typeof english.benchStrings> = {
  title: 'Wie schnell ist es hier?',
  introduction:
    'Diese Seite misst ein Modell, das auf diesem Gerät ist: über den Endpunkt dieser Website und daneben mit den Bibliotheken, die es ausführen, abwechselnd mit denselben Fragen. Alles bleibt in diesem Browser; nichts wird gesendet.',
  back: 'Für Entwickler',
  model: 'Modell',
  length: 'Länge des Laufs',
  lengths: { short: 'Kurz: 2 Runden', whole: 'Ganz: 7 Runden' },
  compare: 'Vergleichen mit',
  measure: 'Messen',
  sides: {
    endpoint: 'Dieser Endpunkt',
    webllm: 'WebLLM',
    'wllama-1': 'wllama, 1 Thread',
    'wllama-all': 'wllama, alle Threads',
    'wllama-webgpu': 'wllama auf WebGPU',
  },
  rows: {
    load: 'Laden, bis zum ersten Token',
    'first-50': 'Erstes Token, Prompt von 50 Token',
    'first-500': 'Erstes Token, Prompt von 500 Token',
    'first-1500': 'Erstes Token, Prompt von 1.500 Token',
    'decode-100': 'Schreiben an Stelle 100',
    'decode-1500': 'Schreiben an Stelle 1.500',
    schema: 'Schreiben nach einem Schema',
    logprobs: 'Schreiben mit Logprobs',
    'turn-10': 'Erstes Token, Runde\u00a010 ÷ Runde\u00a01',
    'two-tabs': 'Erstes Token, zwei Chats abwechselnd, Runde\u00a05 ÷ Runde\u00a01',
    memory: 'Speicher der Seite nach dem Laden, ohne Worker, die sie mit anderen teilt',
    energy: 'Energie',
  },
  start: 'Messen',
  stop: 'Anhalten',
  advice:
    'Schließe andere Programme, schließe das Gerät an den Strom an und lass diesen Tab vorn, bis alles gemessen ist.',
  waiting: 'Warten auf den Endpunkt …',
  noModels: 'Auf diesem Gerät ist noch kein Modell.',
  preparing: 'Wird vorbereitet …',
  loading: (side) => `${side}: wird geladen und aufgewärmt …`,
  step: (side, row, round, rounds) => `${side}: ${row}, Runde ${round} von ${rounds}`,
  stopped: 'Angehalten. Das sind die bisherigen Werte.',
  done: 'Fertig.',
  failed: (reason) => `Der Lauf endete vorzeitig: ${reason}`,
  hiddenNow:
    'Dieser Tab war während des Laufs verdeckt. Browser bremsen verdeckte Tabs: Werte aus dieser Zeit können zu schlecht sein.',
  nothingChosen: 'Wähle etwas, das gemessen werden soll.',

  results: 'Ergebnisse',
  row: 'Gemessen',
  middleHalf: (lower, upper) => `${lower} … ${upper}`,
  beside: (ratio) => `Endpunkt × ${ratio}`,
  legend:
    'Jeder Wert ist der Median, darunter die mittlere Hälfte. „Endpunkt ×“ ist der Wert des Endpunkts geteilt durch diesen, Paar für Paar: Bei Tempo ist mehr als 1 besser, bei Zeiten weniger als 1.',
  figures: {
    ms: formatMilliseconds,
    'tokens/s': (value) => `${formatNumber(value, value < 10 ? 2 : 1)} Token/s`,
    '×': (value) => `${formatNumber(value, 2)} ×`,
    bytes: formatBytes,
    J: (value) => `${formatNumber(value, 1)} J`,
  },
  ratio: (value) => formatNumber(value, 2),

  conditions: 'Bedingungen',
  facts: {
    model: 'Modell',
    machine: 'Gerät',
    browser: 'Browser',
    place: 'Der Endpunkt rechnet mit',
    read: 'Die Datei nur lesen',
    warmUp: 'Aufwärmen, nicht gezählt',
    leftOut: 'Ausgelassen',
    visible: 'Tab',
    power: 'Strom',
    rounds: 'Runden',
    date: 'Datum',
  },
  modelFacts: (id, bytes) => `${id}, ${formatBytes(bytes)}`,
  machineFacts: (processors, gpu, f16) =>
    `${formatNumber(processors)} logische Prozessoren; ${gpu === null ? 'kein WebGPU' : `WebGPU auf ${gpu}, ${f16 ? 'mit f16' : 'ohne f16'}`}`,
  alwaysVisible: 'die ganze Zeit vorn',
  hiddenFor: (milliseconds) => `verdeckt für ${formatDuration(milliseconds / 1000)}`,
  charging: 'am Strom',
  onBattery: 'im Akkubetrieb',
  powerUnknown: 'der Browser sagt es nicht',
  roundsRun: (rounds, complete) => `${formatNumber(rounds)}${complete ? '' : ', nicht alle gelaufen'}`,

  reasons: {
    memory: 'Der Browser sagt es nicht.',
    energy: 'Der Browser sagt es nicht.',
    window: 'Länger als das Fenster des Modells.',
    short: 'Die Antwort war zu kurz zum Messen.',
    noGpu: 'Braucht WebGPU.',
    noF16: 'Braucht einen Grafikprozessor mit f16.',
    noJspi: 'Braucht einen Browser mit JSPI.',
    noThreads: 'Braucht mehr als einen Prozessor und eine Seite, die von anderen Origins isoliert ist.',
  },

  json: 'JSON',
  copyJson: 'Werte als JSON kopieren',
};
