import { html } from 'lit';
import '../../../src/chat/app/all-chats-dialog.ts';
import '../../../src/chat/app/app-menu.ts';
import '../../../src/chat/app/chat-app.ts';
import '../../../src/chat/app/side-bar.ts';
import '../../../src/chat/app/status-banner.ts';
import '../../../src/chat/app/unsupported-notice.ts';
import '../../../src/chat/app/reload-button.ts';
import '../../../src/chat/app/update-prompt.ts';
import '../../../src/chat/app/shortcuts-dialog.ts';
import '../../../src/chat/offline/offline-badge.ts';
import '../../../src/chat/palette/command-palette.ts';
import { press, whenThere } from '../specimen-actions.ts';
import { SAMPLE_CONVERSATIONS } from '../samples/conversations.ts';
import { SAMPLE_KEYS, SAMPLE_RECORDS } from '../samples/developers.ts';
import { SAMPLE_UPSTREAMS } from '../samples/privacy.ts';
import { STATUSES } from '../samples/statuses.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

function app(hash: string, surroundings: Partial<SpecimenState> = {}): SpecimenState {
  return {
    place: 'page',
    template: () => html`<chat-app></chat-app>`,
    conversations: SAMPLE_CONVERSATIONS,
    hash,
    ...surroundings,
  };
}

function banner(surroundings: Partial<SpecimenState>): SpecimenState {
  return { place: 'screen', template: () => html`<status-banner></status-banner>`, ...surroundings };
}

function notice(surroundings: Partial<SpecimenState>): SpecimenState {
  const { status } = UNSUPPORTED;
  return {
    place: 'screen',
    template: () => html`<unsupported-notice .status=${status}></unsupported-notice>`,
    ...UNSUPPORTED,
    ...surroundings,
  };
}

function badge(surroundings: Partial<SpecimenState>): SpecimenState {
  return { place: 'side', template: () => html`<offline-badge></offline-badge>`, ...surroundings };
}

/** Opens the details of the offline badge once they are rendered. */
async function openProof(element: HTMLElement): Promise<void> {
  await whenThere(element, '.evidence');
  (await whenThere(element, 'summary')).click();
}

const UNSUPPORTED = { status: STATUSES['no-webgpu'] };
const INCOMPLETE = { files: 30, missing: ['assets/one.js', 'assets/two.css'], outsideRequests: [], isStrict: false };

export const appSpecimens: SpecimenTable = {
  'chat-app': {
    empty: app('', { conversations: [] }),
    chat: app('#/chat/every'),
    models: app('#/models'),
    developers: app('#/developers', { keys: SAMPLE_KEYS, records: SAMPLE_RECORDS }),
    privacy: app('#/privacy'),
    // The first visit of a browser without WebGPU.
    unsupported: app('', { ...UNSUPPORTED, conversations: [] }),
    'models-unsupported': app('#/models', UNSUPPORTED),
    'developers-unsupported': app('#/developers', UNSUPPORTED),
    failed: app('#/chat/every', { status: STATUSES.failed, updateAvailable: true }),
  },
  'status-banner': Object.fromEntries(Object.entries(STATUSES).map(([name, status]) => [name, banner({ status })])),
  'unsupported-notice': {
    'no-webgpu': notice({}),
    'upstream-offered': notice({ upstreams: SAMPLE_UPSTREAMS.map((upstream) => ({ ...upstream, allowed: false })) }),
    'upstream-allowed': notice({ upstreams: SAMPLE_UPSTREAMS }),
  },
  'all-chats-dialog': {
    open: { place: 'screen', template: () => html`<all-chats-dialog></all-chats-dialog>` },
  },
  'reload-button': { shown: { template: () => html`<reload-button></reload-button>` } },
  'update-prompt': {
    waiting: { updateAvailable: true, template: () => html`<update-prompt></update-prompt>` },
    none: { template: () => html`<update-prompt></update-prompt>` },
  },
  'side-bar': {
    empty: { place: 'side', template: () => html`<side-bar></side-bar>` },
    filled: { place: 'side', template: () => html`<side-bar></side-bar>`, conversations: SAMPLE_CONVERSATIONS },
    'in-drawer': { place: 'side', template: () => html`<side-bar inDrawer></side-bar>`, hash: '#/models' },
  },
  'app-menu': {
    closed: { place: 'side', template: () => html`<app-menu></app-menu>` },
    open: { place: 'screen', template: () => html`<app-menu></app-menu>`, act: press('button') },
  },
  'shortcuts-dialog': { open: { place: 'screen', template: () => html`<shortcuts-dialog open></shortcuts-dialog>` } },
  'command-palette': {
    open: {
      place: 'screen',
      template: () => html`<command-palette open></command-palette>`,
      conversations: SAMPLE_CONVERSATIONS,
    },
  },
  'offline-badge': {
    ready: badge({}),
    'ready-except-upstreams': badge({ upstreams: SAMPLE_UPSTREAMS }),
    'ready-proof': badge({ act: openProof }),
    'offline-now': badge({ online: false }),
    'no-service-worker': badge({ site: null, act: openProof }),
    'files-missing': badge({ site: INCOMPLETE, act: openProof }),
    'no-model': badge({ models: [], act: openProof }),
    checking: badge({ models: null }),
  },
};
