import { html } from 'lit';
import '../../../src/chat/developers/developers-view.ts';
import '../../../src/chat/developers/key-manager.ts';
import '../../../src/chat/developers/request-log-list.ts';
import '../../../src/chat/developers/snippet-runner.ts';
import { press, whenThere } from '../specimen-actions.ts';
import { SAMPLE_KEYS, SAMPLE_RECORDS } from '../samples/developers.ts';
import { STATUSES } from '../samples/statuses.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const keys: SpecimenState = { template: () => html`<key-manager></key-manager>` };
const runner: SpecimenState = {
  template: () => html`<snippet-runner .baseUrl=${`${location.origin}/v1`}></snippet-runner>`,
};
export const developerSpecimens: SpecimenTable = {
  'key-manager': {
    empty: keys,
    filled: { ...keys, keys: SAMPLE_KEYS },
    'some-models': { ...keys, act: chooseModels },
    'name-missing': { ...keys, act: press('form > button') },
    'just-made': {
      ...keys,
      keys: [],
      act: async (element) => {
        Object.assign(await whenThere(element, '#name'), { value: 'notebook' });
        await press('form > button')(element);
        await whenThere(element, 'output');
      },
    },
  },
  'request-log-list': {
    empty: { template: () => html`<request-log-list></request-log-list>` },
    filled: { template: () => html`<request-log-list></request-log-list>`, records: SAMPLE_RECORDS },
    'content-open': {
      template: () => html`<request-log-list></request-log-list>`,
      records: SAMPLE_RECORDS,
      act: press('summary'),
    },
  },
  'snippet-runner': {
    resting: runner,
    running: { ...runner, completion: { pieces: ['The words so far'], ends: false }, act: run },
    answered: { ...runner, completion: { pieces: ['Because', ' it is so.'], ends: true }, act: run },
    refused: { ...runner, status: STATUSES['no-webgpu'], act: run },
  },
  'developers-view': {
    empty: { place: 'screen', template: () => html`<developers-view></developers-view>` },
    filled: {
      place: 'screen',
      template: () => html`<developers-view></developers-view>`,
      keys: SAMPLE_KEYS,
      records: SAMPLE_RECORDS,
    },
    'no-prompt-cache': {
      place: 'screen',
      template: () => html`<developers-view></developers-view>`,
      status: STATUSES['keeps-nothing'],
    },
  },
};

async function chooseModels(element: HTMLElement): Promise<void> {
  (await whenThere(element, 'fieldset label:nth-of-type(2) input')).click();
  await whenThere(element, '.models input');
}

async function run(element: HTMLElement): Promise<void> {
  await press('.row > button')(element);
  await whenThere(element, '.raw');
}
