import { beServed } from './be-served.ts';

/** A request about files or vector stores. */
export interface DocumentRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. Null: no body. */
  readonly body: object | null;
  /** A file that is sent as a form, in place of `body`. Null: none. */
  readonly upload: { readonly name: string; readonly text: string } | null;
  /** Milliseconds after which the page aborts the request. */
  readonly abortAfter: number;
}

/** A response that was read to its end. */
export interface DocumentReply {
  readonly status: number;
  readonly text: string;
}

/** Sends a request. Null: no whole response arrived, so that nobody knows whether it was carried out. */
export async function sendDocuments(origin: string, request: DocumentRequest): Promise<DocumentReply | null> {
  await beServed(origin);
  if (location.origin !== origin) return null;
  const { method, path, body, upload, abortAfter } = request;
  const headers = { authorization: 'Bearer local', ...(body && { 'content-type': 'application/json' }) };
  try {
    const signal = AbortSignal.timeout(abortAfter);
    const response = await fetch(`/v1${path}`, {
      method,
      headers,
      body: formOf(upload) ?? (body && JSON.stringify(body)),
      signal,
    });
    const text = await response.text();
    // Without its service worker the page gets a response of the web server.
    return response.headers.has('x-request-id') ? { status: response.status, text } : null;
  } catch {
    return null;
  }
}

function formOf(upload: DocumentRequest['upload']): FormData | null {
  if (upload === null) return null;
  const form = new FormData();
  form.set('purpose', 'assistants');
  form.set('file', new File([upload.text], upload.name));
  return form;
}

/** What the origin has stored. */
export interface StoredDocuments {
  /** Names of the blobs in the origin private file system. */
  readonly blobs: readonly string[];
  /** Where each of the words is found in blobs, databases and caches. */
  readonly found: readonly string[];
}

/** Looks through everything that this origin has stored. Null: the page is of another origin. */
export async function readStored(origin: string, words: readonly string[]): Promise<StoredDocuments | null> {
  if (location.origin !== origin) return null;
  const found: string[] = [];
  const look = (place: string, text: string) => {
    for (const word of words) if (text.includes(word)) found.push(`${word} in ${place}`);
  };
  const blobs: string[] = [];
  const root = await navigator.storage.getDirectory();
  for await (const [folder, handle] of root.entries()) {
    if (handle.kind !== 'directory') continue;
    for await (const [name, entry] of (handle as FileSystemDirectoryHandle).entries()) {
      if (folder === 'tabserve-documents') blobs.push(name);
      if (entry.kind === 'file')
        look(`${folder}/${name}`, await (await (entry as FileSystemFileHandle).getFile()).text());
    }
  }
  for (const { name } of await indexedDB.databases()) if (name !== undefined) await lookInDatabase(name, look);
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      const isText = /json|text/.test(response?.headers.get('content-type') ?? '');
      if (isText) look(`cache ${name}, ${request.url}`, (await response?.text()) ?? '');
    }
  }
  return { blobs, found };
}

async function lookInDatabase(name: string, look: (place: string, text: string) => void): Promise<void> {
  const database = await settled(indexedDB.open(name));
  try {
    for (const table of database.objectStoreNames) {
      const records: unknown[] = await settled(database.transaction(table).objectStore(table).getAll());
      for (const record of records) {
        look(
          `database ${name}, ${table}`,
          record instanceof Blob ? await record.text() : (JSON.stringify(record) ?? ''),
        );
      }
    }
  } finally {
    database.close();
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('No reason.')));
  });
}
