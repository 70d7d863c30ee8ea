import type { CodedSentence } from '../coded-sentence.ts';
import type { GgufFacts, WindowLimits } from './model-facts.ts';

/** A GGUF model that the user has chosen, of which only the header has been read. */
export interface GgufOffer {
  /** The id that `models/download` takes. */
  readonly id: string;
  readonly facts: GgufFacts;
  /** Context window in tokens that the model would get on this device. */
  readonly contextWindow: number;
  /** Memory that the model needs with that window; null if unknown. */
  readonly memoryBytes: number | null;
  readonly fit: DeviceFit;
  /** Whether the model is on this device, or being downloaded. */
  readonly state: ModelState['kind'];
}

/** What is known about a model before its download: mainly the location of its package. */
export interface ModelSource {
  readonly id: string;
  /** `gguf` for a model that llama.cpp runs. Default: a package for WebLLM. */
  readonly format?: 'gguf';
  /** Base address of the package, with a trailing slash; for a GGUF model, the address of its file. */
  readonly modelUrl: string;
  /** Address of the model library (`.wasm`); empty for a GGUF model. */
  readonly libraryUrl: string;
  /** Name of the package's manifest, for the few models that WebLLM loads through one; null for the others. */
  readonly manifest: string | null;
  /** Context window in tokens, which overrides the package's own; null means the package's own. */
  readonly contextWindow: number | null;
  readonly images: boolean;
  /** Address of the file with a GGUF model's image encoder. Default: the model takes no images. */
  readonly mmproj?: string;
  /** What the header of a GGUF model's file says. Default: unknown. */
  readonly gguf?: GgufFacts;
  /** Set for an embedding model. Default: the package's configuration decides. */
  readonly embedding?: true;
  /** Set if a site says that the GGUF model's file has no chat template. */
  readonly chatTemplate?: false;
}

const MODEL_ORIGINS = ['built-in', 'catalogue', 'custom'] as const;
export type ModelOrigin = (typeof MODEL_ORIGINS)[number];

const MODEL_STRENGTHS = [
  /** Writes fluently and knows little. */
  'fluent',
  /** Short texts and simple questions. */
  'short',
  /** Questions that need a few steps; the model thinks before it answers. */
  'thinks',
  /** Summaries and everyday questions. */
  'texts',
  /** Explanations and longer texts. */
  'writes',
  /** Hard questions, mathematics and code. */
  'reasons',
] as const;
/** What a model is suited for. */
export type ModelStrength = (typeof MODEL_STRENGTHS)[number];

const FIT_VERDICTS = ['yes', 'doubtful', 'no'] as const;

/** Whether this device can run a model; `reasons` are sentences. */
export interface DeviceFit {
  readonly verdict: (typeof FIT_VERDICTS)[number];
  readonly reasons: readonly string[];
  /** The reasons, for a page of another language. Default: they have no codes. */
  readonly sentences?: readonly CodedSentence[];
}

const DOWNLOAD_FAILURE_CAUSES = [
  /** No response, or the connection broke; also if CORS or the Content-Security-Policy blocked the request. */
  'network',
  /** The server responded with an error. */
  'http',
  /** The site's storage quota is exhausted. */
  'quota',
  /** The browser did not store a file, without giving a reason. */
  'storage',
  /** The size differs from the one in the package. */
  'size',
  /** The checksum differs from the one in the package. */
  'integrity',
  /** The content does not match the file's name, such as a sign-in page instead of a model. */
  'content',
  /** A file that the user chose was moved or changed, or the browser was closed in the meantime. */
  'unreadable',
  /** A defect in Tabserve; the browser console has the details. */
  'internal',
] as const;

export interface DownloadFailure {
  /** Name of the file within the package; null if the failure concerns the whole download. */
  readonly file: string | null;
  readonly cause: (typeof DOWNLOAD_FAILURE_CAUSES)[number];
  /** What happened, as a sentence. */
  readonly message: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
  /** Message and remedy, for a page of another language. Absent in a failure that an earlier build has stored. */
  readonly sentences?: readonly [message: CodedSentence, remedy: CodedSentence];
}

export interface FileProgress {
  readonly file: string;
  readonly receivedBytes: number;
  /** Size of the file; null until known. */
  readonly totalBytes: number | null;
  readonly state: 'waiting' | 'downloading' | 'retrying' | 'done';
  /**
   * False after the server has ignored a range request: an interrupted download then starts from the beginning of the
   * file.
   */
  readonly resumable: boolean;
}

const DOWNLOAD_PHASES = ['preparing', 'downloading', 'paused', 'failed'] as const;

export interface DownloadProgress {
  readonly id: string;
  readonly phase: (typeof DOWNLOAD_PHASES)[number];
  /** Progress of each file; empty until the package's list of files has been read. */
  readonly files: readonly FileProgress[];
  readonly receivedBytes: number;
  /** Sum of the sizes known so far; null before the list of files has been read. */
  readonly totalBytes: number | null;
  /** Download speed, averaged over the last seconds. */
  readonly bytesPerSecond: number;
  readonly secondsLeft: number | null;
  /** Why the download failed, or why a retry is in progress; null if neither applies. */
  readonly failure: DownloadFailure | null;
}

