import { html } from 'lit';
import { conversationScreen } from '../../../src/chat/app/show-screen.ts';
import { AnswerRunner } from '../../../src/chat/answers/answer-runner.ts';
import '../../../src/chat/temporary/temporary-proof.ts';
import { ConversationStore } from '../../../src/chat/storage/conversation-store.ts';
import '../../../src/chat/temporary/temporary-chat.ts';
import { openTemporarySession } from '../../../src/chat/temporary/temporary-session.ts';
import { named, press, whenThere } from '../specimen-actions.ts';
import type { SpecimenTable } from '../specimen.ts';

export const temporarySpecimens: SpecimenTable = {
  'temporary-chat': {
    empty: {
      place: 'screen',
      template: () => html`<temporary-chat .conversationScreen=${conversationScreen}></temporary-chat>`,
    },
    answered: {
      place: 'screen',
      template: () => html`<temporary-chat .conversationScreen=${conversationScreen}></temporary-chat>`,
      completion: { pieces: ['Because', ' it is so.'], ends: true },
      act: async (element) => {
        const field = await whenThere(element, 'textarea');
        if (field instanceof HTMLTextAreaElement) field.value = 'Why?';
        await press('button.go')(element);
        await whenThere(element, named('copyAnswer')());
      },
    },
  },
  'temporary-proof': {
    none: { place: 'screen', template: () => html`<temporary-proof></temporary-proof>` },
    open: {
      place: 'screen',
      template: () => {
        openTemporarySession(new AnswerRunner(new ConversationStore(), async () => {}));
        return html`<temporary-proof></temporary-proof>`;
      },
    },
  },
};
