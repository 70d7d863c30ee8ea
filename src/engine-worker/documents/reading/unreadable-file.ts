import type { IndexingError } from '../../../shared/documents/document-objects.ts';

/** Why the text of a file cannot be read. Its message says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile' as const;
  readonly code: IndexingError['code'];

  constructor(code: UnreadableFile['code'], message: string) {
    super(message);
    this.code = code;
  }
}
