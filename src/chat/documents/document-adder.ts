import { ApiError } from '../../shared/api-error.ts';
import { plainText } from '../../shared/documents/plain-text.ts';
import { sha256 } from '../../shared/keys/sha256.ts';
import {
  addDocument,
  addFile,
  deleteFile,
  listFiles,
  readFileStatus,
  storedName,
  type CollectionToExtend,
} from '../api/collection-files.ts';
import { readCollection, type FileAttributes } from '../api/collections.ts';
import { readAttachment, type ReadAttachment } from '../attachments/read-attachment.ts';
import { readingNotes } from '../attachments/reading-notes.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';
import type { UnpackedFile } from './archive/open-archive.ts';
import type { ChosenFile } from './chosen-files.ts';
import { KnownFiles } from './known-files.ts';

/** What happened to a file that could not be read, or of which a part is missing. */
export interface FileRemark {
  readonly name: string;
  readonly words: string;
  /** Whether the file is not in the collection. */
  readonly isRefused: boolean;
}

/** Files of more bytes are not compared by their content, which would have to be in memory as a whole. */
const MAX_COMPARED = 200_000_000;

/** A file of an archive. */
export interface PackedFile {
  readonly name: string;
  /** Resolves to null if the collection has it. */
  readonly unpack: () => Promise<UnpackedFile | null>;
}

/** What is done when all files before it are added. */
interface LastStep {
  readonly end: () => Promise<void>;
}

/** Stands for a file that the collection has. */
const UNCHANGED = 'unchanged';

/** A file that the collection does not have. */
interface NewDocument {
  readonly text: string;
  /** The file itself, if the endpoint reads the same text from it; undefined if the text is kept instead. */
  readonly original: File | undefined;
  readonly facts: FileAttributes;
  /** What of the file is not in its text. */
  readonly notes: readonly string[];
}

interface Steps {
  /** Reads the text of a file. Default: as for an attachment. */
  readonly read?: (file: File, signal: AbortSignal) => Promise<ReadAttachment>;
  /** Default: the locks of this site. */
  readonly locks?: Pick<LockManager, 'request'>;
}

/** Reads a file with the marks of its pages, by which a passage that is found knows its page. */
const readWithPages = (file: File, signal: AbortSignal) => readAttachment(file, signal, { marksPages: true });

/**
 * Adds files to a collection, one after the other: reads each, and uploads it, or its text. The endpoint then indexes it.
 * Files that the collection has are left out. Works on while another screen is shown.
 * @fires change - anything below has changed.
 */
export class DocumentAdder extends EventTarget {
  /** Files of this round, and those of them that are uploaded or refused. */
  total = 0;
  done = 0;
  /** Those of `done` that the collection had. */
  unchanged = 0;
  state: 'idle' | 'adding' | 'paused' = 'idle';
  /** Those of `done` whose vectors came with an archive and did not fit, so that they are computed. */
  computedAnew = 0;
  /** Whether the last step of this round is done. */
  hasEnded = false;
  /** Whether another tab is adding files to this collection, so that this one waits. */
  isWaiting = false;
  /** Why adding has paused; empty if the person has paused it, or if it has not paused. */
  problem = '';
  remarks: readonly FileRemark[] = [];
  readonly #collection: string;
  readonly #read: NonNullable<Steps['read']>;
  readonly #locks: NonNullable<Steps['locks']>;
  #waiting: (ChosenFile | PackedFile | LastStep)[] = [];
  /** Ends the round of files that are being added; null if none are. */
  #round: AbortController | null = null;
  /** Settles when the last round has ended. */
  #running: Promise<void> = Promise.resolve();
  /** The files in the collection; null until they are listed in this round. */
  #known: KnownFiles | null = null;
  /** The collection; null until it is read in this round. */
  #target: CollectionToExtend | null = null;

  constructor(collection: string, { read = readWithPages, locks = navigator.locks }: Steps = {}) {
    super();
    this.#locks = locks;
    this.#collection = collection;
    this.#read = read;
  }

  /**
   * Adds files. A file of the same name in the collection is replaced.
   * @param end Called when all are added or refused; not if adding is cancelled before. Default: nothing is done.
   */
  add(files: readonly (ChosenFile | PackedFile)[], end?: () => Promise<void>): void {
    const start = { total: 0, done: 0, unchanged: 0, computedAnew: 0, hasEnded: false, remarks: [] };
    if (this.state === 'idle') Object.assign(this, start);
    this.#waiting.push(...files, ...(end === undefined ? [] : [{ end }]));
    this.total += files.length;
    if (this.state === 'idle') this.#running = this.#run();
    else this.#change();
  }

