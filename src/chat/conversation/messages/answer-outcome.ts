import { html, nothing, type TemplateResult } from 'lit';
import type { ApiErrorCode } from '../../../shared/api-error.ts';
import { BUILT_IN_MODEL_ID } from '../../../shared/models/built-in-models.ts';
import { canContinue } from '../../answers/continue-answer.ts';
import type { Answer } from '../../types/conversation.ts';
import { contextStrings } from '../../strings/context-window-strings.ts';
import { explainError } from '../../strings/answer-errors.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { icon } from '../../theme/icons.ts';
import { laterIcons } from '../../theme/later-icons.ts';

/** Events of the buttons below an answer that has ended; see `AnswerMessage`. */
export type OutcomeEvent = 'continue' | 'continue-elsewhere' | 'regenerate';

type OutcomeButton = (event: OutcomeEvent, words: string) => TemplateResult;

/** Renders how an answer ended and how to go on; nothing if it ended normally. */
export function answerOutcome(answer: Answer, button: OutcomeButton): TemplateResult | typeof nothing {
  const { state, finishReason, text, error, isStuck, isFiltered, sources, model } = answer;
  if (state === 'failed') return failure(answer, button, error?.code ?? 'internal_error', error?.message ?? '');
  if (state === 'stopped') return cut(answer, button, messageStrings.stopped);
  if (state === 'interrupted') return cut(answer, button, messageStrings.interrupted);
  if (isStuck) {
    return html`<div class="notice"><p>${messageStrings.stuck}</p>${button('regenerate', messageStrings.retry)}</div>`;
  }
  if (isFiltered) {
    return html`<div class="notice">
      <p>${messageStrings.filtered}</p>
      ${button('regenerate', messageStrings.retry)}
    </div>`;
  }
  if (finishReason === 'length') return cut(answer, button, limitOf(answer));
  // The page has answered, with what was found in the documents of the chat.
  if (sources && (sources.length === 0 || model === BUILT_IN_MODEL_ID)) return nothing;
  if (text === '') return html`<p class="quiet">${messageStrings.emptyAnswer}</p>`;
  return nothing;
}

function limitOf({ settings: { maxTokens }, engine }: Answer): string {
  if (maxTokens !== null) return messageStrings.cutByLimit(maxTokens);
  return engine?.startsWith('upstream:') ? messageStrings.cutByServer : messageStrings.cutByWindow;
}

function cut(answer: Answer, button: OutcomeButton, words: string): TemplateResult {
  return html`<div class="notice">
      <p>${words}</p>
      ${canContinue(answer) ? button('continue', messageStrings.continue) : nothing}
      ${
        answer.state !== 'complete'
          ? button('regenerate', messageStrings.retry)
          : canContinue(answer)
            ? nothing
            : button('continue-elsewhere', messageStrings.makeRoom)
      }
    </div>`;
}

function failure(answer: Answer, button: OutcomeButton, code: ApiErrorCode, message: string): TemplateResult {
  const isTooLong = code === 'context_length_exceeded';
  return html`<div class="notice error">
      <p>
        ${icon(laterIcons.warning)}
        <span>
          ${explainError(code)}
          ${isTooLong && answer.settings.systemPrompt !== '' ? contextStrings.promptCounts : nothing}
          ${message === '' ? nothing : html`<span class="reason">${message}</span>`}
        </span>
      </p>
      ${canContinue(answer) ? button('continue', messageStrings.continue) : nothing}
      ${
        code === 'model_not_found' || code === 'model_not_loaded' || code === 'model_load_failed'
          ? html`<a class="button" href="#/models">${messageStrings.openModels}</a>`
          : nothing
      }
      ${
        // The prompt is too long, and would be too long again at a retry.
        isTooLong ? button('continue-elsewhere', messageStrings.makeRoom) : button('regenerate', messageStrings.retry)
      }
    </div>`;
}
