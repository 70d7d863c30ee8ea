import { chromium } from 'playwright';
import { inPage } from '../support/pages/in-page.ts';
import { ServiceWorkerControl } from '../support/browsers/service-workers.ts';
import type * as overheadModule from './in-page/overhead.ts';
import { measurement, type BenchContext, type Measurement } from './measurement.ts';

const CHUNKS = 20_000;

/** Measures the endpoint's own cost, with an engine that costs nothing. */
export async function measureOverhead({ launch, url, rounds }: BenchContext): Promise<Measurement[]> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  await page.goto(new URL('test-clients/blank.html', url).href);
  const endpoint = inPage<typeof overheadModule>(page, 'overhead');
  await endpoint.start();
  const serviceWorker = await ServiceWorkerControl.attach(page);

  const throughput: number[] = [];
  const warm: number[] = [];
  const restarted: number[] = [];
  await endpoint.chunksPerSecond(CHUNKS);
  for (let round = 0; round < rounds; round++) {
    throughput.push(await endpoint.chunksPerSecond(CHUNKS));
    warm.push(await endpoint.firstByte());
    await serviceWorker.stop();
    restarted.push(await endpoint.firstByte());
  }
  await browser.close();
  return [
    measurement('chunks through service worker and port', 'chunks/s', throughput, { atLeast: 10_000 }),
    measurement('first byte, warm', 'ms', warm),
    measurement('first byte after a restart of the service worker', 'ms', restarted, { atMost: 60 }),
  ];
}
