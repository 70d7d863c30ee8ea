import type { PackageFile } from '../package/package-file.ts';
import { packets } from './packets.ts';
import type { PartialFile } from './partial-file.ts';

/** Number of bytes that are compared. Two versions of a model differ in nearly all of its weights. */
const SAMPLE = 2 ** 16;

/**
 * Compares the last bytes of a partial file with those that its server has in their place.
 * @param request Requests the file from a byte on.
 * @returns `other` if they differ; otherwise whether the file on the server goes `on` behind them, or is `complete`.
 * @throws DownloadError if the transfer fails; the signal's reason if it aborts.
 */
export async function compareEnd(
  file: PackageFile,
  partial: PartialFile,
  request: (from: number) => Promise<Response>,
  signal: AbortSignal,
): Promise<'other' | 'on' | 'complete'> {
  const ours = await partial.end(SAMPLE);
  const from = partial.bytes - ours.length;
  const { status, body } = await request(from);
  if (body === null) return 'other';
  if (status !== (from > 0 ? 206 : 200)) {
    await body.cancel();
    return 'other';
  }
  let at = 0;
  for await (const chunk of packets(file, body, signal)) {
    if (chunk.some((byte, index) => at + index < ours.length && byte !== ours[at + index])) return 'other';
    at += chunk.length;
    if (at > ours.length) return 'on';
  }
  return at === ours.length ? 'complete' : 'other';
}
