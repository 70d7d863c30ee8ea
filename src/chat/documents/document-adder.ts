import { ApiError } from '../../shared/api-error.ts';
import { addDocument, deleteFile, listFiles, storedName } from '../api/collections.ts';
import { readAttachment, type ReadAttachment } from '../attachments/read-attachment.ts';
import { readingNotes } from '../attachments/reading-notes.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { documentStrings } from '../strings/document-strings.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';
import type { ChosenFile } from './chosen-files.ts';

/** What happened to a file that could not be read, or of which a part is missing. */
export interface FileRemark {
  readonly name: string;
  readonly words: string;
  /** Whether the file is not in the collection. */
  readonly isRefused: boolean;
}

interface Steps {
  /** Reads the text of a file. Default: as for an attachment. */
  readonly read?: (file: File, signal: AbortSignal) => Promise<ReadAttachment>;
}

/**
 * Adds files to a collection, one after the other: reads each, and uploads its text. The endpoint then indexes it.
 * Works on while another screen is shown.
 * @fires change - anything below has changed.
 */
export class DocumentAdder extends EventTarget {
  /** Files of this round, and those of them that are uploaded or refused. */
  total = 0;
  done = 0;
  state: 'idle' | 'adding' | 'paused' = 'idle';
  /** Why adding has paused; empty if the person has paused it, or if it has not paused. */
  problem = '';
  remarks: readonly FileRemark[] = [];
  readonly #collection: string;
  readonly #read: NonNullable<Steps['read']>;
  #waiting: ChosenFile[] = [];
  /** Ends the round of files that are being added; null if none are. */
  #round: AbortController | null = null;
  /** Settles when the last round has ended. */
  #running: Promise<void> = Promise.resolve();
  /** Ids of the files in the collection, by name; null until they are listed in this round. */
  #known: Map<string, readonly string[]> | null = null;

  constructor(collection: string, { read = readAttachment }: Steps = {}) {
    super();
    this.#collection = collection;
    this.#read = read;
  }

  /** Adds files. A file of the same name in the collection is replaced. */
  add(files: readonly ChosenFile[]): void {
    if (this.state === 'idle') Object.assign(this, { total: 0, done: 0, remarks: [] });
    this.#waiting.push(...files);
    this.total += files.length;
    if (this.state === 'idle') this.#running = this.#run();
    else this.#change();
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

  /** Ends adding, and removes the files that are not indexed yet from the collection. */
  async cancel(): Promise<void> {
    await this.end();
    const { signal } = new AbortController();
    for (const { id } of await listFiles(this.#collection, signal, 'in_progress')) await deleteFile(id, signal);
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
    this.#change();
    try {
      await this.#addWaiting(round.signal);
    } catch (error) {
      if (round.signal.aborted) return;
      console.error(error);
      this.#pause(errorInPageLanguage(error));
    }
    if (this.#round !== round) return;
    this.#round = null;
    if (this.state === 'adding') this.state = 'idle';
    this.#change();
  }

  async #addWaiting(signal: AbortSignal): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.state !== 'adding') return;
      await this.#addFile(next, signal);
      signal.throwIfAborted();
      this.#waiting.shift();
      this.done += 1;
      this.#change();
    }
  }

  /** @throws ApiError if the endpoint does not accept any file now, as when the disk is full. */
  async #addFile({ file, name }: ChosenFile, signal: AbortSignal): Promise<void> {
    const refuse = (thrown: unknown): null => {
      signal.throwIfAborted();
      this.#remark({ name, words: errorInPageLanguage(thrown), isRefused: true });
      return null;
    };
    const read = await this.#textOf(file, signal).catch(refuse);
    if (read === null) return;
    const known = (this.#known ??= await this.#listNames(signal));
    signal.throwIfAborted();
    const added = addDocument(this.#collection, { name, size: read.size, text: read.text });
    const id = await added.catch((error: unknown) => {
      // Other files may be accepted.
      if (error instanceof ApiError && (error.status === 400 || error.status === 413)) return refuse(error);
      throw error;
    });
    if (id === null) return;
    const before = known.get(storedName(name)) ?? [];
    known.set(storedName(name), [id]);
    for (const outdated of before) await deleteFile(outdated, new AbortController().signal);
    if (read.notes.length > 0) this.#remark({ name, words: read.notes.join(' · '), isRefused: false });
  }

  /** @throws Error that tells the person why the file has no text. */
  async #textOf(
    file: File | null,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly size: number; readonly notes: readonly string[] }> {
    if (file === null) throw new Error(attachmentStrings.unreadable);
    const read = await this.#read(file, signal);
    if (read.attachment.kind === 'image') throw new Error(documentStrings.isImage);
    if (read.attachment.text.trim() === '') throw new Error(attachmentStrings.documentProblems(0).noText);
    return { text: read.attachment.text, size: file.size, notes: readingNotes(read) };
  }

  async #listNames(signal: AbortSignal): Promise<Map<string, readonly string[]>> {
    const names = new Map<string, readonly string[]>();
    // Several files have a name if a tab was closed before it had removed the outdated one.
    for (const { id, attributes } of await listFiles(this.#collection, signal)) {
      if (attributes.name !== undefined) names.set(attributes.name, [...(names.get(attributes.name) ?? []), id]);
    }
    return names;
  }

  #remark(remark: FileRemark): void {
    this.remarks = [...this.remarks, remark];
  }

  #change(): void {
    this.dispatchEvent(new Event('change'));
  }
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
