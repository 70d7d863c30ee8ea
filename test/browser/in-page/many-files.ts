const HEADERS = { authorization: 'Bearer local' };

/** Requests that are sent at once. */
const AT_ONCE = 4;

/** The most files that the endpoint adds in one request. */
const MOST = 2000;

async function ask<Result>(method: string, path: string, body?: object): Promise<Result> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { ...HEADERS, 'content-type': 'application/json' };
  const response = await fetch(`/v1/${path}`, { method, headers, ...json });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json() as Promise<Result>;
}

async function upload(name: string, text: string): Promise<string> {
  const body = new FormData();
  body.set('purpose', 'assistants');
  body.set('file', new File([text], name));
  const response = await fetch('/v1/files', { method: 'POST', headers: HEADERS, body });
  return ((await response.json()) as { readonly id: string }).id;
}

/** Uploads texts into a new vector store, and waits until all are indexed. @returns its id. */
export async function fill(texts: readonly string[]): Promise<string> {
  const ids: string[] = [];
  const waiting = [...texts.entries()];
  const uploadAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      ids.push(await upload(`${next[0]}.txt`, next[1]));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, uploadAll));
  const { id } = await ask<{ readonly id: string }>('POST', 'vector_stores', {});
  while (ids.length > 0) await ask('POST', `vector_stores/${id}/file_batches`, { file_ids: ids.splice(0, MOST) });
  for (;;) {
    const store = await ask<{ status: string; file_counts: { completed: number } }>('GET', `vector_stores/${id}`);
    if (store.status !== 'in_progress') break;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return id;
}

/** Deletes a vector store. @returns the milliseconds until the headers of the response. */
export async function deleteStore(id: string): Promise<number> {
  const start = performance.now();
  const { ok } = await fetch(`/v1/vector_stores/${id}`, { method: 'DELETE', headers: HEADERS });
  if (!ok) throw new Error('It is not deleted.');
  return performance.now() - start;
}

/** Returns the milliseconds until a small request of another kind is answered. */
export async function listFiles(): Promise<number> {
  const start = performance.now();
  await ask('GET', 'files?limit=1');
  return performance.now() - start;
}

/** Searches a vector store. @returns the milliseconds until the response. */
export async function search(id: string, query: string): Promise<number> {
  const start = performance.now();
  const { data } = await ask<{ readonly data: readonly unknown[] }>('POST', `vector_stores/${id}/search`, { query });
  if (data.length === 0) throw new Error('Nothing was found.');
  return performance.now() - start;
}

/** Counts the files that the engine has stored, of which each vector store's file is one, without bundles of several. */
export async function countStored(): Promise<number> {
  return (await storedNames()).filter((name) => !isBundle(name)).length;
}

/** Counts the bundles of vector stores' files. */
export async function countBundles(): Promise<number> {
  return (await storedNames()).filter(isBundle).length;
}

async function storedNames(): Promise<readonly string[]> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('tabserve-documents');
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names;
}

function isBundle(name: string): boolean {
  return name.includes(' bundle ');
}
