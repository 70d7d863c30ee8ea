import { html } from 'lit';
import { MODEL_HOSTS } from '../../../src/shared/security/security-headers.ts';
import '../../../src/chat/privacy/privacy-view.ts';
import { judgeLeak, LEAK_WAYS } from '../../../src/chat/privacy/leak/leak-verdict.ts';
import '../../../src/chat/temporary/temporary-proof.ts';
import { SAMPLE_TIME } from '../samples/developers.ts';
import { SAMPLE_ANSWERS, SAMPLE_SENT_REQUESTS, SAMPLE_UPSTREAMS } from '../samples/privacy.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const privacy: SpecimenState = {
  place: 'screen',
  template: () => html`<privacy-view><temporary-proof></temporary-proof></privacy-view>`,
};

const outsideRequests = MODEL_HOSTS.map((host, index) => ({
  address: `${host.replace('*', 'files')}/a/model/${'folder/'.repeat(10)}params_shard_${index}.bin`,
  time: SAMPLE_TIME,
  bytes: 3e7,
}));

const answers: SpecimenState = { template: () => html`<stored-answers-list></stored-answers-list>` };

const upstreams: SpecimenState = { template: () => html`<upstream-list></upstream-list>` };

const NO_EVIDENCE = { directive: null, isTimed: false, allowlist: null };

/** Every way out with every kind of verdict. */
const verdicts = LEAK_WAYS.flatMap((way) => [
  judgeLeak(way, { kind: 'ended' }, { directive: 'connect-src', isTimed: true, allowlist: null }),
  judgeLeak(way, { kind: 'refused', detail: 'SecurityError' }, NO_EVIDENCE),
  judgeLeak(way, { kind: 'absent', detail: 'RTCPeerConnection' }, NO_EVIDENCE),
  judgeLeak(way, { kind: 'sent', detail: 'ICE 701' }, NO_EVIDENCE),
  judgeLeak(way, { kind: 'ended' }, { ...NO_EVIDENCE, isTimed: true }),
  judgeLeak(way, { kind: 'ended' }, NO_EVIDENCE),
  judgeLeak(way, { kind: 'ended' }, { ...NO_EVIDENCE, allowlist: '(response-origin "https://*.huggingface.co/*")' }),
  judgeLeak(way, { kind: 'hidden' }, NO_EVIDENCE),
  judgeLeak(way, { kind: 'untried' }, NO_EVIDENCE),
]);

export const privacySpecimens: SpecimenTable = {
  'stored-answers-list': {
    empty: answers,
    filled: { ...answers, answers: SAMPLE_ANSWERS },
  },
  'upstream-list': {
    none: upstreams,
    'no-longer-named': { ...upstreams, sentRequests: SAMPLE_SENT_REQUESTS },
    offered: { ...upstreams, upstreams: SAMPLE_UPSTREAMS.map((upstream) => ({ ...upstream, allowed: false })) },
    used: { ...upstreams, upstreams: SAMPLE_UPSTREAMS, sentRequests: SAMPLE_SENT_REQUESTS },
  },
  'leak-test': { untried: { template: () => html`<leak-test></leak-test>` } },
  'leak-table': { verdicts: { template: () => html`<leak-table .verdicts=${verdicts}></leak-table>` } },
  'privacy-view': {
    'nothing-left': privacy,
    'models-fetched': { ...privacy, outsideRequests },
    'no-service-worker': { ...privacy, site: null },
    'no-policy': { ...privacy, policy: null },
  },
};
