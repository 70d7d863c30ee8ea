import type { ApiErrorData } from '../shared/api-error.ts';
import type { EngineStatus } from '../shared/engine.ts';
import type { PageStatus, UnsupportedReason } from './page-status.ts';

const UNSUPPORTED: Record<UnsupportedReason, string> = {
  'insecure-context':
    'This page was opened over plain http. Service workers and WebGPU need a secure address: use https, or http://localhost.',
  'no-service-worker':
    'This browser does not let the page install a service worker. Leave the private window, or use a current Chrome, Edge, Firefox or Safari.',
  'no-webgpu':
    'This browser offers no graphics device through WebGPU. Use a current Chrome or Edge (or Safari 26, or Firefox on Windows or an Apple-silicon Mac), switch on graphics acceleration in its settings, and restart it.',
};

export const STARTING: PageStatus = { state: 'starting', message: 'Starting.' };

export function unsupported(reason: UnsupportedReason): PageStatus {
  return { state: 'unsupported', reason, message: UNSUPPORTED[reason] };
}

export function failed(error: ApiErrorData, model: string | null = null): PageStatus {
  return { state: 'failed', model, error, message: error.message };
}

/** What the engine says about itself, with a sentence for the person in front of the page. */
export function engineStatusForPage(status: EngineStatus): PageStatus {
  switch (status.state) {
    case 'idle':
      return { state: 'idle', message: 'Ready to load a model.' };
    case 'loading': {
      const { model, progress, text } = status;
      return { state: 'loading', model, progress, message: text };
    }
    case 'ready':
      return { ...status, message: `${status.model} is ready.` };
    case 'failed':
      return status.error.code === 'gpu_unavailable' ? unsupported('no-webgpu') : failed(status.error, status.model);
  }
}
