import type { Conversation, Message } from '../storage/conversation.ts';

/** The branch that is shown, as a Markdown document to read, send or print. */
export function conversationMarkdown({ title, settings }: Conversation, path: readonly Message[]): string {
  const head = [`# ${title}`, ...(settings.systemPrompt === '' ? [] : [quote(settings.systemPrompt)])];
  const body = path.flatMap((message) =>
    message.role === 'user' ? ['## Question', message.text] : [`## Answer (${message.model})`, message.text],
  );
  return `${[...head, ...body].map((part) => part.trim()).join('\n\n')}\n`;
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}
