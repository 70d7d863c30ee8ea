import { joinTexts, say } from '../../../src/engine-worker/strings/say.ts';
import type { PageStatus } from '../../../src/page/index.ts';
import { ApiError, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CodedText } from '../../../src/shared/coded-sentence.ts';

const LOADING = say('downloadingModel', 3.4e6, 8.5e6);

/** Every state of the endpoint, and every reason for which a browser cannot run it. */
export const STATUSES = {
  starting: { state: 'starting', message: 'Starting.' },
  idle: { state: 'idle', message: 'No model is loaded.' },
  loading: { state: 'loading', model: 'pocket', progress: 0.4, message: LOADING.text, sentences: LOADING.sentences },
  ready: {
    state: 'ready',
    model: 'pocket',
    gpu: 'a graphics processor',
    promptCache: { promptTokens: 1200, cachedTokens: 800, off: null },
    extensions: [
      { name: 'prompt-cache', off: null },
      { name: 'decode-ahead', off: null },
    ],
    message: 'pocket is ready.',
  },
  'keeps-nothing': {
    state: 'ready',
    model: 'pocket',
    gpu: 'a graphics processor',
    promptCache: { promptTokens: 0, cachedTokens: 0, off: 'this model has a state of another kind' },
    extensions: [
      { name: 'prompt-cache', off: 'this model has a state of another kind' },
      { name: 'decode-ahead', off: null },
    ],
    message: 'pocket is ready. This browser keeps nothing.',
    keepsNothing: true,
  },
  failed: failed(joinTexts(say('fileDamaged', 'params_shard_0.bin'), say('loadAgainAfterDeletion'))),
  'failed-at-length': failed(
    `Its weights could not be read. ${'One more reason for it. '.repeat(20)}${'x'.repeat(150)}`,
  ),
  'reload-required': failed('The requests of this page bypass the service worker. Reload the page.', 'reload_required'),
  'no-webgpu': { state: 'unsupported', reason: 'no-webgpu', message: 'This browser offers no WebGPU.' },
  'no-service-worker': {
    state: 'unsupported',
    reason: 'no-service-worker',
    message: 'Service workers are switched off here; leave the private window.',
  },
  'insecure-context': {
    state: 'unsupported',
    reason: 'insecure-context',
    message: 'Open this page by an address that begins with https.',
  },
} as const satisfies Record<string, PageStatus>;

function failed(
  message: string | CodedText,
  code: ApiErrorCode = 'model_load_failed',
): PageStatus & { readonly state: 'failed' } {
  const error = new ApiError(code, message).toData();
  return { state: 'failed', model: 'pocket', error, message: error.message };
}
