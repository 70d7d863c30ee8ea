import type { DownloadProgress } from '../../shared/models/model-management.ts';
import { modelStrings } from '../strings/model-strings.ts';

/** Returns the phase of a download and, once anything is known of it, how much has arrived. */
export function progressFacts({ phase, receivedBytes, totalBytes }: DownloadProgress): string[] {
  return [modelStrings.phases[phase], modelStrings.progress(receivedBytes, totalBytes)].filter(Boolean);
}