export type ModelState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'download'; readonly progress: DownloadProgress }
  /** `missing` names lost files, for instance those that the browser evicted. */
  | {
      readonly kind: 'present';
      readonly bytes: number;
      readonly missing: readonly string[];
      /** Hexadecimal SHA-256 of the file of a GGUF model. Default: unknown. */
      readonly sha256?: string;
    };

/** A model of the catalogue, or on this device. */
export interface ModelListing {
  readonly id: string;
  readonly origin: ModelOrigin;
  /** `gguf` for a model that llama.cpp runs. Default: WebLLM runs the model. */
  readonly format?: 'gguf';
  /** Default: not known. */
  readonly goodFor?: ModelStrength;
  readonly family: string;
  /** Number of parameters, from the file or from the model's name; null if neither states it. */
  readonly parameters: number | null;
  /** Format of the weights, such as `q4f16_1`; null if unknown. */
  readonly quantization: string | null;
  readonly licence: string | null;
  /** Address of a page about the model; null if there is none. */
  readonly page: string | null;
  /**
   * Memory for weights and KV cache, from the catalogue or the GGUF file; for other models only that of the weights.
   * Null if unknown.
   */
  readonly memoryBytes: number | null;
  /**
   * Download size from the package's list of files or, before the list has been read, from the catalogue; null if
   * unknown.
   */
  readonly downloadBytes: number | null;
  readonly downloadIsEstimated: boolean;
  /** Size of the context window in tokens; null if unknown. */
  readonly contextWindow: number | null;
  /**
   * Limit of the context window on this device, and the bytes of memory per token, of all requests that are answered at
   * once. Default: the window is fixed.
   */
  readonly windowLimits?: Pick<WindowLimits, 'most' | 'bytesPerToken'>;
  /** What the user can set beside the context window. Absent for a model that the user has not downloaded. */
  readonly settings?: {
    /** How many requests are answered at once, and the limit on this device. */
    readonly parallel: number;
    readonly mostParallel: number;
    /** Bytes of memory that each further request at once takes; null if unknown. */
    readonly bytesPerRequest: number | null;
    /** Seconds that the model stays loaded after its last request; negative: without limit. */
    readonly keepAlive: number;
  };
  /** Set if the model's library uses GPU subgroups. */
  readonly subgroups?: true;
  readonly images: boolean;
  readonly thinking: boolean;
  /** Whether it is an embedding or reranking model. */
  readonly embedding: boolean;
  /** Set for a reranking model. */
  readonly ranks?: true;
  /** Set for a model that only continues texts, because its file has no chat template. */
  readonly continues?: true;
  readonly fit: DeviceFit;
  readonly state: ModelState;
  /**
   * Bytes of files of the site's own model that are not in use: an interrupted load has left them, or the site does not have
   * the model there any more. They can be deleted with the model. Absent: none.
   */
  readonly leftBytes?: number;
}

export interface StorageReport {
  /** Bytes of model files, complete and partial. */
  readonly modelBytes: number;
  /** The browser's estimate of everything that this site stores; bytes. */
  readonly usedBytes: number;
  /** The browser's quota for this site; bytes. Browsers round it. Infinity if the browser hides it, as Chromium does. */
  readonly quotaBytes: number;
}

/** A model on this device and its files, which the browser reads from its disk when they are needed. */
export interface ModelFiles {
  /**
   * `gguf` for llama.cpp, `package` for WebLLM, `browser` for the browser's own model, whose files no page can read.
   */
  readonly format: 'gguf' | 'package' | 'browser';
  readonly modelUrl: string;
  /** Empty unless WebLLM runs the model. */
  readonly libraryUrl: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly images: boolean;
  /**
   * The file of a GGUF model, or all its parts in order, and last its image encoder; for `package`, the files of the
   * package.
   */
  readonly files: readonly Blob[];
}

export interface CustomModel {
  readonly id: string;
  readonly modelUrl: string;
  readonly libraryUrl: string;
}

/** Name of the BroadcastChannel on which the engine worker sends a {@link ModelEvent} to every page. */
export const MODEL_EVENTS_CHANNEL = 'tabserve/models';

export type ModelEvent =
  | { readonly type: 'progress'; readonly progress: DownloadProgress }
  /** The list of models or their states have changed. */
  | { readonly type: 'changed' };

/** An unfinished download, stored so that a later worker can resume it. */
export interface StoredDownload {
  readonly id: string;
  readonly source: ModelSource;
  /** Size of the download; null until the package's list of files has been read. */
  readonly totalBytes: number | null;
  /** Bytes that were on the device when the progress was last saved. */
  readonly receivedBytes: number;
  readonly failure: DownloadFailure | null;
}
