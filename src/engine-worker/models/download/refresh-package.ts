import { cachedFile } from './cached-file.ts';
import { commitFile } from './commit-file.ts';
import { knownFiles } from './installed-model.ts';
import { readModelPackage } from './model-package.ts';
import { verifiedStream } from './verified-stream.ts';
import { withStallTimeout } from './with-stall-timeout.ts';
import type { PackageFile } from '../package/package-file.ts';
import type { ModelSource } from '../../../shared/models/model-management.ts';

/**
 * Whether a file must be compared to detect a new package version. Weights need not be compared, because another file
 * lists their checksums.
 */
function dependsOnVersion({ kind }: PackageFile): boolean {
  return kind !== 'data';
}

/**
 * Replaces the cached files of a package of this site that have changed, if the site has a newer version. Weights stay if both
 * versions list the same checksum. Packages on other origins are not checked, so that their servers do not learn when a
 * downloaded model is used.
 *
 * If any request fails, for example offline, or the site sends something else in place of a file, as a server under repair
 * does, all cached files are kept.
 */
export async function refreshPackage(source: ModelSource, site: string, signal: AbortSignal): Promise<void> {
  if (new URL(source.modelUrl).origin !== site) return;
  const { files } = await knownFiles(source, caches);
  try {
    const asked = files
      .filter(dependsOnVersion)
      .map(async (file) => ({ file, content: await newContent(file, signal) }));
    const changed = (await Promise.all(asked)).flatMap(({ file, content }) => (content ? [{ file, content }] : []));
    if (changed.length === 0) return;
    for (const { file, content } of changed) await verify(file, content);
    const contents = new Map(changed.map(({ file, content }) => [file.url, content]));
    const { files: now } = await readModelPackage(source, async (file, parse) => {
      const known = contents.get(file.url) ?? (await cachedFile(file, caches)) ?? (await fetchFile(file, signal));
      return parse(await known.text());
    });
    const listed = new Set(now.flatMap(({ url, md5 }) => (md5 === null ? [] : [`${url} ${md5}`])));
    const isOld = (file: PackageFile) =>
      dependsOnVersion(file) ? contents.has(file.url) : !listed.has(`${file.url} ${file.md5}`);
    // The lists go last: if the worker dies before, the next load still finds that they have changed, and which weights go.
    for (const file of files.filter(isOld).toReversed()) await (await caches.open(file.cache)).delete(file.url);
    for (const { file, content } of changed) await commitFile(file, content.stream(), content.size, caches, signal);
  } catch {
    signal.throwIfAborted();
  }
}

/** Returns the content of a cached file on the server; null if it is the same, or the file is not cached. */
async function newContent(file: PackageFile, signal: AbortSignal): Promise<Blob | null> {
  const cached = await cachedFile(file, caches);
  if (cached === undefined) return null;
  const theirs = await (await fetchFile(file, signal)).blob();
  const [one, other] = await Promise.all([cached.arrayBuffer(), theirs.arrayBuffer()]);
  return sameBytes(new Uint8Array(one), new Uint8Array(other)) ? null : theirs;
}

async function fetchFile(file: PackageFile, signal: AbortSignal): Promise<Response> {
  const response = await withStallTimeout(fetch)(file.url, { cache: 'no-cache', signal });
  if (!response.ok) throw new Error(`${file.url} answered ${response.status}.`);
  return response;
}

/** @throws DownloadError if a file is of another kind than its name says. */
async function verify(file: PackageFile, content: Blob): Promise<void> {
  await new Response(content.stream().pipeThrough(verifiedStream(file))).arrayBuffer();
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
