/** What is known about a model before anything of it has been fetched: where its package lies. */
export interface ModelSource {
  readonly id: string;
  /** Base address of the package, with a trailing slash. */
  readonly modelUrl: string;
  /** Address of the model library (`.wasm`). */
  readonly libraryUrl: string;
  /** Name of the package's manifest, for the few models that WebLLM loads through one. */
  readonly manifest: string | null;
  /** Context window to run with, where it differs from the one in the package; tokens. */
  readonly contextWindow: number | null;
  readonly images: boolean;
  /** For a model that is known to compute embeddings. Default: its configuration says so, or it writes. */
  readonly embedding?: true;
}

const MODEL_ORIGINS = ['built-in', 'catalogue', 'custom'] as const;
export type ModelOrigin = (typeof MODEL_ORIGINS)[number];

const FIT_VERDICTS = ['yes', 'doubtful', 'no'] as const;

/** Whether this device can run a model, and the sentences that say why not or why it may not. */
export interface DeviceFit {
  readonly verdict: (typeof FIT_VERDICTS)[number];
  readonly reasons: readonly string[];
}

const DOWNLOAD_FAILURE_CAUSES = [
  /** No answer, or the connection broke: also what a blocked address looks like. */
  'network',
  /** The server answered with an error. */
  'http',
  /** The device has no room left for this site. */
  'quota',
  /** The browser refused to store a file for a reason it does not tell. */
  'storage',
  /** More or fewer bytes came than the package announces. */
  'size',
  /** The bytes differ from the checksum in the package. */
  'integrity',
  /** The file is not what its name says, such as a sign-in page instead of a model. */
  'content',
  /** A defect of ours; the browser console has the details. */
  'internal',
] as const;

export interface DownloadFailure {
  /** Name of the file within the package; null where the download as a whole is to blame. */
  readonly file: string | null;
  readonly cause: (typeof DOWNLOAD_FAILURE_CAUSES)[number];
  /** What happened, as a sentence. */
  readonly message: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
}

export interface FileProgress {
  readonly file: string;
  readonly receivedBytes: number;
  /** Null until the package or the server has told. */
  readonly totalBytes: number | null;
  readonly state: 'waiting' | 'downloading' | 'retrying' | 'done';
  /** False once the server has ignored a request for the rest of the file: a break starts it anew. */
  readonly resumable: boolean;
}

const DOWNLOAD_PHASES = ['preparing', 'downloading', 'paused', 'failed'] as const;

export interface DownloadProgress {
  readonly id: string;
  readonly phase: (typeof DOWNLOAD_PHASES)[number];
  /** Empty until the package's own list of files has been read. */
  readonly files: readonly FileProgress[];
  readonly receivedBytes: number;
  /** Sum of the sizes known so far; null before the list of files has been read. */
  readonly totalBytes: number | null;
  /** Average of the last seconds; 0 while nothing comes in. */
  readonly bytesPerSecond: number;
  readonly secondsLeft: number | null;
  /** Why it failed, or what the retry under way is about. */
  readonly failure: DownloadFailure | null;
}

export type ModelState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'download'; readonly progress: DownloadProgress }
  /** `missing` names files that are gone, evicted by the browser for instance; empty when all is well. */
  | { readonly kind: 'present'; readonly bytes: number; readonly missing: readonly string[] };

/** One row of the model manager. */
export interface ModelListing {
  readonly id: string;
  readonly origin: ModelOrigin;
  readonly family: string;
  /** Number of parameters, as far as the name tells. */
  readonly parameters: number | null;
  /** How the weights are stored, such as `q4f16_1`. */
  readonly quantization: string | null;
  readonly licence: string | null;
  /** A page about the model for people. */
  readonly page: string | null;
  /** What it occupies on the GPU, weights and cache, as the catalogue says. */
  readonly memoryBytes: number | null;
  /** From the package's list of files or, until that has been read, as the catalogue was shipped; null where nobody knows. */
  readonly downloadBytes: number | null;
  /** Whether {@link downloadBytes} is estimated from what is known of the model. */
  readonly downloadIsEstimated: boolean;
  /** Tokens. */
  readonly contextWindow: number | null;
  readonly images: boolean;
  readonly thinking: boolean;
  /** Whether it computes embeddings and writes nothing. */
  readonly embedding: boolean;
  readonly fit: DeviceFit;
  readonly state: ModelState;
}

export interface StorageReport {
  /** Bytes of model files in the caches, finished and unfinished. */
  readonly modelBytes: number;
  /** Bytes of everything this site stores, as the browser estimates. */
  readonly usedBytes: number;
  /** Most that the browser says it would store; browsers round this, and some exaggerate. */
  readonly quotaBytes: number;
}

export interface CustomModel {
  readonly id: string;
  readonly modelUrl: string;
  readonly libraryUrl: string;
}

/** Name of the BroadcastChannel on which the engine worker tells every page about models. */
export const MODEL_EVENTS_CHANNEL = 'tabserve/models';

export type ModelEvent =
  | { readonly type: 'progress'; readonly progress: DownloadProgress }
  /** Models came, went or changed their state: ask for the list again. */
  | { readonly type: 'changed' };

/** A download that has begun and not ended, as it outlives the worker. */
export interface StoredDownload {
  readonly id: string;
  readonly source: ModelSource;
  /** Null until the package's list of files has been read. */
  readonly totalBytes: number | null;
  /** Bytes on the device when it last stopped. */
  readonly receivedBytes: number;
  readonly failure: DownloadFailure | null;
}
