import { html, type TemplateResult } from 'lit';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import '../../../src/chat/conversation/messages/answer-message.ts';
import '../../../src/chat/conversation/messages/listen-and-compare.ts';
import '../../../src/chat/conversation/messages/branch-switcher.ts';
import { copyAction, deleteAction, regenerateAction } from '../../../src/chat/conversation/messages/message-actions.ts';
import '../../../src/chat/conversation/messages/message-menu.ts';
import '../../../src/chat/conversation/messages/question-message.ts';
import { DEFAULT_SETTINGS, type Answer } from '../../../src/chat/types/conversation.ts';
import { DECLINE } from '../../../src/shared/models/built-in-models.ts';
import { messageStrings } from '../../../src/chat/strings/message-strings.ts';
import { named, press } from '../specimen-actions.ts';
import { sampleAnswer, sampleQuestion } from '../samples/conversation.ts';
import { BUILT_IN, SUGGESTED } from '../samples/models.ts';
import { ARABIC, LONG_WORDS, RICH_TEXT, WIDE_TEXT } from '../samples/conversations.ts';
import type { SpecimenState, SpecimenTable } from '../specimen.ts';

const BRANCHES = ['q1', 'q2', 'q3'].map((id) => sampleQuestion({ id }));

function answer(changes: Partial<Answer>): SpecimenState {
  return { template: () => html`<answer-message .answer=${sampleAnswer(changes)}></answer-message>` };
}

/** A running answer that receives no more text. */
function growing(
  changes: Partial<Answer>,
  progress: Partial<Pick<RunningAnswer, 'catchingUp' | 'reading'>> = {},
): SpecimenState {
  const running = Object.assign(new RunningAnswer(sampleAnswer(changes), () => Promise.resolve()), progress);
  return {
    template: () => html`<answer-message .answer=${running.answer} .running=${running} disabled></answer-message>`,
  };
}

function failed(code: NonNullable<Answer['error']>['code'], message: string, text = ''): SpecimenState {
  return answer({ state: 'failed', text, error: { code, message } });
}

/** A refusal of the built-in model to a question in German. */
function declined(refusedBefore: boolean): SpecimenState {
  const declined = sampleAnswer({ model: 'pocket', text: DECLINE });
  return {
    models: [BUILT_IN, ...SUGGESTED],
    template: () =>
      html`<answer-message .answer=${declined} question="Wer hat die Mona Lisa gemalt?" ?refusedBefore=${refusedBefore}></answer-message>`,
  };
}

function question(text: string): SpecimenState {
  return { template: () => html`<question-message .question=${sampleQuestion({ text })}></question-message>` };
}

function menu(): TemplateResult {
  const message = document.createElement('answer-message');
  const actions = () => [
    copyAction(message, messageStrings.copyAnswer),
    regenerateAction(message),
    deleteAction(message),
  ];
  return html`<message-menu .actions=${actions}></message-menu>`;
}

export const answerSpecimens: SpecimenTable = {
  'answer-message': {
    complete: answer({}),
    declined: declined(false),
    'declined-again': declined(true),
    long: answer({ text: Array.from({ length: 8 }, () => RICH_TEXT).join('\n\n') }),
    wide: answer({ text: WIDE_TEXT, model: LONG_WORDS.slice(-100) }),
    'right-to-left': answer({ text: ARABIC }),
    'with-thinking': answer({ thinking: 'First *this*, then that.' }),
    'thinking-open': { ...answer({ thinking: LONG_WORDS }), act: press('summary') },
    'with-branches': {
      template: () =>
        html`<answer-message .answer=${sampleAnswer()} .siblings=${[sampleAnswer({ id: 'a0' }), sampleAnswer()]}></answer-message>`,
    },
    ...Object.fromEntries(
      (['chosen', 'beside'] as const).map((compared) => [
        compared,
        { template: () => html`<answer-message .answer=${sampleAnswer()} .compared=${compared}></answer-message>` },
      ]),
    ),
    figures: { ...answer({}), act: press(named('figures')) },
    busy: { template: () => html`<answer-message .answer=${sampleAnswer()} disabled></answer-message>` },
    waiting: growing({ text: '' }),
    reading: growing({ text: '' }, { reading: { tokens: 1536, since: performance.now() - 12_000 } }),
    thinking: growing({ text: '', thinking: 'First *this*, then' }),
    streaming: growing({ text: 'The words so far, and a **bold' }),
    'catching-up': growing({ text: 'The words so far' }, { catchingUp: true }),
    stopped: answer({ state: 'stopped' }),
    interrupted: answer({ state: 'interrupted' }),
    'cut-by-limit': answer({ finishReason: 'length', settings: { ...DEFAULT_SETTINGS, maxTokens: 20 } }),
    'cut-by-window': answer({ finishReason: 'length' }),
    stuck: answer({ finishReason: 'length', isStuck: true }),
    filtered: answer({ isFiltered: true }),
    'cut-by-server': answer({ finishReason: 'length', engine: 'upstream:office' }),
    empty: answer({ text: '' }),
    failed: failed('engine_timeout', 'The endpoint’s own sentence.'),
    'failed-without-model': failed('model_not_found', 'The model `x` does not exist.'),
    'failed-without-words': failed('unknown_url', ''),
    'failed-at-length': failed('engine_unavailable', LONG_WORDS, 'The words so far'),
  },
  'listen-and-compare': {
    'other-models': {
      template: () =>
        html`<listen-and-compare .answer=${sampleAnswer()} .models=${[{ id: 'pocket' }, { id: 'Sample-1.5B-q4f16_1-MLC' }]}></listen-and-compare>`,
    },
    'with-voices': {
      template: () =>
        html`<listen-and-compare .answer=${sampleAnswer()} .voices=${[{ lang: 'en', localService: true }]}></listen-and-compare>`,
    },
    speaking: {
      template: () =>
        html`<listen-and-compare .answer=${sampleAnswer()} .voices=${[{ lang: 'en', localService: true }]} .speaking=${true}></listen-and-compare>`,
    },
  },
  'question-message': {
    short: question('Why?'),
    long: question(`${LONG_WORDS}\n\nAnd another paragraph.`),
    'right-to-left': question(ARABIC),
    'with-branches': {
      template: () => html`<question-message .question=${BRANCHES[1]} .siblings=${BRANCHES}></question-message>`,
    },
    busy: { template: () => html`<question-message .question=${sampleQuestion()} disabled></question-message>` },
    editing: { ...question(LONG_WORDS), act: press(named('edit')) },
  },
  'message-menu': {
    closed: { template: menu },
    open: { place: 'screen', template: menu, act: press('button') },
  },
  'branch-switcher': Object.fromEntries(
    BRANCHES.map(({ id }, index) => [
      `version-${index + 1}-of-3`,
      { template: () => html`<branch-switcher .siblings=${BRANCHES} current=${id}></branch-switcher>` },
    ]),
  ),
};
