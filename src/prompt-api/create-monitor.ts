/**
 * Progress is rounded to a multiple of this fraction, so that pages cannot identify a model by the sizes of its parts.
 */
const STEP = 1 / 0x1_00_00;

/** The event target that `create()` passes to its `monitor`. */
export class CreateMonitor extends EventTarget {
  ondownloadprogress: ((event: Event) => void) | null = null;
  #last = -1;

  /** Fires `downloadprogress` if the progress, 0…1, has grown. */
  report(progress: number): void {
    const loaded = Math.floor(progress / STEP) * STEP;
    if (loaded <= this.#last) return;
    this.#last = loaded;
    // A plain Event, because the numbers of a ProgressEvent are integers in some browsers.
    const event = Object.assign(new Event('downloadprogress'), { loaded, total: 1, lengthComputable: true });
    this.dispatchEvent(event);
    this.ondownloadprogress?.(event);
  }
}
