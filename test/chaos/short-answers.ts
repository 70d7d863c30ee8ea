/**
 * A script for every page, before its own scripts. It limits the answers of chats, as a person does who sets their longest
 * length: a small model on the processor may write for minutes, while the requests of all tabs wait.
 */
export function shortAnswers(tokens: number): string {
  return `{
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const { body } = init ?? {};
    // The chat page sends its questions as Blobs.
    const shortened = body instanceof Blob ? new Blob([shorten(await body.text())], { type: body.type }) : body;
    return send(input, shortened === body ? init : { ...init, body: shortened });
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
