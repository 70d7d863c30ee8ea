import { html } from 'lit';
import '../../../src/chat/conversation/conversation-header.ts';
import '../../../src/chat/conversation/conversation-view.ts';
import '../../../src/chat/common/copy-button.ts';
import '../../../src/chat/conversation/composer/displaced-model-notice.ts';
import { messageStrings } from '../../../src/chat/strings/message-strings.ts';
import '../../../src/chat/conversation/composer/context-meter.ts';
import '../../../src/chat/conversation/composer/continue-dialog.ts';
import '../../../src/chat/conversation/first-questions.ts';
import '../../../src/chat/conversation/composer/left-out-line.ts';
import '../../../src/chat/conversation/composer/closed-tab-drafts.ts';
import '../../../src/chat/conversation/composer/message-composer.ts';
import '../../../src/chat/conversation/composer/nearly-full-notice.ts';
import '../../../src/chat/conversation/composer/queued-questions.ts';
import '../../../src/chat/conversation/composer/documents-chip.ts';
import '../../../src/chat/conversation/composer/tools-chip.ts';
import '../../../src/chat/conversation/settings/preset-picker.ts';
import '../../../src/chat/conversation/settings/settings-dialog.ts';
import { questionQueues } from '../../../src/chat/storage/drafts/question-queues.ts';
import { DEFAULT_SETTINGS } from '../../../src/chat/types/conversation.ts';
import { named, press, whenThere } from '../specimen-actions.ts';
import { everyAnswer, LONG_WORDS, RICH_TEXT } from '../samples/conversations.ts';
import { STATUSES } from '../samples/statuses.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const MODELS = ['pocket', 'Sample-1.5B-q4f16_1-MLC'].map((id) => ({ id, context_window: 4096 }));
const LONG_NAMED = 'DeepSeek-R1-Distill-Llama-8B-q4f16_1-MLC';
/** Sample values for the dialog of a full chat. */
const FULL = { model: 'Sample-1.5B-q4f16_1-MLC', store: { isTemporary: false } };
const DESK = { name: 'desk', host: 'localhost:4383', isFallback: false };
const FALLBACK = { ...DESK, isFallback: true };
const every = everyAnswer();

/** The composer of a chat with tools and a model, whose context meter is in the composer as on a phone. */
function composerWithTools(model: string): SpecimenState {
  const models = [{ id: model, context_window: 4096 }];
  const settings = { ...DEFAULT_SETTINGS, tools: ['calculate', 'search_chats'] };
  return {
    status: STATUSES.loading,
    template: () => html`<message-composer .models=${models} model=${model} .path=${[]} .conversationId=${null}>
      <documents-chip slot="tools" .settings=${{ ...settings, documents: { id: 'vs-1', name: 'Harbours' } }}></documents-chip>
      <tools-chip slot="tools" .settings=${settings}></tools-chip>
      <context-meter slot="meter" .model=${models[0]} .counted=${{ model, tokens: 3900 }}></context-meter>
    </message-composer>`,
  };
}

function composer(properties: object, surroundings: Partial<SpecimenState> = {}): SpecimenState {
  const all = { conversationId: null, models: MODELS, model: 'pocket', status: STATUSES.ready, ...properties };
  return { ...surroundings, template: () => html`${Object.assign(document.createElement('message-composer'), all)}` };
}

/** The notice above the composer, in a chat with the built-in model. */
function notice(displaced: string | null): SpecimenState {
  return {
    template: () => html`<displaced-model-notice model="pocket" .displaced=${displaced}></displaced-model-notice>`,
  };
}

function view(id: string | null, surroundings: Partial<SpecimenState> = {}): SpecimenState {
  return {
    place: 'screen',
    template: () => html`<conversation-view .conversationId=${id}></conversation-view>`,
    conversations: [every],
    ...surroundings,
  };
}

async function type(element: HTMLElement, selector: string, text: string): Promise<void> {
  const field = await whenThere(element, selector);
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) field.value = text;
}

