import { storeLocally } from '../../storage/store-locally.ts';
import { modelStrings } from '../../strings/model-strings.ts';

/** `navigator.connection`, which only Chromium has; each member may be missing. */
interface NetworkInformation {
  /** Whether the user wants to save data. */
  readonly saveData?: boolean;
  /** Only on phones and tablets. */
  readonly type?: string;
  /** Megabits per second. Chromium reports at most 10, to prevent fingerprinting. */
  readonly downlink?: number;
  /** `slow-2g`, `2g`, `3g` or `4g`, which stands for anything faster. */
  readonly effectiveType?: string;
}

/** The highest value that Chromium reports, in megabits per second. It stands for any faster connection. */
const MAX_DOWNLINK = 10;

/**
 * Values in megabits per second that may not be measured. Before Chromium has measured anything, it reports a median
 * for the kind of connection: 1.5 to 2.7 for cables and wireless networks (`network_quality_estimator_params.cc`), plus
 * or minus a tenth.
 */
const MAX_ASSUMED = 3;

const KEY = 'tabserve-download-speed';

/** Whether the connection is metered or the user wants to save data, as far as the browser reports that. */
export function isMetered(): boolean {
  const { saveData, type } = connection();
  return saveData === true || type === 'cellular';
}

/**
 * Returns the estimated time of a download in words, based on the speed of the last download or, without one, on the
 * connection's speed as the browser reports it.
 * @returns Null if neither is known.
 */
export function downloadTime(bytes: number | null): string | null {
  if (bytes === null) return null;
  const measured = Number(localStorage.getItem(KEY));
  if (measured > 0) return modelStrings.takesTime(bytes / measured, false);
  const { downlink = 0, effectiveType } = connection();
  const isMeasured = downlink > MAX_ASSUMED || (downlink > 0 && effectiveType !== '4g');
  return isMeasured ? modelStrings.takesTime((bytes * 8) / (downlink * 1e6), downlink >= MAX_DOWNLINK) : null;
}

/** Stores the speed of a running download. */
export function rememberDownloadSpeed(bytesPerSecond: number): void {
  if (bytesPerSecond > 0) storeLocally(KEY, String(Math.round(bytesPerSecond)));
}

function connection(): NetworkInformation {
  return (navigator as Navigator & { readonly connection?: NetworkInformation }).connection ?? {};
}
