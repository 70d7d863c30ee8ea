import type { DownloadFailure, DownloadProgress } from '../../shared/models/model-management.ts';
import { modelStrings } from '../strings/model-strings.ts';

/** Returns the phase of a download and, once anything is known of it, how much has arrived. */
export function progressFacts({ phase, receivedBytes, totalBytes }: DownloadProgress): string[] {
  return [modelStrings.phases[phase], modelStrings.progress(receivedBytes, totalBytes)].filter(Boolean);
}

/** Says why a download has failed, and what to do about it. */
export function failureWords({ cause }: DownloadFailure, { receivedBytes }: DownloadProgress): string {
  const atStart: Partial<typeof modelStrings.failures> = modelStrings.failuresAtStart;
  return (receivedBytes === 0 && atStart[cause]) || modelStrings.failures[cause];
}
