import type { DocumentProblem } from '../shared/documents/document-reading.ts';

/** Thrown by readers. The page has a sentence for each problem. */
export class UnreadableDocument extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}