function settings(changes: object, act?: SpecimenState['act'], section: 'tools' | null = null): SpecimenState {
  const { conversation } = everyAnswer();
  return {
    place: 'screen',
    template: () =>
      html`<settings-dialog open .section=${section} .settings=${{ ...conversation.settings, ...changes }} .model=${MODELS[0]}></settings-dialog>`,
    ...(act && { act }),
  };
}

export const conversationSpecimens: SpecimenTable = {
  'first-questions': {
    'other-model': {
      place: 'screen',
      template: () =>
        html`<first-questions .status=${STATUSES.ready} model="Sample-1.5B-q4f16_1-MLC"></first-questions>`,
    },
    ...Object.fromEntries(
      [DESK, FALLBACK].map((destination) => [
        destination.isFallback ? 'elsewhere-if-needed' : 'elsewhere',
        {
          place: 'screen',
          template: () =>
            html`<first-questions .status=${STATUSES.ready} .destination=${destination} model="big-chat"></first-questions>`,
        },
      ]),
    ),
    ...Object.fromEntries(
      (['starting', 'ready', 'no-webgpu'] as const).map((name) => [
        name,
        {
          place: 'screen',
          template: () =>
            html`<first-questions .status=${STATUSES[name]} ?disabled=${name === 'no-webgpu'}></first-questions>`,
        },
      ]),
    ),
  },
  'context-meter': Object.fromEntries(
    [
      ['some', 812],
      ['nearly-full', 3900],
      ['too-much', 9000],
    ].map(([state, tokens]) => [
      String(state),
      {
        // While the model loads, the meter counts no tokens and shows those that are given here.
        status: STATUSES.loading,
        template: () =>
          html`<context-meter .model=${MODELS[0]} .counted=${{ model: 'pocket', tokens }}></context-meter>`,
      },
    ]),
  ),
  'nearly-full-notice': {
    full: {
      place: 'screen',
      // The notice lies above the place of its element.
      template: () => html`<div style="padding-top: 12rem">
        <nearly-full-notice .measured=${{ chat: 'every', share: 0.83 }}></nearly-full-notice>
      </div>`,
    },
  },
  'left-out-line': { shown: { template: () => html`<left-out-line></left-out-line>` } },
  'continue-dialog': {
    choices: { place: 'screen', template: () => html`<continue-dialog .chat=${FULL}></continue-dialog>` },
    summing: {
      place: 'screen',
      template: () => html`<continue-dialog .chat=${FULL} .summary=${LONG_WORDS}></continue-dialog>`,
    },
  },
  'message-composer': {
    empty: composer({}),
    'with-text': composer({}, { draft: 'A question that is being typed' }),
    long: composer({}, { draft: `${LONG_WORDS}\n\n${LONG_WORDS}` }),
    answering: composer({ answering: true }),
    loading: composer({ status: STATUSES.loading }),
    elsewhere: composer({ destination: DESK }),
    'elsewhere-if-needed': composer({ destination: FALLBACK }),
    unsupported: composer({ status: STATUSES['no-webgpu'] }),
    'without-models': composer({ models: [] }),
    'long-name': composer({ models: [{ id: LONG_NAMED }], model: LONG_NAMED }),
    'with-tools': composerWithTools('Llama-3.2-1B-Instruct-q4f16_1-MLC'),
    'with-tools-and-long-name': composerWithTools('DeepSeek-R1-Distill-Qwen-7B-q4f16_1-MLC'),
    'model-not-on-device': composer({ model: LONG_WORDS.slice(-100) }),
  },
  'tools-chip': Object.fromEntries(
    [['calculate'], ['calculate', 'run_javascript', 'search_chats']].map((tools) => [
      `${tools.length}-on`,
      { template: () => html`<tools-chip .settings=${{ ...DEFAULT_SETTINGS, tools }}></tools-chip>` },
    ]),
  ),
  'queued-questions': Object.fromEntries(
    [true, false].map((answering) => [
      answering ? 'waiting' : 'held',
      {
        place: 'screen',
        template: () => {
          const chat = { id: 'every', path: [], state: 'open', answering, isTemporary: true } as const;
          questionQueues.forget();
          for (const text of ['And then?', LONG_WORDS]) void questionQueues.add(chat, { text });
          return html`<queued-questions .chat=${{ ...chat, refresh: () => Promise.resolve() }}></queued-questions>`;
        },
      },
    ]),
  ),
  'closed-tab-drafts': {
    'text-and-files': {
      place: 'screen',
      template: () =>
        html`<closed-tab-drafts
          .tabs=${[
            { tab: 'one', text: 'What is a service worker?', files: 2, changed: 2 },
            { tab: 'two', text: LONG_WORDS, files: 0, changed: 1 },
          ]}
        ></closed-tab-drafts>`,
    },
  },
  'displaced-model-notice': {
    displacing: notice('Sample-1.5B-q4f16_1-MLC'),
    long: notice(LONG_WORDS.slice(-100)),
    none: notice(null),
  },
  'conversation-header': {
    named: {
      place: 'screen',
      template: () =>
        html`<conversation-header .conversation=${{ ...every.conversation, title: LONG_WORDS }} model="pocket"></conversation-header>`,
    },
    elsewhere: {
      place: 'screen',
      template: () =>
        html`<conversation-header .conversation=${every.conversation} .destination=${DESK} model="big-chat"></conversation-header>`,
    },
    new: { place: 'screen', template: () => html`<conversation-header model="pocket"></conversation-header>` },
  },
  'copy-button': Object.fromEntries(
    ([null, 'copied', 'failed'] as const).map((outcome) => [
      outcome ?? 'resting',
      {
        template: () =>
          html`<copy-button .text=${'Because.'} label=${messageStrings.copyAnswer} .outcome=${outcome}></copy-button>`,
      },
    ]),
  ),
  'preset-picker': {
    resting: { template: () => html`<preset-picker></preset-picker>` },
    chosen: {
      template: () => html`<preset-picker></preset-picker>`,
      act: async (element) => {
        const field = await whenThere(element, 'select');
        if (!(field instanceof HTMLSelectElement)) return;
        field.value = 'edit';
        field.dispatchEvent(new Event('change'));
        await press('button[aria-expanded]')(element);
      },
    },
  },
  'settings-dialog': {
    defaults: settings(DEFAULT_SETTINGS),
    tools: settings({ tools: ['calculate'] }, undefined, 'tools'),
    advanced: settings(DEFAULT_SETTINGS, press('summary')),
    filled: settings({
      systemPrompt: LONG_WORDS,
      temperature: 0.7,
      topP: 0.9,
      maxTokens: 100,
      seed: 1,
      stop: ['END', 'STOP'],
      jsonSchema: '{"type":"object"}',
    }),
    problem: settings({}, async (element) => {
      await type(element, '[name=jsonSchema]', '{');
      await press('button.primary')(element);
      await whenThere(element, '[role=alert]');
    }),
  },
  'conversation-view': {
    empty: view(null),
    'every-answer': view('every'),
    missing: view('gone'),
    unsupported: view('every', { status: STATUSES['no-webgpu'] }),
    streaming: view(null, {
      completion: { pieces: [RICH_TEXT, '\n\nThe words so far'], ends: false },
      act: async (element) => {
        await type(element, 'textarea', 'Tell me everything');
        await press('button.go')(element);
        await whenThere(element, 'markdown-text[growing]');
      },
    }),
    answered: view(null, {
      completion: { pieces: ['Because', ' it is so.'], ends: true },
      act: async (element) => {
        await type(element, 'textarea', 'Why?');
        await press('button.go')(element);
        await whenThere(element, named('copyAnswer')());
      },
    }),
    'settings-open': view('every', { act: press(named('settings')) }),
  },
};
