/**
 * A script for every page, before its own scripts. It limits the answers of chats, as a person does who sets their longest
 * length: a small model on the processor may write for minutes, while the requests of all tabs wait.
 */
export function shortAnswers(tokens: number): string {
  return `{
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    // The chat page sends its questions so.
    if (!(init?.body instanceof ArrayBuffer)) return send(input, init);
    return send(input, { ...init, body: new TextEncoder().encode(shorten(new TextDecoder().decode(init.body))).buffer });
  };
  const shorten = (text) => {
    try {
      const body = JSON.parse(text);
      const isChat = Array.isArray(body.messages) && body.max_tokens === undefined && body.max_completion_tokens === undefined;
      return isChat ? JSON.stringify({ ...body, max_completion_tokens: ${tokens} }) : text;
    } catch {
      return text;
    }
  };
}`;
}
