import { expect, onTestFinished, test, vi } from 'vitest';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';

vi.mock('../../../src/page/fetch/resumed-response.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

test.each([true, false])(
  'a page whose part that resumes answers is not on the server any more gets its answers: as a stream %s',
  async (stream) => {
    const endpoint = StoppableEndpoint.ofPage();
    endpoint.engine.runFreely();
    onTestFinished(() => {
      endpoint.close();
      vi.unstubAllGlobals();
    });
    const body = JSON.stringify({ model: 'a', stream, messages: [{ role: 'user', content: 'one two' }] });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer local' };
    const asked = new Request(`${SITE}v1/chat/completions`, { method: 'POST', headers, body });
    const text = await (await endpoint.createTabFetch()(asked)).text();
    expect(text).toMatch(stream ? /two.*\[DONE\]/s : /two.*"usage"/s);
  },
);
