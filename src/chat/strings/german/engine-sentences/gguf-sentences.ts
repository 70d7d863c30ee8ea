import type { EngineSentences, OtherFileKind, SentenceTable } from '../../../../shared/coded-sentence.ts';
import { formatNumber } from '../../format.ts';

const OTHER_KINDS: Readonly<Record<OtherFileKind, string>> = {
  empty: 'leer',
  zeros: 'nur Nullen',
  html: 'HTML',
  xml: 'XML',
  json: 'JSON',
  safetensors: 'safetensors',
  pickle: 'PyTorch',
  ggml: 'altes GGML',
  bigEndian: 'GGUF (Big-Endian)',
  lfsPointer: 'Git-LFS-Zeiger',
  annexPointer: 'git-annex-Zeiger',
  webAssembly: 'WebAssembly',
  gzip: 'gzip',
  zstd: 'Zstandard',
  xz: 'xz',
  bzip2: 'bzip2',
  zip: 'ZIP',
  '7z': '7z',
  tar: 'tar',
};

/** What is wrong with a GGUF file, or with the choice of files; and why its model may not run here. */
export const ggufSentences = {
  notGguf: 'Die Datei ist keine GGUF-Datei: Sie beginnt nicht mit diesen vier Buchstaben.',
  notGgufBut: (kind) => `Die Datei ist keine GGUF-Datei, sondern ${OTHER_KINDS[kind]}.`,
  ggufVersion: (version) => `Die Datei hat die GGUF-Version ${version}; lesbar sind die Versionen 2 und 3.`,
  ggufTruncated: 'Die Datei endet zu früh: Sie wurde nicht ganz kopiert.',
  ggufEndsEarly: (missingBytes) =>
    `Die Datei endet ${missingBytes === 1 ? 'ein Byte' : `${formatNumber(missingBytes)} Bytes`} zu früh: Sie wurde nicht vollständig kopiert.`,
  ggufHeaderTooLong: 'Der Kopf der Datei ist länger als 64 MB.',
  ggufTooManyItems: (count, most) =>
    `Die Datei ist beschädigt: Ihr Kopf kündigt ${count} Einträge an, wo höchstens ${most} sein können.`,
  ggufNestedArrays: 'Die Datei ist beschädigt: Ihr Kopf hat Listen von Listen.',
  ggufValueType: (type) => `Die Datei ist beschädigt: Ihr Kopf hat einen Wert der unbekannten Art ${type}.`,
  ggufWithoutArchitecture: 'Die Datei sagt nicht, welche Architektur ihr Modell hat.',
  ggufPartsMissing: (parts) =>
    `Das Modell ist in ${parts} Dateien geteilt. Sie müssen in einem Ordner liegen, mit den Namen, die llama.cpp ihnen gab: …-00001-of-${String(parts).padStart(5, '0')}.gguf.`,
  isEmbeddingModel: (model, facts) =>
    `${model} ist ein Modell, das Zahlen berechnet und nichts schreibt. Die Website muss es mit embedding: ${facts} nennen; ein Modell, das du selbst hinzugefügt hast, musst du löschen und noch einmal hinzufügen.`,
  isChatModel: (model) =>
    `${model} ist ein Modell, das schreibt und keine Embeddings berechnet. Die Website muss es ohne embedding nennen.`,
  isEncoderOfSite: (model) =>
    `Die Datei von ${model} ist der Teil eines Modells, der Bilder sieht (mmproj). Die Website muss die Datei des Modells als gguf nennen und diese als mmproj.`,
  encoderSeesNothing: 'Die als mmproj genannte Datei enthält keinen Bild-Encoder; das Modell könnte nichts sehen.',
  openAddressOfDeleted: (address) =>
    `Öffne ${address}, um zu sehen, was dort liegt. Die Kopie auf diesem Gerät wurde gelöscht.`,

  isEncoder:
    'Diese Datei ist der Teil eines Modells, der Bilder sieht (mmproj), und kann nicht allein antworten. Wähle sie zusammen mit der Datei ihres Modells.',
  memoryBeyondWasm: (bytes, most) =>
    `Es braucht ${inGigabytes(bytes)} Speicher; dieser Browser gibt einer Seite höchstens ${inGigabytes(most)} dafür. Wähle ein kleineres.`,
  tightMainMemory: (bytes, deviceBytes) =>
    `Es braucht ${inGigabytes(bytes)} Speicher; der Browser meldet ${inGigabytes(deviceBytes)} für alles zusammen.`,
  chatTemplateMissing: 'Die Datei sagt nicht, wie das Modell chattet; vielleicht setzt es Texte nur fort.',

  chosenPartsMissing: (parts, missing) =>
    `Das Modell ist in ${parts} Dateien geteilt. Wähle sie alle zusammen; es fehlen: ${missing.join(', ')}.`,
  severalModels: 'Das sind mehrere Modelle. Wähle eines oder alle Dateien eines geteilten.',
  encoderHears:
    'Eine dieser Dateien ist der Teil eines Modells, der hört (mmproj). Töne lassen sich hier nicht senden: Lass sie weg.',
  encoderOfEmbeddingModel:
    'Eine dieser Dateien ist der Teil eines Modells, der Bilder sieht (mmproj), aber das andere Modell vergleicht nur Texte: Lass die erste weg.',
  noGgufAddress:
    'Das ist keine Adresse. Erwartet wird https://…/modell.gguf oder besitzer/repository von Hugging Face.',
  noGgufOfName: (repository, wanted, known) =>
    `${repository} hat keine GGUF-Datei ${wanted}. Vorhanden: ${known.join(', ')}.`,
} satisfies Partial<SentenceTable<EngineSentences>>;

function inGigabytes(bytes: number): string {
  return `${formatNumber(bytes / 1e9, 1)} GB`;
}
