/** The pieces of text of a streamed answer, in a page. */
export async function* readDeltas(response: Response): AsyncGenerator<string> {
  if (!response.ok || !response.body)
    throw new Error(`The endpoint answered ${response.status}: ${await response.text()}`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: {')) continue;
      const chunk = JSON.parse(event.slice('data: '.length)) as {
        choices?: { delta: { content?: string } }[];
        error?: { message: string };
      };
      if (chunk.error) throw new Error(chunk.error.message);
      yield chunk.choices?.[0]?.delta.content ?? '';
    }
  }
}
