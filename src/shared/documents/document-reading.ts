/** What a reader may leave out of a file, because it is not text or because a person does not see it. */
export type LeftOutKind =
  | 'image'
  | 'chart'
  | 'diagram'
  | 'object'
  | 'audio'
  | 'video'
  | 'attachment'
  | 'formula'
  | 'hidden'
  | 'pageWithoutText'
  | 'brokenPart'
  | 'script'
  | 'time'
  | 'overwritten';

/** How many parts of one kind a reader left out. */
export interface LeftOut {
  readonly kind: LeftOutKind;
  readonly count: number;
}

/** The text of a file as a person sees it. */
export interface DocumentText {
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
  /** Whether the text was longer than the limit of the reader. */
  readonly isCut: boolean;
}

/** Why a document has no text for a model. */
export type DocumentProblem =
  /** It is not what its first bytes say, or ends too early. */
  | 'damaged'
  /** It needs a password. */
  | 'locked'
  /** It has more bytes than are read as a whole. */
  | 'tooLarge'
  /** It unpacks to too much, or is nested too deeply. */
  | 'tooComplex'
  /** An Office file in the binary format from before 2007, or an encrypted one, which looks the same from outside. */
  | 'oldOffice'
  /** An archive of other files. */
  | 'archive'
  /** A document in a format without a reader. */
  | 'unknownFormat'
  /** It is neither text nor a document. */
  | 'notText'
  /** It can be read, but has no text. */
  | 'noText'
  /** A PDF that can be read, but has no text: its pages may be pictures. */
  | 'onlyPictures'
  /** The characters of a PDF are listed in a file of the site that could not be loaded. */
  | 'withoutCmap'
  /** Reading it took too long. */
  | 'tooSlow';

/** What is known about a file and its user. */
export interface ReadingOptions {
  readonly name: string;
  /** Maximum characters of the text. */
  readonly most: number;
  /** Maximum bytes of a file that has to be read as a whole. */
  readonly largest: number;
  /** Languages of the browser. */
  readonly languages: readonly string[];
  /** The encoding that the user has chosen. Default: the most plausible one. */
  readonly encoding?: string;
  /** Milliseconds after which no further page of a PDF is read. */
  readonly pageTime: number;
  /** Whether a form feed stands after each page of a PDF and each slide, also empty ones. Default: an empty line. */
  readonly marksPages?: boolean;
}

/** An encoding in which a text may be stored, with a part of the text decoded in it. */
export interface OfferedEncoding {
  readonly encoding: string;
  readonly preview: string;
}

/** The text of a file. `offered` lists the plausible encodings, the chosen one first, if none is certain. */
export interface ReadDocument extends DocumentText {
  readonly offered?: readonly OfferedEncoding[];
}

/** Folder of the files that read documents, relative to the site's root. */
export const DOCUMENT_READER_FOLDER = 'tabserve-document-reader/';

/** Script of the worker of `src/document-reader`, in that folder. */
export const DOCUMENT_WORKER = 'document-worker.js';

/** Folder of the CMaps of PDFs, in that folder. */
export const CMAPS_FOLDER = 'pdf-cmaps/';

/**
 * What the worker receives: from the page that uses it itself, or over the port of the engine, for which the page has
 * started it. A page or engine of an earlier build may start the worker of a later one, as the files keep their names. So
 * fields of these messages may be added, but not change.
 */
export interface DocumentRequest extends ReadingOptions {
  readonly file: Blob;
}

/** What the worker replies to a {@link DocumentRequest}. */
export type DocumentResponse =
  | { readonly type: 'read'; readonly document: ReadDocument }
  | { readonly type: 'problem'; readonly problem: DocumentProblem }
  /** The browser may not read the file. */
  | { readonly type: 'unreadable' }
  /** The reader of PDFs could not be loaded. */
  | { readonly type: 'notLoaded' };

/** The first message of the worker: its script has been loaded. */
export interface DocumentWorkerLoaded {
  readonly type: 'loaded';
}
