import type { Attachment } from '../types/conversation.ts';

/** The whole files of attachments of which only a part is sent, for as long as this page has these attachments. */
export const wholeFiles = new WeakMap<Attachment, Attachment>();
