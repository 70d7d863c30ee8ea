import type { Tabserve } from '../../page/index.ts';
import { timeChunks, type AnswerTimes } from '../../shared/measuring/time-chunks.ts';
import { withAbort } from '../../shared/timeout.ts';
import { ROUTE_HEADER, type UpstreamRoute } from '../../shared/upstreams/upstream.ts';
import { endpointAddress, LOCAL_KEY } from '../../chat/api/request-endpoint.ts';
import { readMeasuredChunks } from '../read-measured-chunks.ts';
import type { MeasuredRequest, Side } from './side.ts';

const HEADERS = {
  authorization: `Bearer ${LOCAL_KEY}`,
  'content-type': 'application/json',
  // An upstream that answers in place of this device would be measured instead, and would get the texts.
  [ROUTE_HEADER]: 'local' satisfies UpstreamRoute,
};

/** This endpoint, used by `fetch` as in any page. */
export class EndpointSide implements Side {
  readonly name = 'endpoint';
  readonly #tabserve: Tabserve;
  readonly #model: string;

  constructor(tabserve: Tabserve, model: string) {
    this.#tabserve = tabserve;
    this.#model = model;
  }

  async load(signal: AbortSignal): Promise<void> {
    await withAbort(this.#tabserve.load(this.#model), signal);
  }

  answer({ schema, ...request }: MeasuredRequest, _goesOn: boolean, signal: AbortSignal): Promise<AnswerTimes> {
    const body = {
      model: this.#model,
      stream: true,
      stream_options: { include_usage: true },
      // The other sides have no loop detection.
      loop_detection: false,
      ...request,
      ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'measured', schema } } }),
    };
    return timeChunks(async function* () {
      const options = { method: 'POST', headers: HEADERS, body: JSON.stringify(body), signal };
      yield* readMeasuredChunks(await fetch(endpointAddress('chat/completions'), options));
    });
  }

  async unload(): Promise<void> {
    await this.#tabserve.call('models/unload', null);
  }
}
