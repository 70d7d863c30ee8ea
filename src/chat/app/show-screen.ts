import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import '../conversation/conversation-view.ts';
import { appStrings } from '../strings/app-strings.ts';
import type { Route } from '../common/route.ts';

/** Renders the screen of a route. All screens but the conversation are loaded on demand. */
export function showScreen(route: Route): TemplateResult {
  switch (route.view) {
    case 'chat':
      return conversationScreen(route.conversation);
    case 'temporary':
      return html`<temporary-chat .conversationScreen=${conversationScreen}></temporary-chat>${failureOf('temporary')}`;
    case 'documents':
      return html`<documents-view></documents-view>${failureOf('documents')}`;
    case 'models':
      return html`<models-view></models-view>${failureOf('models')}`;
    case 'developers':
      return html`<developers-view></developers-view>${failureOf('developers')}`;
    case 'privacy':
      return html`<privacy-view><temporary-proof></temporary-proof></privacy-view>${failureOf('privacy')}`;
  }
}

/** Renders the screen of a conversation; null means a new conversation. */
export function conversationScreen(conversation: string | null): TemplateResult {
  return html`<conversation-view .conversationId=${conversation}></conversation-view>`;
}

const LOADERS = {
  temporary: () => import('../temporary/temporary-chat.ts'),
  documents: () => import('../documents/documents-view.ts'),
  models: () => import('../models/models-view.ts'),
  developers: () => import('../developers/developers-view.ts'),
  privacy: () => Promise.all([import('../privacy/privacy-view.ts'), import('../temporary/temporary-proof.ts')]),
} as const;

const loading = new Map<keyof typeof LOADERS, Promise<unknown>>();

/**
 * Loads the code of a screen. Renders an error if loading fails, as may happen to an old page after an update;
 * otherwise nothing.
 */
function failureOf(view: keyof typeof LOADERS): unknown {
  let failure = loading.get(view);
  if (failure === undefined) {
    failure = LOADERS[view]().then(
      () => '',
      () => {
        loading.delete(view);
        return html`<p role="alert">
          ${appStrings.viewFailed} <reload-button></reload-button>
        </p>`;
      },
    );
    loading.set(view, failure);
  }
  return until(failure, '');
}
