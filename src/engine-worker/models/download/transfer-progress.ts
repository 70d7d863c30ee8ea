import type { DownloadFailure, DownloadProgress, FileProgress } from '../../../shared/models/model-management.ts';
import type { PackageFile } from '../package/package-file.ts';
import { SpeedMeter } from './speed-meter.ts';

export type TransferReport = Pick<
  DownloadProgress,
  'files' | 'receivedBytes' | 'totalBytes' | 'bytesPerSecond' | 'secondsLeft' | 'failure'
>;

export class TransferProgress {
  readonly #now: () => number;
  readonly #expected: number;
  readonly #files = new Map<string, FileProgress>();
  readonly #meter = new SpeedMeter();
  /** The servers that have sent something of a file, with its kind. */
  readonly #heard = new Set<string>();
  #complete = false;
  #failure: DownloadFailure | null = null;

  /**
   * @param now Monotonic time in milliseconds.
   * @param expected Bytes of all files together, for files whose own sizes are not known in advance. Default: unknown.
   */
  constructor(now: () => number, expected = 0) {
    this.#now = now;
    this.#expected = expected;
  }

  /**
   * Adds the files that are not known yet.
   * @param complete Whether the list of files is complete.
   */
  plan(files: readonly PackageFile[], complete: boolean): void {
    this.#complete ||= complete;
    for (const { name, url, bytes } of files) {
      if (this.#files.has(url)) continue;
      this.#files.set(url, { file: name, receivedBytes: 0, totalBytes: bytes, state: 'waiting', resumable: true });
    }
  }

  received(file: PackageFile): number {
    return this.#files.get(file.url)?.receivedBytes ?? 0;
  }

  /**
   * Whether the server of a file has sent something of it, or of another file of its kind. If so, this site may ask it. Files
   * of other kinds do not tell: a server may redirect the large ones to another.
   */
  hasHeardFrom(file: PackageFile): boolean {
    return this.#heard.has(senderOf(file));
  }

  /** Sets the bytes that an earlier session received. They do not count towards the speed. */
  found(file: PackageFile, bytes: number): void {
    this.#set(file, { receivedBytes: bytes });
  }

  advance(file: PackageFile, received: number, total: number | null, resumable: boolean): void {
    const gained = received - this.received(file);
    if (gained > 0) this.#meter.add(gained, this.#now());
    this.#failure = null;
    this.#set(file, { receivedBytes: received, totalBytes: total, resumable, state: 'downloading' });
  }

  retry(file: PackageFile, failure: DownloadFailure): void {
    this.#failure = failure;
    this.#set(file, { state: 'retrying' });
  }

  done(file: PackageFile, bytes: number): void {
    this.#set(file, { receivedBytes: bytes, totalBytes: bytes, state: 'done' });
  }

  report(): TransferReport {
    const files = [...this.#files.values()];
    const receivedBytes = files.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0);
    // The size of a file may be unknown until its response arrives, so each file counts with at least its received
    // bytes.
    const known = files.reduce((sum, file) => sum + Math.max(file.totalBytes ?? 0, file.receivedBytes), 0);
    const totalBytes = this.#complete ? Math.max(known, this.#expected) : null;
    const now = this.#now();
    const bytesPerSecond = this.#meter.bytesPerSecond(now);
    const isKnown = totalBytes !== null && bytesPerSecond > 0 && this.#meter.isSettled(now);
    const secondsLeft = isKnown ? (totalBytes - receivedBytes) / bytesPerSecond : null;
    return { files, receivedBytes, totalBytes, bytesPerSecond, secondsLeft, failure: this.#failure };
  }

  #set(file: PackageFile, change: Partial<FileProgress>): void {
    const before = this.#files.get(file.url);
    if (before === undefined) throw new Error(`${file.name} was never planned.`);
    this.#files.set(file.url, { ...before, ...change });
    if (change.receivedBytes) this.#heard.add(senderOf(file));
  }
}

function senderOf({ url, kind }: PackageFile): string {
  return `${new URL(url).origin} ${kind}`;
}
