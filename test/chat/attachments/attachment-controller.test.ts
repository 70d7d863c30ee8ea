import type { LitElement } from 'lit';
import { expect, test, vi } from 'vitest';
import {
  AttachmentController,
  NO_FILES,
  type TakenFiles,
} from '../../../src/chat/attachments/attachment-controller.ts';

test('a question can be sent again after its files could not be taken out of the tray', async () => {
  const take = vi
    .fn<() => Promise<TakenFiles>>()
    .mockRejectedValueOnce(new Error('It could not be drawn.'))
    .mockResolvedValueOnce(NO_FILES);
  const host = {
    conversationId: 'chat',
    renderRoot: { querySelector: () => ({ isEmpty: false, take }) },
    addController: () => {},
    requestUpdate: () => {},
  } as unknown as LitElement & { readonly conversationId: string };
  const attachments = new AttachmentController(host);
  await expect(attachments.take('Why?')).rejects.toThrow('It could not be drawn.');
  expect(await attachments.take('Why?')).toBe(NO_FILES);
});
