import { html } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { fitFor } from '../../../src/engine-worker/models/fit-for.ts';
import { say } from '../../../src/engine-worker/strings/say.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { DownloadProgress, ModelListing } from '../../../src/shared/models/model-management.ts';
import type { AddGguf } from '../../../src/chat/models/add-gguf.ts';
import '../../../src/chat/models/add-gguf.ts';
import '../../../src/chat/models/custom-model-form.ts';
import '../../../src/chat/models/gguf-dialog.ts';
import type { DownloadLine } from '../../../src/chat/models/download-line.ts';
import '../../../src/chat/models/download-line.ts';
import '../../../src/chat/models/download-status.ts';
import '../../../src/chat/models/model-card.ts';
import '../../../src/chat/models/model-catalogue.ts';
import type { Device } from '../../../src/chat/models/judge-model.ts';
import type { ModelStates } from '../../../src/chat/models/model-cards.ts';
import '../../../src/chat/models/model-offer.ts';
import '../../../src/chat/models/model-suggestions.ts';
import '../../../src/chat/models/models-view.ts';
import '../../../src/chat/models/storage-panel.ts';
import { modelName } from '../../../src/chat/common/model-name.ts';
import { press } from '../specimen-actions.ts';
import { LONG_WORDS } from '../samples/conversations.ts';
import {
  BUILT_IN,
  DOWNLOADS,
  MANY_MODELS,
  SAMPLE_OFFER,
  SAMPLE_SPEED,
  sampleModel,
  SUGGESTED,
} from '../samples/models.ts';
import { STATUSES } from '../samples/statuses.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

function card(changes: Partial<ModelListing>, properties: object = {}): SpecimenState {
  const model = sampleModel(changes);
  const all = { model, name: modelName(model.id), ...properties };
  return { template: () => html`${Object.assign(document.createElement('model-card'), all)}` };
}

function download(progress: DownloadProgress): Partial<ModelListing> {
  return { state: { kind: 'download', progress } };
}

function view(surroundings: Partial<SpecimenState>): SpecimenState {
  return { place: 'screen', template: () => html`<models-view></models-view>`, ...surroundings };
}

/** An average device. */
const SAMPLE_DEVICE: Device = { memory: 8 * 2 ** 30, gpu: 'nvidia ampere', speed: SAMPLE_SPEED };

const NO_STATES: ModelStates = { answering: [], busy: new Map(), failures: new Map(), device: SAMPLE_DEVICE };

function suggestions(models: readonly ModelListing[], states: Partial<ModelStates> = {}): SpecimenState {
  return {
    template: () =>
      html`<model-suggestions .models=${models} .states=${{ ...NO_STATES, ...states }}></model-suggestions>`,
  };
}

function catalogue(models: readonly ModelListing[], act?: SpecimenState['act']): SpecimenState {
  return {
    place: 'screen',
    template: () => html`<model-catalogue .models=${models} .states=${NO_STATES}></model-catalogue>`,
    ...(act && { act }),
  };
}

function line(downloads: readonly DownloadProgress[], arrived: DownloadLine['arrived'] = null): SpecimenState {
  const byId = new Map(downloads.map((progress, index) => [String(index), progress]));
  return {
    place: 'screen',
    template: () => html`<download-line .downloads=${byId} .arrived=${arrived}></download-line>`,
  };
}

function storage(report: object): SpecimenState {
  return { template: () => html`<storage-panel .report=${report}></storage-panel>` };
}

function gguf(properties: Partial<AddGguf>): SpecimenState {
  return { template: () => html`${Object.assign(document.createElement('add-gguf'), properties)}` };
}

function offer(models: readonly ModelListing[], answer?: string): SpecimenState {
  return { models, template: () => html`<model-offer answer=${ifDefined(answer)}></model-offer>` };
}

const form: SpecimenState = { template: () => html`<custom-model-form></custom-model-form>` };
const DOUBTFUL = fitFor('doubtful', [say('tightMainMemory', 6.3e9, 8e9)]);
const present = { kind: 'present', bytes: 8.7e8, missing: [] } as const;

