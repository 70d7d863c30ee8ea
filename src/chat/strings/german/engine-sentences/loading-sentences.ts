import type { EngineSentences, SentenceTable } from '../../../../shared/coded-sentence.ts';
import { formatNumber } from '../../format.ts';

/** Reasons why a model cannot, or may not, run on the graphics processor; steps of a load, and why it failed. */
export const loadingSentences = {
  noGraphicsDevice: 'Dieser Browser gibt keinen Zugang zu einem Grafikprozessor.',
  smallBuffers: 'Der Grafikprozessor erlaubt keinen Puffer von 256 MB, das Minimum für WebLLM.',
  smallBindings: 'Auf dem Grafikprozessor erreicht ein Shader weniger als 128 MB auf einmal.',
  smallWorkgroups: 'Der Grafikprozessor hat weniger als 32 KB Speicher je Arbeitsgruppe.',
  fewBuffers: 'Der Grafikprozessor erlaubt weniger als 10 Puffer je Shader.',
  halfPrecisionMissing:
    'Es rechnet mit 16-Bit-Zahlen (shader-f16), die diesem Grafikprozessor oder Browser fehlen. Nimm die Variante q4f32.',
  featureMissing: (feature) => `Es braucht die Grafikfunktion ${feature}, die diesem Gerät oder Browser fehlt.`,
  halfPrecisionLikely:
    'Es rechnet wahrscheinlich mit 16-Bit-Zahlen (shader-f16), die diesem Grafikprozessor oder Browser fehlen. Die Variante q4f32 braucht sie nicht.',
  shortBinding: (neededBytes, grantedBytes) =>
    `Ein Shader muss ${inMebibytes(neededBytes)} auf einmal erreichen; hier erreicht er ${inMebibytes(grantedBytes)}.`,
  tightGraphicsMemory: (neededBytes, deviceBytes) =>
    `Es braucht ${inMebibytes(neededBytes)} Grafikspeicher; der Browser meldet ${inMebibytes(deviceBytes)} Hauptspeicher.`,

  loadStarting: 'Das Laden beginnt',
  lookingForFiles: 'Sucht die Dateien des Modells',
  downloadingModel: (receivedBytes, totalBytes) =>
    `Das Modell wird heruntergeladen, ${inMegabytes(receivedBytes)} von ${inMegabytes(totalBytes)} MB`,
  checkingFile: (share) => `Was heruntergeladen wurde, wird geprüft, ${inPercent(share)}`,
  loadingWeights: (share) => `Das Modell wird auf den Grafikprozessor geladen, ${inPercent(share)}`,
  preparingShaders: (share) => `Der Grafikprozessor wird vorbereitet, ${inPercent(share)}`,
  checkingPromptCache: (step, steps) =>
    `Prüft einmalig, ob sich Prompts auf diesem Gerät zwischenspeichern lassen, Schritt ${step} von ${steps}`,
  openingBrowserModel: (share) => `Der Browser holt sein eigenes Modell, ${inPercent(share)}`,
  readingIntoMemory: 'Das Modell wird in den Hauptspeicher geladen',
  modelReady: 'Das Modell ist bereit',

  webGpuMissing: (model) =>
    `${model} braucht WebGPU, das dieser Browser nicht bietet. Wähle ein GGUF-Modell, das auf dem Prozessor läuft.`,
  deviceFeatureMissing: (model) =>
    `Dem Grafikprozessor fehlt eine Funktion, die ${model} braucht. Wähle eine Variante des Modells mit f32 im Namen.`,
  deviceLostWhileLoading: (model) =>
    `Der Grafikprozessor wurde zurückgesetzt, während ${model} darauf geladen wurde; wahrscheinlich reicht sein Speicher nicht. Schließe andere Tabs oder wähle ein kleineres Modell.`,
  webAssemblyForbidden:
    "Die Content-Security-Policy dieser Website verbietet WebAssembly, das jedes Modell braucht. Ergänze 'wasm-unsafe-eval' in ihrer Direktive script-src, auch im Header des Engine-Worker-Skripts.",
  libraryNotStarted: (model) =>
    `Die Bibliothek von ${model} ließ sich nicht starten. Sie passt nicht zu dieser Version von WebLLM oder nicht zu diesem Paket: Nimm die Bibliothek, die zum Paket gehört.`,
  filesDoNotFit: (model) =>
    `${model} ließ sich nicht laden: Seine Dateien passen nicht zusammen. Lösche das Modell und lade es noch einmal herunter.`,
  webLlmUnreachable:
    'Die Engine selbst konnte nicht von dieser Website geholt werden; vielleicht ist ihr Server nicht erreichbar. Prüfe das Netz; ein neuer Versuch kann helfen.',
} satisfies Partial<SentenceTable<EngineSentences>>;

/** Formats mebibytes with the unit MB, as the English sentences do. */
function inMebibytes(bytes: number): string {
  return `${formatNumber(bytes / 2 ** 20)} MB`;
}

function inPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function inMegabytes(bytes: number): string {
  return formatNumber(bytes / 1e6, 1);
}
