import OpenAI6 from 'openai';
import OpenAI from 'openai7';

// The two versions differ only in private members, so one type fits both.
const CLIENTS = { 'openai 7': OpenAI, 'openai 6': OpenAI6 as unknown as typeof OpenAI } as const;
export type ClientName = keyof typeof CLIENTS;

const connect = (name: ClientName) =>
  new CLIENTS[name]({ apiKey: 'local', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true });

const toFiles = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, text]) => new File([text], name, { type: 'text/plain' }));

export interface Found {
  readonly filename: string;
  readonly text: string;
  readonly score: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>> | null;
}

/** Uploads texts into a new vector store by the client's helper, and waits until they are indexed. */
export async function fillStore(
  name: ClientName,
  texts: Readonly<Record<string, string>>,
): Promise<{ readonly store: string; readonly status: string; readonly completed: number; readonly model: unknown }> {
  const client = connect(name);
  const store = await client.vectorStores.create({ name: 'Notes' });
  const batch = await client.vectorStores.fileBatches.uploadAndPoll(store.id, { files: toFiles(texts) });
  const { status } = await client.vectorStores.retrieve(store.id);
  const model = 'embedding_model' in store ? store.embedding_model : null;
  return { store: store.id, status, completed: batch.file_counts.completed, model };
}

/** Uploads files, as base64, into a new vector store, and does not wait until they are indexed. */
export async function beginStoreOfFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const client = connect('openai 7');
  const store = await client.vectorStores.create({});
  for (const [name, content] of Object.entries(files)) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    await client.vectorStores.files.upload(store.id, new File([bytes], name));
  }
  return store.id;
}

/** Lists the files of a store by name: `completed`, or why a file was not indexed. */
export async function outcomes(store: string): Promise<Readonly<Record<string, string>>> {
  const client = connect('openai 7');
  const found: Record<string, string> = {};
  for await (const { id, status, last_error } of client.vectorStores.files.list(store)) {
    const { filename } = await client.files.retrieve(id);
    found[filename] = last_error === null ? status : `${last_error.code}: ${last_error.message}`;
  }
  return found;
}

/**
 * Begins to index a text in a new vector store, and does not wait for it.
 * @param size Most tokens of a passage. Default: as the endpoint thinks best.
 */
export async function beginStore(
  text: string,
  size: number | null = null,
): Promise<{ readonly store: string; readonly status: string }> {
  const client = connect('openai 7');
  const file = await client.files.create({ file: new File([text], 'long.txt'), purpose: 'assistants' });
  const store = await client.vectorStores.create({
    file_ids: [file.id],
    ...(size !== null && {
      chunking_strategy: { type: 'static', static: { max_chunk_size_tokens: size, chunk_overlap_tokens: 0 } },
    }),
  });
  return { store: store.id, status: store.status };
}

export async function stateOf(store: string): Promise<string> {
  return (await connect('openai 7').vectorStores.retrieve(store)).status;
}

/** Asks for an answer of a few tokens. @returns why it ended. */
export async function answerBriefly(): Promise<string | undefined> {
  const messages = [{ role: 'user' as const, content: 'Tell a story.' }];
  const answer = await connect('openai 7').chat.completions.create({ model: 'pocket', max_tokens: 4, messages });
  return answer.choices[0]?.finish_reason;
}

/** Waits until a vector store is indexed. */
export async function awaitStore(store: string): Promise<{ readonly completed: number }> {
  for (;;) {
    const { status, file_counts } = await connect('openai 7').vectorStores.retrieve(store);
    if (status !== 'in_progress') return { completed: file_counts.completed };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export async function search(name: ClientName, store: string, query: string): Promise<Found[]> {
  const found: Found[] = [];
  for await (const result of connect(name).vectorStores.search(store, { query })) {
    const text = result.content.map((part) => part.text).join('');
    found.push({ filename: result.filename, text, score: result.score, attributes: result.attributes });
  }
  return found;
}

export interface Asked {
  readonly text: string;
  /** The type of each item of the output. */
  readonly items: readonly string[];
  readonly results: readonly { readonly filename?: string; readonly text?: string }[];
  /** The part of the text to which each annotation points, and the name of the file. */
  readonly citations: readonly { readonly mark: string; readonly filename: string }[];
  /** The types of the events, each once. Empty without a stream. */
  readonly events: readonly string[];
}

/** Asks a model about the files of a store. */
export async function ask(
  name: ClientName,
  store: string,
  input: string,
  { stream = false, model = 'pocket' } = {},
): Promise<Asked> {
  const client = connect(name);
  const request = {
    model,
    input,
    temperature: 0,
    max_output_tokens: 64,
    tools: [{ type: 'file_search' as const, vector_store_ids: [store], max_num_results: 3 }],
    include: ['file_search_call.results' as const],
  };
  const events: string[] = [];
  let response: OpenAI.Responses.Response;
  if (stream) {
    const streamed = client.responses.stream(request);
    for await (const { type } of streamed) events.push(type);
    response = await streamed.finalResponse();
  } else response = await client.responses.create(request);
  const call = response.output.find((item) => item.type === 'file_search_call');
  const parts = response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const citations = parts.flatMap((part) =>
    part.type !== 'output_text'
      ? []
      : part.annotations.flatMap((note) =>
          note.type === 'file_citation'
            ? [{ mark: part.text.slice(note.index).split(/(?<=[\]】])/)[0]!, filename: note.filename }]
            : [],
        ),
  );
  return {
    text: response.output_text,
    items: response.output.map(({ type }) => type),
    results: call?.results ?? [],
    citations,
    events: [...new Set(events)],
  };
}

/** Deletes a store and all files, and returns what is left of them: ids that the API lists, and names of stored blobs. */
export async function deleteAll(name: ClientName, store: string): Promise<{ listed: string[]; stored: string[] }> {
  const client = connect(name);
  await client.vectorStores.delete(store);
  for await (const file of client.files.list()) await client.files.delete(file.id);
  const listed: string[] = [];
  for await (const { id } of client.files.list()) listed.push(id);
  for await (const { id } of client.vectorStores.list()) listed.push(id);
  const { folder, database } = await storedBlobs();
  return { listed, stored: [...folder, ...database] };
}

/** The names of the stored contents and indexes, in the file system and in the database. */
export async function storedBlobs(): Promise<{ readonly folder: string[]; readonly database: string[] }> {
  const root = await navigator.storage.getDirectory();
  const handle = await root.getDirectoryHandle('tabserve-documents', { create: true });
  const folder: string[] = [];
  for await (const stem of handle.keys()) folder.push(stem);
  const opening = indexedDB.open('tabserve-documents');
  await new Promise((resolve) => opening.addEventListener('success', resolve));
  const reading = opening.result.transaction('blobs').objectStore('blobs').getAllKeys();
  await new Promise((resolve) => reading.addEventListener('success', resolve));
  opening.result.close();
  return { folder, database: reading.result.map(String) };
}
