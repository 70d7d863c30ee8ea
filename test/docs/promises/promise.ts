/** A sentence that promises something, and the tests that fail if it becomes false. */
interface PrivacyPromise {
  /** The sentence without markup; `…` for each inserted value. */
  readonly says: string;
  /** On what it depends. */
  readonly when: string;
  readonly tests: readonly BoundTest[];
}

export interface BoundTest {
  readonly file: string;
  /** The title, or a part of it that is in the file. */
  readonly title: string;
}

/** Promises by the file that contains the sentences. */
export type PromiseTable = Readonly<Record<string, readonly PrivacyPromise[]>>;
