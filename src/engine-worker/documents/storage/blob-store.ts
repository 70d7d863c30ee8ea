/** Keeps the contents of files, and the passages and vectors of indexed files, by name. */
export interface BlobStore {
  /** Null: there is none of this name. */
  read(name: string): Promise<Blob | null>;
  /**
   * Stores content in place of that of the same name. If this context ends meanwhile, the former content stays.
   * @throws ApiError `storage_unavailable` if the disk is full or the browser refuses.
   */
  write(name: string, content: Blob): Promise<void>;
  /** An unknown name is no error. */
  delete(name: string): Promise<void>;
  names(): Promise<string[]>;
}
