import { html, render } from 'lit';
import { securityHeaders } from '../../src/shared/security/security-headers.ts';
import { AnswerRunner } from '../../src/chat/answers/answer-runner.ts';
import { provideServices } from '../../src/chat/common/contexts.ts';
import '../../src/chat/markdown/formula-to-mathml.ts';
import '../../src/chat/markdown/renderer.ts';
import { ConversationStore } from '../../src/chat/storage/conversation-store.ts';
import { preferredLanguage } from '../../src/chat/strings/page-language.ts';
import { useLanguage } from '../../src/chat/strings/use-language.ts';
import { followColourScheme } from '../../src/chat/theme/colour-scheme.ts';
import '../../src/chat/theme/web-awesome.ts';
import { SAMPLE_MODELS } from './samples/models.ts';
import { STATUSES } from './samples/statuses.ts';
import type { SpecimenState, Surroundings } from './specimen.ts';
import { findSpecimens } from './specimens.ts';
import { fillDevice, replaceDevice } from './surroundings/sample-device.ts';
import { SampleTabserve } from './surroundings/sample-tabserve.ts';

const USUAL: Surroundings = {
  status: STATUSES.ready,
  updateAvailable: false,
  models: SAMPLE_MODELS,
  storage: { usedBytes: 9e8, quotaBytes: 1e11 },
  outsideRequests: [],
  site: { files: 30, missing: [], outsideRequests: [], isStrict: false },
  policy: securityHeaders()['content-security-policy'] ?? null,
  online: true,
  conversations: [],
  draft: '',
  keys: [],
  records: [],
  answers: [],
  upstreams: [],
  sentRequests: [],
  collections: [],
  completion: { pieces: ['Because', ' it is so.'], ends: true },
  hash: '',
};

/**
 * Shows only the specimen that the address names: `?specimen=answer-message/streaming&scheme=dark&direction=rtl`, or
 * all states side by side: `?specimen=answer-message`. When rendering is complete, the root element gets the attribute
 * `data-shown`.
 */
async function show(address: URLSearchParams): Promise<void> {
  const name = address.get('specimen') ?? '';
  const specimens = findSpecimens(name);
  const [only, further] = specimens;
  if (only === undefined) throw new Error(`The gallery has no specimen called ${name}.`);
  document.title = name;
  dress(address.get('scheme'), address.get('direction'));
  await useLanguage(preferredLanguage(address.get('language'), []));
  const device: Surroundings = { ...USUAL, ...(further === undefined ? only[1] : {}) };
  replaceDevice(device);
  const store = new ConversationStore();
  await fillDevice(device, store);
  history.replaceState(null, '', `${location.search}${device.hash}`);
  const stands = specimens.map(([state, specimen]) => stand(name, state, specimen, store));
  const isWholePage = only[1].place === 'page';
  render(isWholePage ? stands : html`<main><h1 class="read-out">${name}</h1>${stands}</main>`, document.body);
  await atRest();
  const acts = specimens.flatMap(([, { act }], index) => (act === undefined ? [] : [() => act(stands[index]!)]));
  for (const act of acts) await act();
  if (acts.length > 0) await atRest();
  document.documentElement.dataset['shown'] = '';
}

function dress(scheme: string | null, direction: string | null): void {
  const root = document.documentElement;
  root.dir = direction ?? 'ltr';
  followColourScheme();
  if (scheme === null) return;
  root.dataset['colourScheme'] = scheme;
  root.classList.toggle('wa-dark', scheme === 'dark');
}

/** Creates the container of one specimen, with an endpoint of its own. */
function stand(name: string, state: string, specimen: SpecimenState, store: ConversationStore): HTMLElement {
  const { place = 'text', template } = specimen;
  const element = document.createElement(place === 'page' ? 'div' : 'section');
  element.id = state;
  element.className = place;
  const surroundings = { ...USUAL, ...specimen };
  const tabserve = new SampleTabserve(surroundings);
  const updates = Object.assign(new EventTarget(), { available: surroundings.updateAvailable });
  const answers = new AnswerRunner(store, () => tabserve.ready);
  provideServices(element, { tabserve, store, answers, updates });
  const heading = html`<h2 class=${name.includes('/') ? 'read-out' : ''}>${state}</h2>`;
  render(html`${place === 'page' ? '' : heading}${template()}`, element);
  return element;
}

/** Resolves after the page has been idle and unchanged for some frames. */
async function atRest(): Promise<void> {
  let quiet = 0;
  for (let before = -1; quiet < 4;) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    await new Promise(requestAnimationFrame);
    const now = countNodes(document.body);
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}

function countNodes(root: ParentNode): number {
  let count = 0;
  for (const element of root.querySelectorAll('*')) {
    count += 1 + element.childNodes.length;
    if (element.shadowRoot !== null) count += countNodes(element.shadowRoot);
  }
  return count;
}

await show(new URLSearchParams(location.search));
