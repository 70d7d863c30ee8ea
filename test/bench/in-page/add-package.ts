import { register } from '../../../src/page/index.ts';
import type { ModelState } from '../../../src/shared/models/model-management.ts';
import { sleep } from '../../../src/shared/timeout.ts';
import { sendReport } from '../send-report.ts';

// Parameters: the engine worker's path, the model's id, the addresses of its package and library relative to this page, the page to open then,
// and the address for reports.
const parameters = new URLSearchParams(location.search);
const id = parameters.get('id')!;
const tabserve = register({
  serviceWorker: '../site-service-worker.js',
  engineWorker: parameters.get('engine')!,
});

try {
  await tabserve.ready;
  const [modelUrl, libraryUrl] = (['package', 'library'] as const).map(
    (name) => new URL(parameters.get(name)!, location.href).href,
  );
  await tabserve.call('models/add-custom', { id, modelUrl: modelUrl!, libraryUrl: libraryUrl! });
  while (!isPresent(await stateOf())) await sleep(200);
  const page = new URL(parameters.get('page')!, location.href);
  page.searchParams.set('report', parameters.get('report')!);
  location.replace(page);
} catch (thrown) {
  await sendReport(() => Promise.reject(thrown));
}

async function stateOf(): Promise<ModelState | undefined> {
  return (await tabserve.call('models/list', null)).find((model) => model.id === id)?.state;
}

function isPresent(state: ModelState | undefined): boolean {
  if (state?.kind === 'download' && state.progress.phase === 'failed')
    throw new Error(`The model was not downloaded: ${JSON.stringify(state.progress.failure)}`);
  return state?.kind === 'present';
}
