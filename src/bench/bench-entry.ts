import { register } from '../page/index.ts';
import { chosenLanguage } from '../chat/storage/local-storage-values.ts';
import { preferredLanguage } from '../chat/strings/page-language.ts';
import { useLanguage } from '../chat/strings/use-language.ts';
import { followColourScheme } from '../chat/theme/colour-scheme.ts';
import { readBenchRequest } from './bench-request.ts';

followColourScheme();
const tabserve = register(
  import.meta.env.DEV
    ? { serviceWorker: '../dev-sw.js?dev-sw', serviceWorkerType: 'module' }
    : { serviceWorker: '../site-service-worker.js' },
);

async function showPage(): Promise<void> {
  await useLanguage(preferredLanguage(chosenLanguage(), navigator.languages));
  // Imported now, because the element takes its texts in the current language.
  await import('./bench-page.ts');
  const page = document.querySelector('bench-page')!;
  await page.start(tabserve, document.querySelector<HTMLElement>('#bench-json')!, readBenchRequest(location.hash));
}
void showPage();
