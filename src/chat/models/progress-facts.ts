import type { DownloadFailure, DownloadProgress } from '../../shared/models/model-management.ts';
import { modelStrings } from '../strings/model-strings.ts';

/** Returns the phase of a download and, once anything is known of it, how much has arrived. */
export function progressFacts(progress: DownloadProgress): string[] {
  const phase = waitsForNetwork(progress) ? 'offline' : progress.phase;
  return [modelStrings.phases[phase], modelStrings.progress(progress.receivedBytes, progress.totalBytes)].filter(
    Boolean,
  );
}

/** Whether a download goes on once the device has a network again. */
export function waitsForNetwork({ phase, failure }: DownloadProgress): boolean {
  return phase !== 'failed' && failure?.cause === 'network' && !navigator.onLine;
}

/** Says why a download has failed, and what to do about it. */
export function failureWords({ cause }: DownloadFailure, { receivedBytes }: DownloadProgress): string {
  const atStart: Partial<typeof modelStrings.failures> = modelStrings.failuresAtStart;
  return (receivedBytes === 0 && atStart[cause]) || modelStrings.failures[cause];
}
