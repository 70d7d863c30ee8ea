import type { DocumentCalls } from '../../shared/documents/document-calls.ts';
import type { FileObject } from '../../shared/documents/document-objects.ts';
import { fileNotFound } from './not-found.ts';
import { namesOfIndex, newId } from './ids.ts';
import { uniqueNow } from './unique-now.ts';
import type { FileRecord } from './storage/document-records.ts';
import type { StoredDocuments } from './storage/stored-documents.ts';

/** The files of this device, each of one API key. */
export class Files {
  readonly #stored: StoredDocuments;

  constructor(stored: StoredDocuments) {
    this.#stored = stored;
  }

  async create(given: DocumentCalls['files/create']['parameters']): Promise<FileObject> {
    const { owner, content, filename, purpose, expiresAfter } = given;
    const created = uniqueNow();
    const expires = expiresAfter === null ? null : created + expiresAfter * 1000;
    const file: FileRecord = { id: newId('file-'), owner, created, bytes: content.size, filename, purpose, expires };
    await this.#stored.add(file.id, content, () => this.#stored.records.write([{ table: 'files', put: file }]));
    return fileObject(file);
  }

  /** Lists the files of a key, newest first. */
  async list(owner: string): Promise<FileRecord[]> {
    return (await this.deleteExpired()).filter((file) => file.owner === owner);
  }

  /**
   * Deletes the files of all keys that have expired, also from every vector store.
   * @returns the others, newest first.
   */
  async deleteExpired(): Promise<FileRecord[]> {
    const files = await this.#stored.records.list('files');
    for (const file of files.filter(hasExpired)) await this.#delete(file);
    return files.filter((file) => !hasExpired(file));
  }

  /** @throws ApiError `file_not_found` */
  async find(owner: string, id: string): Promise<FileRecord> {
    const file = await this.#stored.records.get('files', id);
    if (file?.owner === owner && !hasExpired(file)) return file;
    throw fileNotFound(id);
  }

  /** @throws ApiError `file_not_found` */
  async content(owner: string, id: string): Promise<Blob> {
    const file = await this.find(owner, id);
    const content = await (await this.#stored.blobs).read(file.id);
    if (content === null) throw fileNotFound(id);
    return content;
  }

  /**
   * Deletes a file, also from every vector store.
   * @throws ApiError `file_not_found`
   */
  async delete(owner: string, id: string): Promise<void> {
    await this.#delete(await this.find(owner, id));
  }

  async #delete({ id }: FileRecord): Promise<void> {
    const copies = (await this.#stored.records.list('storeFiles')).filter(({ file }) => file === id);
    await this.#stored.remove(
      [id, ...copies.flatMap(namesOfIndex)],
      [{ table: 'files', delete: id }, ...copies.map((copy) => ({ table: 'storeFiles', delete: copy.id }) as const)],
    );
  }
}

function hasExpired({ expires }: FileRecord): boolean {
  return expires !== null && expires <= Date.now();
}

export function fileObject({ id, bytes, created, expires, filename, purpose }: FileRecord): FileObject {
  return {
    id,
    object: 'file',
    bytes,
    created_at: Math.floor(created / 1000),
    ...(expires !== null && { expires_at: Math.floor(expires / 1000) }),
    filename,
    purpose,
    status: 'processed',
  };
}
