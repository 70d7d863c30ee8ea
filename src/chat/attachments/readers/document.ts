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

/** Thrown by readers. The page has a sentence for each problem. */
export class UnreadableDocument extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}
