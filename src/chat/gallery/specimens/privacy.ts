import { html } from 'lit';
import { MODEL_HOSTS } from '../../../shared/security-headers.ts';
import '../../privacy/privacy-view.ts';
import { SAMPLE_TIME } from '../samples/developers.ts';
import { SAMPLE_ANSWERS } from '../samples/privacy.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const privacy: SpecimenState = { place: 'screen', template: () => html`<privacy-view></privacy-view>` };

const outsideRequests = MODEL_HOSTS.map((host, index) => ({
  address: `${host.replace('*', 'files')}/a/model/${'folder/'.repeat(10)}params_shard_${index}.bin`,
  time: SAMPLE_TIME,
  bytes: 3e7,
}));

const answers: SpecimenState = { template: () => html`<stored-answers-list></stored-answers-list>` };

export const privacySpecimens: SpecimenTable = {
  'stored-answers-list': {
    empty: answers,
    filled: { ...answers, answers: SAMPLE_ANSWERS },
  },
  'privacy-view': {
    'nothing-left': privacy,
    'models-fetched': { ...privacy, outsideRequests },
    'no-service-worker': { ...privacy, site: null },
    'no-policy': { ...privacy, policy: null },
  },
};