  /** Whether files of a folder with this name wait to be added. */
  isAddingFolder(name: string): boolean {
    return this.#waiting.some((next) => 'name' in next && next.name.startsWith(`${name}/`));
  }

  /** Stops after the file that is being read. */
  pause(): void {
    this.#pause('');
  }

  resume(): void {
    if (this.state !== 'paused') return;
    this.state = 'adding';
    this.problem = '';
    // If the file at which it was paused is still being read, its round goes on.
    if (this.#round === null) this.#running = this.#run();
    else this.#change();
  }

  /** Ends adding, and removes the files that were never indexed from the collection. */
  async cancel(): Promise<void> {
    await this.end();
    const { signal } = new AbortController();
    for (const { id, usage_bytes: indexed } of await listFiles(this.#collection, signal, 'in_progress')) {
      // One that is only indexed again was added long ago.
      if (indexed > 0) continue;
      // One that is indexed meanwhile stays: the file that it replaced is deleted.
      if ((await readFileStatus(this.#collection, id, signal)) === 'in_progress') await deleteFile(id, signal);
    }
    this.#change();
  }

  /**
   * Ends adding. Files that are uploaded stay in the collection.
   * @returns Resolves when the file that was being uploaded has arrived.
   */
  end(): Promise<void> {
    this.#round?.abort();
    this.#round = null;
    this.#waiting = [];
    this.state = 'idle';
    this.problem = '';
    this.#change();
    return this.#running;
  }

  #pause(problem: string): void {
    if (this.state === 'idle') return;
    this.state = 'paused';
    this.problem = problem;
    this.#change();
  }

  async #run(): Promise<void> {
    const round = (this.#round = new AbortController());
    this.state = 'adding';
    this.problem = '';
    // Another tab, or the list of files, may have changed the collection since the last round.
    this.#known = null;
    this.#target = null;
    this.#change();
    try {
      await this.#addLocked(round.signal);
    } catch (error) {
      if (round.signal.aborted) return;
      console.error(error);
      // Deleted by another tab or a program: the page has no button any more that would end adding.
      if (error instanceof ApiError && error.code === 'vector_store_not_found') return void this.end();
      this.#pause(errorInPageLanguage(error));
    }
    if (this.#round !== round) return;
    this.#round = null;
    if (this.state === 'adding') this.state = 'idle';
    this.#change();
  }

  /** Lets one tab at a time add files to the collection: two that add the same folder would add each file twice. */
  async #addLocked(signal: AbortSignal): Promise<void> {
    const notice = setTimeout(() => this.#setWaiting(true), 500);
    await this.#locks
      .request(`tabserve-collection ${this.#collection}`, { signal }, async () => {
        clearTimeout(notice);
        this.#setWaiting(false);
        await this.#addWaiting(signal);
      })
      .finally(() => {
        clearTimeout(notice);
        this.#setWaiting(false);
      });
  }

  #setWaiting(isWaiting: boolean): void {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.#change();
  }

  async #addWaiting(signal: AbortSignal): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.state !== 'adding') return;
      if ('end' in next) await next.end();
      else await ('unpack' in next ? this.#addPacked(next, signal) : this.#addFile(next, signal));
      signal.throwIfAborted();
      this.#waiting.shift();
      if ('end' in next) this.hasEnded = true;
      else this.done += 1;
      this.#change();
    }
  }

  /** @throws ApiError if the endpoint does not accept any file now, as when the disk is full. */
  async #addFile({ file, name, isChecked = false }: ChosenFile, signal: AbortSignal): Promise<void> {
    const refuse = (thrown: unknown): null => {
      signal.throwIfAborted();
      this.#remark({ name, words: errorInPageLanguage(thrown), isRefused: true });
      return null;
    };
    const known = (this.#known ??= await KnownFiles.list(this.#collection, signal));
    const read = await this.#readChanged(file, (facts) => known.has(name, facts), isChecked, signal).catch(refuse);
    if (read === null) return;
    if (read === UNCHANGED) {
      this.unchanged += 1;
      return;
    }
    const { text, original, facts, notes } = read;
    await known.refresh(this.#collection, name, signal);
    const { replaced, outdated } = known.beforeAdding(name);
    const target = await this.#readTarget(signal);
    const added = addDocument(target, { ...facts, name, text, original, replaces: replaced });
    const id = await added.catch((error: unknown) => {
      if (isRefused(error)) return refuse(error);
      throw error;
    });
    if (id === null) return;
    const attributes = { ...facts, name: storedName(name) };
    known.add({ id, status: 'in_progress', usage_bytes: 0, attributes }, outdated);
    for (const other of outdated) await deleteFile(other, new AbortController().signal);
    if (notes.length > 0) this.#remark({ name, words: notes.join(' · '), isRefused: false });
  }

  /**
   * Adds a file of an archive, with its vectors if they fit.
   * @throws ApiError as {@link #addFile}.
   */
  async #addPacked({ name, unpack }: PackedFile, signal: AbortSignal): Promise<void> {
    const unpacked = await unpack();
    signal.throwIfAborted();
    if (unpacked === null) {
      this.unchanged += 1;
      return;
    }
    const { filename, content, vectors, ...fields } = unpacked;
    const target = await this.#readTarget(signal);
    const add = (carried: Blob | null) => addFile(target, new File([content], filename), fields, carried);
    try {
      await add(vectors).catch(async (error: unknown) => {
        // The vectors do not fit, are too large for this site, or the file itself is refused.
        if (!isRefused(error) || vectors === null) throw error;
        await add(null);
        this.computedAnew += 1;
      });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#remark({ name, words: errorInPageLanguage(error), isRefused: true });
    }
  }

  async #readTarget(signal: AbortSignal): Promise<CollectionToExtend> {
    return (this.#target ??= await readCollection(this.#collection, signal));
  }

  /**
   * Reads a file, unless the collection has it.
   * @param isKnown Whether the collection has a file of this name with these attributes.
   * @throws Error that tells the person why the file has no text.
   */
  async #readChanged(
    file: File | null,
    isKnown: (facts: FileAttributes) => boolean,
    isChecked: boolean,
    signal: AbortSignal,
  ): Promise<NewDocument | typeof UNCHANGED> {
    if (file === null) throw new Error(attachmentStrings.unreadable);
    const time = { size: file.size, modified: file.lastModified };
    if (isChecked && isKnown(time)) return UNCHANGED;
    const content = await contentOf(file);
    signal.throwIfAborted();
    if (content !== null && isKnown(content)) return UNCHANGED;
    return { ...(await this.#textOf(file, signal)), facts: { ...time, ...content } };
  }

  /** @throws Error that tells the person why the file has no text. */
  async #textOf(file: File, signal: AbortSignal): Promise<Omit<NewDocument, 'facts'>> {
    const read = await this.#read(file, signal);
    if (read.attachment.kind === 'image') throw new Error(documentStrings.isImage);
    const { text } = read.attachment;
    if (text.trim() === '') throw new Error(attachmentStrings.documentProblems(0).noText);
    return { text, original: (await isDocument(file, read)) ? file : undefined, notes: readingNotes(read) };
  }

  #remark(remark: FileRemark): void {
    this.remarks = [...this.remarks, remark];
  }

  #change(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Whether a file is a document, of which its text is a part only, and the endpoint reads the same text from it. */
async function isDocument(file: File, { note, encoding }: ReadAttachment): Promise<boolean> {
  return note === undefined && encoding === undefined && (await plainText(file, file.name)) === null;
}

/** Whether the endpoint refused one file, so that it may accept others. */
function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 400 || error.status === 413);
}

/** Returns the hash of a file's content; null if it is too large. Throws if the browser cannot read it. */
async function contentOf(file: File): Promise<FileAttributes | null> {
  if (file.size > MAX_COMPARED) return null;
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new Error(attachmentStrings.unreadable, { cause });
  });
  return { sha256: await sha256(new Uint8Array(bytes)) };
}

/** The adders of this page, by collection. They outlive the screen that shows them. */
const adders = new Map<string, DocumentAdder>();

/** Returns the adder of a collection. While one has files to add, the browser asks before the page is left. */
export function adderOf(collection: string): DocumentAdder {
  const known = adders.get(collection);
  if (known !== undefined) return known;
  const adder = new DocumentAdder(collection);
  adder.addEventListener('change', () => {
    if ([...adders.values()].some(({ state }) => state !== 'idle')) addEventListener('beforeunload', askBeforeLeaving);
    else removeEventListener('beforeunload', askBeforeLeaving);
  });
  adders.set(collection, adder);
  return adder;
}

function askBeforeLeaving(event: Event): void {
  event.preventDefault();
}