export const modelSpecimens: SpecimenTable = {
  'download-status': Object.fromEntries([
    ...Object.entries(DOWNLOADS).map(([name, progress]) => [
      name,
      { template: () => html`<download-status .progress=${progress}></download-status>` },
    ]),
    [
      'files-open',
      {
        template: () => html`<download-status .progress=${DOWNLOADS.downloading}></download-status>`,
        act: press('summary'),
      },
    ],
  ]),
  'model-card': {
    absent: card({}),
    'built-in': card({ ...BUILT_IN, state: { kind: 'absent' } }),
    'built-in-kept': card(BUILT_IN),
    'of-the-site': card({ origin: 'built-in', state: present }),
    'moved-by-the-site': card({ origin: 'built-in', leftBytes: 9e8 }),
    'no-longer-of-the-site': card({ origin: 'built-in', leftBytes: 9e8, fit: { verdict: 'no', reasons: [] } }),
    doubtful: card({ fit: DOUBTFUL }),
    slow: card({ format: 'gguf', parameters: 7e9 }, { device: { ...SAMPLE_DEVICE, gpu: '' } }),
    'most-of-the-memory': card({ memoryBytes: 7e9 }, { device: SAMPLE_DEVICE }),
    'does-not-fit': card({ fit: { ...DOUBTFUL, verdict: 'no' } }),
    'continues-text': card({ fit: DOUBTFUL, format: 'gguf', continues: true }),
    downloading: card(download(DOWNLOADS.downloading)),
    paused: card(download(DOWNLOADS.paused)),
    failed: card(download(DOWNLOADS.failed)),
    present: card({ state: present }),
    answering: card({ state: present }, { answering: true, device: SAMPLE_DEVICE }),
    'window-to-choose': card({ state: present, windowLimits: { most: 40_960, bytesPerToken: 114_688 } }),
    'all-to-choose': card({
      state: present,
      windowLimits: { most: 40_960, bytesPerToken: 114_688 },
      settings: { parallel: 2, mostParallel: 4, bytesPerRequest: 469_762_048, keepAlive: 300 },
    }),
    loading: card({ state: present }, { busy: 'load' }),
    'files-missing': card({ state: { ...present, missing: ['params_shard_0.bin', 'tokenizer.json'] } }),
    'action-failed': card({ state: present }, { failure: LONG_WORDS }),
    'asking-its-server': card({}, { busy: 'download' }),
    'size-known': card({ downloadIsEstimated: false }),
    'nothing-known': card({
      parameters: null,
      quantization: null,
      licence: null,
      page: null,
      memoryBytes: null,
      downloadBytes: null,
      contextWindow: null,
    }),
    long: card({ id: 'x'.repeat(120), family: LONG_WORDS, origin: 'custom', thinking: true, images: true }),
  },
  'model-suggestions': {
    three: suggestions(SUGGESTED),
    'memory-unknown': suggestions(SUGGESTED, { device: { ...SAMPLE_DEVICE, memory: null } }),
    'speed-unknown': suggestions(SUGGESTED, { device: { ...SAMPLE_DEVICE, speed: null } }),
    nothing: suggestions([BUILT_IN]),
    here: suggestions(SUGGESTED.map((model) => ({ ...model, state: present }))),
    downloading: suggestions(SUGGESTED.map((model) => ({ ...model, ...download(DOWNLOADS.downloading) }))),
    'asking-its-server': suggestions(SUGGESTED, { busy: new Map(SUGGESTED.map(({ id }) => [id, 'chat'] as const)) }),
    failed: suggestions(SUGGESTED, { failures: new Map(SUGGESTED.map(({ id }) => [id, LONG_WORDS] as const)) }),
  },
  'model-catalogue': {
    folded: catalogue(MANY_MODELS),
    'a-family-open': catalogue(MANY_MODELS, press('summary')),
  },
  'download-line': {
    'every-download': line(Object.values(DOWNLOADS)),
    arrived: line([], { id: 'Llama-3.2-1B-Instruct-q4f16_1-MLC', question: null }),
    'arrived-for-the-next-chat': line([], { id: 'Llama-3.2-1B-Instruct-q4f16_1-MLC', question: LONG_WORDS }),
  },
  'storage-panel': {
    some: storage({ modelBytes: 8e8, usedBytes: 9e8, quotaBytes: 1e11 }),
    full: storage({ modelBytes: 8e8, usedBytes: 9e8, quotaBytes: 9e8 }),
    unlimited: storage({ modelBytes: 8e8, usedBytes: 9e8, quotaBytes: Infinity }),
  },
  'custom-model-form': { empty: form },
  'add-gguf': {
    empty: gguf({}),
    reading: gguf({ isReading: true }),
    offered: gguf({ offer: SAMPLE_OFFER }),
    'sees-images': gguf({ offer: { ...SAMPLE_OFFER, facts: { ...SAMPLE_OFFER.facts, mmprojBytes: 2e8 } } }),
    doubtful: gguf({ offer: { ...SAMPLE_OFFER, fit: DOUBTFUL } }),
    'cannot-run': gguf({ offer: { ...SAMPLE_OFFER, fit: { ...DOUBTFUL, verdict: 'no' } } }),
    present: gguf({ offer: { ...SAMPLE_OFFER, state: 'present' } }),
    refused: gguf({ problem: { sentence: 'The file is not a GGUF file.', details: null } }),
    unreachable: gguf({ from: 'https://example.org/x.gguf', problem: { sentence: LONG_WORDS, details: LONG_WORDS } }),
  },
  'gguf-dialog': { empty: { place: 'screen', template: () => html`<gguf-dialog .files=${[]}></gguf-dialog>` } },
  'model-offer': {
    'first-visit': offer([BUILT_IN, ...SUGGESTED]),
    'below-a-decline': offer([BUILT_IN, ...SUGGESTED], 'some-answer'),
    'on-its-way': offer([BUILT_IN, sampleModel(download(DOWNLOADS.downloading))], 'some-answer'),
    here: offer([BUILT_IN, sampleModel({ state: present })], 'some-answer'),
  },
  'models-view': {
    filled: view({}),
    reading: view({ models: null }),
    failed: view({ models: new ApiError('engine_unavailable', 'The engine worker does not answer.') }),
    loading: view({ status: STATUSES.loading }),
    idle: view({ status: STATUSES.idle }),
    unsupported: view({ status: STATUSES['no-webgpu'] }),
    'nothing-found': view({ models: [BUILT_IN] }),
  },
};
