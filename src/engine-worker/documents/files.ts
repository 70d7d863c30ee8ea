import { ApiError } from '../../shared/api-error.ts';
import type { DocumentCalls } from '../../shared/documents/document-calls.ts';
import type { FileObject } from '../../shared/documents/document-objects.ts';
import { fileNotFound } from './not-found.ts';
import { newId } from './ids.ts';
import { uniqueNow } from './unique-now.ts';
import { storeFileId, type FileRecord, type RecordStep, type StoreFileRecord } from './storage/document-records.ts';
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
    await this.#stored.add(file.id, content, () => this.#stored.change((step) => step.put('files', file)));
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
    const expired = files.filter(hasExpired).map(({ id }) => id);
    if (expired.length > 0) await this.#stored.change((step) => deleteFiles(step, expired));
    return files.filter((file) => !hasExpired(file));
  }

  /**
   * Finds a file, or deletes it if it has expired.
   * @throws ApiError `file_not_found`
   */
  async find(owner: string, id: string): Promise<FileRecord> {
    const { records } = this.#stored;
    const file = await records.get('files', id);
    if (file !== undefined && hasExpired(file)) await this.deleteExpired();
    return findFile(records, owner, id);
  }

  /** @throws ApiError `file_not_found` */
  async content(owner: string, id: string): Promise<Blob> {
    const file = await this.find(owner, id);
    const content = await this.#stored.blobs.read(file.id);
    if (content?.size === file.bytes) return content;
    const sentence = `The content of the file ${file.id} is no longer whole on this device. Upload it again.`;
    throw new ApiError('file_not_found', sentence, { param: 'file_id' });
  }

  /**
   * Deletes a file, also from every vector store.
   * @throws ApiError `file_not_found`
   */
  async delete(owner: string, id: string): Promise<void> {
    await this.find(owner, id);
    await this.#stored.change(async (step) => {
      await findFile(step, owner, id);
      await deleteFiles(step, [id]);
    });
  }
}

/** @throws ApiError `file_not_found` */
export async function findFile(records: Pick<RecordStep, 'get'>, owner: string, id: string): Promise<FileRecord> {
  const file = await records.get('files', id);
  if (file?.owner === owner && !hasExpired(file)) return file;
  throw fileNotFound(id);
}

/** Deletes files, also from every vector store. */
export async function deleteFiles(step: RecordStep, ids: readonly string[]): Promise<void> {
  const stores = await step.list('stores');
  for (const id of ids) {
    await step.delete('files', id);
    for (const store of stores) await step.delete('storeFiles', storeFileId(store.id, id));
  }
}

/** Deletes the file that an indexed file of a vector store replaces, if it replaces one of its key. */
export async function deleteReplaced(
  step: RecordStep,
  { owner, replaces }: Pick<StoreFileRecord, 'owner' | 'replaces'>,
): Promise<void> {
  const replaced = replaces === undefined ? undefined : await step.get('files', replaces);
  if (replaced?.owner === owner) await deleteFiles(step, [replaced.id]);
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
