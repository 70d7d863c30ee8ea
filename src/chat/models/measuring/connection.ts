import { modelStrings } from '../../strings/models.ts';

/** `navigator.connection`, which only Chromium has; each member may be missing. */
interface NetworkInformation {
  /** Whether the person wants to save data. */
  readonly saveData?: boolean;
  /** Only on phones and tablets. */
  readonly type?: string;
  /** Megabits a second; Chromium tells at most 10, against fingerprinting. */
  readonly downlink?: number;
  /** `slow-2g`, `2g`, `3g` or `4g`, which stands for anything faster. */
  readonly effectiveType?: string;
}

/** Megabits a second that stand for any faster connection. */
const MOST_DOWNLINK = 10;

/**
 * Megabits a second that may be no measurement: before Chromium has measured anything, it tells a median of the kind of connection,
 * which is 1.5 to 2.7 for cables and wireless networks (`network_quality_estimator_params.cc`), give or take a tenth.
 */
const MOST_ASSUMED = 3;

const KEY = 'tabserve-download-speed';

/** Whether the person pays by the byte, or wants to save data, as far as the browser tells. */
export function isMetered(): boolean {
  const { saveData, type } = connection();
  return saveData === true || type === 'cellular';
}

/**
 * The estimated time of a download in words: by the speed of the last one, else by what the browser tells about the connection.
 * @returns Null if neither is known.
 */
export function downloadTime(bytes: number | null): string | null {
  if (bytes === null) return null;
  const measured = Number(localStorage.getItem(KEY));
  if (measured > 0) return modelStrings.takesTime(bytes / measured, false);
  const { downlink = 0, effectiveType } = connection();
  const isMeasured = downlink > MOST_ASSUMED || (downlink > 0 && effectiveType !== '4g');
  return isMeasured ? modelStrings.takesTime((bytes * 8) / (downlink * 1e6), downlink >= MOST_DOWNLINK) : null;
}

/** Stores the speed of a download that runs. */
export function rememberDownloadSpeed(bytesPerSecond: number): void {
  if (bytesPerSecond > 0) localStorage.setItem(KEY, String(Math.round(bytesPerSecond)));
}

function connection(): NetworkInformation {
  return (navigator as Navigator & { readonly connection?: NetworkInformation }).connection ?? {};
}
