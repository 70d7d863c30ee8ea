import { ApiError } from '../../shared/api-error.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/built-in-model.ts';
import {
  MODEL_EVENTS_CHANNEL,
  type CustomModel,
  type ModelCallName,
  type ModelCalls,
} from '../../shared/model-management.ts';
import { keepAllRequestRecords, outsideRequests } from '../../shared/outside-requests.ts';
import type { EngineMethod, MethodContext } from '../methods.ts';
import { textParameter } from '../text-parameter.ts';
import { BROWSER_ENVIRONMENT } from './browser-environment.ts';
import { DownloadError } from './download-error.ts';
import { Downloads } from './downloads.ts';
import { ModelLibrary } from './model-library.ts';
import { STORED_RECORDS } from './model-records.ts';
import { probeGraphicsDevice } from './probe-graphics-device.ts';

keepAllRequestRecords();

type ModelMethods = {
  readonly [Name in ModelCallName]: (
    parameters: unknown,
    context: MethodContext,
  ) => Promise<ModelCalls[Name]['result']>;
};

/** The engine worker's methods about models, by the names pages call them. */
export const MODEL_METHODS = {
  'models/list': async (_, context) => library(context).list(),
  'models/size': async (parameters, context) =>
    withFailureText(() => library(context).size(textParameter(parameters, 'id'))),
  'models/download': async (parameters, context) => nothing(library(context).download(textParameter(parameters, 'id'))),
  'models/pause': async (parameters, context) => nothing(library(context).pause(textParameter(parameters, 'id'))),
  'models/cancel': async (parameters, context) => nothing(library(context).delete(textParameter(parameters, 'id'))),
  'models/delete': async (parameters, context) => {
    const id = textParameter(parameters, 'id');
    const { status } = context.completions;
    if (status.state !== 'idle' && status.model === id) await context.completions.unload();
    return nothing(library(context).delete(id));
  },
  'models/add-custom': async (parameters, context) => nothing(library(context).addCustom(parameters as CustomModel)),
  'models/unload': async (_, { completions }) => nothing(completions.unload()),
  'models/outside-requests': async () => outsideRequests(),
  'models/storage': async (_, context) => library(context).storage(),
} as const satisfies ModelMethods satisfies Record<string, EngineMethod>;

/** One for the life of the worker: it knows the downloads under way. */
let shared: ModelLibrary | undefined;

function library({ site }: MethodContext): ModelLibrary {
  if (shared !== undefined) return shared;
  const channel = new BroadcastChannel(MODEL_EVENTS_CHANNEL);
  const downloads = new Downloads({
    environment: BROWSER_ENVIRONMENT,
    records: STORED_RECORDS,
    builtIn: BUILT_IN_MODEL_ID,
    announce: (event) => channel.postMessage(event),
  });
  const gigabytes = (navigator as Navigator & { deviceMemory?: number }).deviceMemory;
  shared = new ModelLibrary({
    site,
    downloads,
    environment: BROWSER_ENVIRONMENT,
    records: STORED_RECORDS,
    catalogue: async () => (await import('../webllm/prebuilt-models.ts')).PREBUILT_MODELS,
    probeDevice: probeGraphicsDevice,
    deviceMemory: gigabytes === undefined ? null : gigabytes * 2 ** 30,
  });
  return shared;
}

async function nothing(done: Promise<unknown>): Promise<null> {
  await done;
  return null;
}

/** A failed look at a server is no defect of ours: its sentences are for the person. */
async function withFailureText<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof DownloadError) throw new ApiError('model_load_failed', thrown.message, { cause: thrown });
    throw thrown;
  }
}
