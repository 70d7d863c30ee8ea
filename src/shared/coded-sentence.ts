/** Why a model cannot, or may not, run on the graphics processor. */
interface DeviceSentences {
  noGraphicsDevice: [];
  smallBuffers: [];
  smallBindings: [];
  smallWorkgroups: [];
  fewBuffers: [];
  halfPrecisionMissing: [];
  featureMissing: [feature: string];
  halfPrecisionLikely: [];
  shortBinding: [neededBytes: number, grantedBytes: number];
  tightGraphicsMemory: [neededBytes: number, deviceBytes: number];
}

/** Steps of a load, and why it failed. A share is the progress of the step, 0…1. */
interface LoadingSentences {
  loadStarting: [];
  lookingForFiles: [];
  downloadingModel: [receivedBytes: number, totalBytes: number];
  checkingFile: [share: number];
  loadingWeights: [share: number];
  preparingShaders: [share: number];
  checkingPromptCache: [step: number, steps: number];
  openingBrowserModel: [share: number];
  readingIntoMemory: [];
  modelReady: [];
  webGpuMissing: [model: string];
  deviceFeatureMissing: [model: string];
  deviceLostWhileLoading: [model: string];
  webAssemblyForbidden: [];
  libraryNotStarted: [model: string];
  filesDoNotFit: [model: string];
  webLlmUnreachable: [];
}

/** Why llama.cpp, or the browser's own model, does not run in a page. A complaint is the program's own message. */
interface PageTaskSentences {
  llamaCppWithoutPage: [];
  llamaCppNotStarted: [script: string, complaint: string];
  llamaCppSilent: [script: string, seconds: number];
  llamaCppStuck: [seconds: number];
  llamaCppRefused: [complaint: string];
  llamaCppRefusedEncoder: [complaint: string];
  llamaCppStopped: [complaint: string];
  llamaCppLost: [];
  encoderOfOtherModel: [];
  browserModelWithoutPage: [];
  browserModelSilent: [seconds: number];
  browserModelFailed: [complaint: string];
  browserModelLost: [];
  browserModelNotOpened: [complaint: string];
}

/** What a file is that should be a GGUF file. A pointer is a small file that stands for one in another store. */
export type OtherFileKind =
  | 'empty'
  | 'zeros'
  | 'html'
  | 'xml'
  | 'json'
  | 'safetensors'
  | 'pickle'
  | 'ggml'
  | 'bigEndian'
  | 'lfsPointer'
  | 'annexPointer'
  | 'webAssembly'
  | 'gzip'
  | 'zstd'
  | 'xz'
  | 'bzip2'
  | 'zip'
  | '7z'
  | 'tar';

/** What is wrong with a GGUF file, or with the choice of files; and why its model may not run here. */
interface GgufSentences {
  notGguf: [];
  notGgufBut: [kind: OtherFileKind];
  ggufVersion: [version: number];
  ggufTruncated: [];
  ggufEndsEarly: [missingBytes: number];
  ggufHeaderTooLong: [];
  ggufTooManyItems: [count: number, most: number];
  ggufNestedArrays: [];
  ggufValueType: [type: number];
  ggufWithoutArchitecture: [];
  ggufPartsMissing: [parts: number];
  isEmbeddingModel: [model: string, facts: string];
  isChatModel: [model: string];
  isEncoderOfSite: [model: string];
  encoderSeesNothing: [];
  openAddressOfDeleted: [address: string];
  isEncoder: [];
  memoryBeyondWasm: [bytes: number, most: number];
  tightMainMemory: [bytes: number, deviceBytes: number];
  chatTemplateMissing: [];
  chosenPartsMissing: [parts: number, missing: readonly string[]];
  severalModels: [];
  encoderHears: [];
  encoderOfEmbeddingModel: [];
  noGgufAddress: [];
  noGgufOfName: [repository: string, wanted: string, known: readonly string[]];
}

/** Why a download failed, and what to do about it. */
interface DownloadSentences {
  connectionFailed: [host: string, file: string];
  siteIsStrict: [host: string];
  policyBlocks: [file: string, url: string];
  policyBlocksRedirect: [host: string, file: string];
  serverSilent: [host: string, file: string];
  serverAnswered: [host: string, status: number, file: string];
  noRoomForFile: [file: string];
  noRoomForModel: [neededBytes: number, freeBytes: number];
  fileTooLong: [file: string, announcedBytes: number, receivedBytes: number];
  fileTooShort: [file: string, receivedBytes: number, announcedBytes: number];
  wrongChecksum: [file: string, received: string, announced: string];
  fileUnreadable: [file: string];
  fileNotStored: [file: string];
  wrongContent: [file: string, expected: string];
  fileReplaced: [file: string];
  fileOutsidePackage: [file: string, address: string];
  downloadsInOtherTab: [];
  internalFault: [];
  fileDamaged: [file: string];

  takeModelOfSite: [];
  checkNetwork: [];
  checkNetworkKept: [];
  checkNetworkAndPolicy: [host: string];
  addOrigin: [directive: string];
  addOriginOfRedirect: [url: string, directive: string];
  checkAddress: [url: string];
  copyFilesTo: [url: string];
  packageNotPublic: [];
  serverAsksForPause: [];
  serverHasTrouble: [];
  freeSpaceKept: [];
  freeSpaceOrSmaller: [];
  freeDiskSpace: [];
  downloadAfresh: [];
  chooseFileAgain: [];
  openAddress: [url: string];
  correctList: [url: string];
  reloadAllTabs: [];
  seeConsole: [];
  loadAgainAfterDeletion: [];
}

/** The sentences of the engine that a page may show: for each code, the values in the sentence. */
export interface EngineSentences
  extends DeviceSentences, LoadingSentences, PageTaskSentences, GgufSentences, DownloadSentences {}

/**
 * All sentences that a page may show in its own language. Contexts of different builds can meet, so a code never gets
 * other values: a sentence with other values needs a new code.
 */
export interface Sentences extends EngineSentences {
  cacheStorageSilent: [];
}

type SentenceCode = keyof Sentences;

/** A sentence without its words, as plain data. */
export type CodedSentence = {
  readonly [Code in SentenceCode]: { readonly code: Code; readonly values: Readonly<Sentences[Code]> };
}[SentenceCode];

/** An English text, and the sentences that it consists of, in order. */
export interface CodedText {
  readonly text: string;
  readonly sentences: readonly CodedSentence[];
}

/** The words of sentences in one language. A code without words does not compile. */
export type SentenceTable<Codes> = {
  readonly [Code in keyof Codes]: Codes[Code] extends readonly []
    ? string
    : Codes[Code] extends readonly unknown[]
      ? (...values: Codes[Code]) => string
      : never;
};

/** Returns a sentence in the words of a table; undefined for a code of another build, which the table lacks. */
export function wordsOf(sentence: CodedSentence, table: Partial<SentenceTable<Sentences>>): string | undefined {
  if (!Object.hasOwn(table, sentence.code)) return undefined;
  const words = table[sentence.code] as string | ((...values: readonly unknown[]) => string);
  return typeof words === 'string' ? words : words(...sentence.values);
}
