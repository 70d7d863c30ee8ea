import * as v from 'valibot';
import type { DocumentCalls } from '../../shared/documents/document-calls.ts';
import type { HubCalls } from '../../shared/hub/hub-calls.ts';
import { modelNotOnDevice } from '../../shared/engine/engine-errors.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Engine } from '../../shared/engine/engine.ts';
import { outsideRequests } from '../../shared/security/outside-requests.ts';
import { IMAGE_PLACE, type TokenizeInput } from '../../shared/engine/tokenization.ts';
import type { CallHandlers } from './call-handlers.ts';
import type { Completions } from '../completions/completions.ts';
import type { FindModel } from '../completions/completions-options.ts';
import { DownloadError } from '../models/download/download-error.ts';
import { modelFiles } from '../models/model-files.ts';
import type { ManagedModels } from '../models/managed-models.ts';

const NoParameters = v.null();
const ModelId = v.object({ id: v.string() });
const Input = v.custom<TokenizeInput>((value) => typeof value === 'object' && value !== null && 'type' in value);
const Tokenize = v.object({ id: v.string(), input: Input, pieces: v.boolean() });
const Detokenize = v.object({ id: v.string(), tokens: v.array(v.number()) });
const Gguf = v.object({ from: v.union([v.string(), v.pipe(v.array(v.instance(File)), v.minLength(1))]) });
const Window = v.object({ id: v.string(), tokens: v.number() });
const Parallel = v.object({ id: v.string(), requests: v.number() });
const KeepAlive = v.object({ id: v.string(), seconds: v.number() });
const Addresses = v.object({ id: v.string(), modelUrl: v.string(), libraryUrl: v.string() });

export interface ModelCallOptions {
  readonly models: ManagedModels;
  readonly completions: Completions;
  readonly findModel: FindModel;
  /** Returns the model to preload when a page asks for `model`; see `modelToPreload`. Default: `model` itself. */
  readonly runnable?: (model: ModelEntry, site: string) => Promise<ModelEntry>;
}

export function modelCallHandlers({
  models,
  completions,
  findModel,
  runnable = async (model) => model,
}: ModelCallOptions): Omit<CallHandlers, keyof DocumentCalls | keyof HubCalls> {
  const find = async (id: string, site: string, param: 'id' | 'model') => {
    const model = await findModel(id, site);
    if (model === null) throw modelNotOnDevice(id, param);
    return model;
  };
  const use = async <Result>(id: string, site: string, task: (engine: Engine) => Result | Promise<Result>) =>
    completions.use(await find(id, site, 'model'), site, task);
  const remove = ({ id }: v.InferOutput<typeof ModelId>, site: string) =>
    nothing(completions.deleteModel(id, site, () => models.delete(id, site)));
  return {
    'models/list': {
      parameters: NoParameters,
      async run(_, site) {
        const listed = await models.list(site);
        const { status } = completions;
        // The load of a site's own model brings its files: they are in use.
        const isComing = (id: string) => status.state === 'loading' && status.model === id;
        return listed.map(({ leftBytes, ...model }) =>
          leftBytes === undefined || isComing(model.id) ? model : { ...model, leftBytes },
        );
      },
    },
    'models/size': { parameters: ModelId, run: ({ id }, site) => withFailureText(models.size(id, site)) },
    'models/download': { parameters: ModelId, run: ({ id }, site) => nothing(models.download(id, site)) },
    'models/pause': { parameters: ModelId, run: ({ id }) => nothing(models.pause(id)) },
    'models/cancel': {
      parameters: ModelId,
      async run({ id }, site) {
        if (await models.cancelRepair(id)) return null;
        await models.pause(id);
        // A site's own model can be loaded while it is downloaded.
        completions.stopLoad(id);
        return remove({ id }, site);
      },
    },
    'models/delete': { parameters: ModelId, run: remove },
    'models/set-context-window': {
      parameters: Window,
      run: ({ id, tokens }, site) => nothing(models.setContextWindow(id, tokens, site)),
    },
    'models/set-parallel': {
      parameters: Parallel,
      run: ({ id, requests }, site) => nothing(models.setParallel(id, requests, site)),
    },
    'models/set-keep-alive': {
      parameters: KeepAlive,
      async run({ id, seconds }, site) {
        await models.setKeepAlive(id, seconds, site);
        completions.keepAliveChanged(await find(id, site, 'id'));
        return null;
      },
    },
    'models/inspect-gguf': {
      parameters: Gguf,
      run: ({ from }, site) => withFailureText(models.inspectGguf(from, site)),
    },
    'models/add-custom': { parameters: Addresses, run: (model, site) => nothing(models.addCustom(model, site)) },
    'models/load': {
      parameters: ModelId,
      async run({ id }, site) {
        return nothing(completions.load(await find(id, site, 'id'), site));
      },
    },
    'models/preload': {
      parameters: ModelId,
      async run({ id }, site) {
        return nothing(completions.preload(await runnable(await find(id, site, 'id'), site), site));
      },
    },
    'models/unload': { parameters: NoParameters, run: () => nothing(completions.unload()) },
    'models/tokenize': {
      parameters: Tokenize,
      run: ({ id, input, pieces }, site) =>
        use(id, site, async (engine) => {
          const tokens = await engine.tokenize(input, id);
          const piece = (token: number) => (token === IMAGE_PLACE ? '' : engine.detokenize([token], id));
          return { tokens, pieces: pieces ? tokens.map(piece) : null };
        }),
    },
    'models/detokenize': {
      parameters: Detokenize,
      run: ({ id, tokens }, site) => use(id, site, (engine) => engine.detokenize(tokens, id)),
    },
    'models/outside-requests': { parameters: NoParameters, run: async () => outsideRequests() },
    'models/files': {
      parameters: ModelId,
      run: async ({ id }, site) => modelFiles(await find(id, site, 'id'), caches),
    },
    'models/storage': { parameters: NoParameters, run: () => models.storage() },
    'streams/known': { parameters: ModelId, run: async ({ id }, site) => completions.joinable.knows(site, id) },
  };
}

async function nothing(done: Promise<void>): Promise<null> {
  await done;
  return null;
}

/** Converts a download failure to an ApiError with the failure's message for the user. */
async function withFailureText<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (thrown) {
    throw thrown instanceof DownloadError ? thrown.toApiError() : thrown;
  }
}
