import type { PackageFile } from '../package/package-file.ts';
import { SAMPLE_BYTES, sampleStarts } from '../package/sample-hash.ts';
import { packets } from './packets.ts';
import type { PartialFile } from './partial-file.ts';

/**
 * Number of places at which bytes are compared: the end, and others at equal distances before it. Two versions of a model can
 * have whole layers in common, so that the end alone does not tell.
 */
const PLACES = 8;

/** Whether a server has other bytes; otherwise whether it goes `on` behind those that are here. */
type Comparison = 'other' | 'on' | 'complete';

/**
 * Compares samples of a partial file, of which one is its end, with the bytes that its server has in their places.
 * @param request Requests the file from a byte on, to another one if it is given.
 * @returns `other` if they differ; otherwise whether the file on the server goes `on` behind them, or is `complete`.
 * @throws DownloadError if the transfer fails; the signal's reason if it aborts.
 */
export async function compareSamples(
  file: PackageFile,
  partial: PartialFile,
  request: (from: number, to?: number) => Promise<Response>,
  signal: AbortSignal,
): Promise<Comparison> {
  const compare = async (from: number, to?: number): Promise<Comparison> => {
    const ours = await partial.read(from, from + SAMPLE_BYTES);
    const { status, body } = await request(from, to);
    if (body === null) return 'other';
    if (status !== (from > 0 || to !== undefined ? 206 : 200)) {
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
  };
  const starts = sampleStarts(partial.bytes, PLACES);
  const end = await compare(starts.at(-1)!);
  for (const start of end === 'other' ? [] : starts.slice(0, -1))
    if ((await compare(start, start + SAMPLE_BYTES)) === 'other') return 'other';
  return end;
}
