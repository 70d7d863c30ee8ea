import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type LaunchOptions } from 'playwright';
import { buildWhenStale } from '../../scripts/build/build-when-stale.ts';
import { findFirefox, type Firefox } from '../../src/command-line/browser/find-firefox.ts';
import { findBrowser } from '../../src/command-line/browser/find-browser.ts';
import { parseCount, parseOptions } from '../../src/command-line/parse-options.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { serveBuiltSite } from '../../src/command-line/http-server/serve-built-site.ts';
import { measureSite } from '../../scripts/build/measure-site.ts';
import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';
import { ROW_NAMES, type RowName } from '../../src/chat/types/bench-rows.ts';
import { buildTestSite } from '../support/sites/test-site.ts';
import { chromiumWithoutDebugger } from '../support/browsers/browser-without-debugger.ts';
import { firefoxWithoutDebugger } from '../support/browsers/firefox-without-debugger.ts';
import { PAIRS_PER_ROUND } from './bench-request.ts';
import { CARD_ROWS, measureCard } from './card/measure-card.ts';
import { compareWithDirect } from './compare-with-direct.ts';
import { formatBenchReport } from './format-bench-report.ts';
import { HARDWARE_GPU_FLAGS } from './hardware-gpu-flags.ts';
import { describeMachine } from './machine.ts';
import type { Measurement } from './measurement.ts';
import { measureLongChat } from './measure-long-chat.ts';
import { measureModel } from './measure-model.ts';
import { measureModes } from './measure-modes.ts';
import { measureOverhead } from './measure-overhead.ts';
import { measurePage } from './measure-page.ts';
import { measureScrolling } from './measure-scrolling.ts';
import { measureTurns } from './measure-turns.ts';
import { measureTyping } from './measure-typing.ts';
import { formatReport } from './report.ts';

/** Measurements that need no debugger, so they run in any browser. */
const UNWATCHED_PARTS = [compareWithDirect, measureTurns, measureModes];

const PARTS = [...UNWATCHED_PARTS, measureOverhead, measurePage, measureScrolling, measureLongChat, measureTyping];

const GPU_FLAGS: Readonly<Record<string, readonly string[]>> = {
  software: SOFTWARE_GPU_FLAGS,
  hardware: HARDWARE_GPU_FLAGS,
};

const USAGE = `Measures what the endpoint costs, beside WebLLM by itself in the same run, and writes bench-results/*.json.

  npm run bench -- [options]

  --rounds NUMBER  repetitions of each measurement, of the comparison with WebLLM ${PAIRS_PER_ROUND} times as many (default 9)
  --only NAME      one part of it: ${namesOf(PARTS)}
  --model NAME     the page /bench/ with a real model that \`npm run model\` has fetched, such as smollm2, beside the
                   libraries that run it (3 rounds by default), instead of the parts above
  --card FOLDER    the page /bench/ on this machine's graphics card, with random weights (5 rounds by default). FOLDER has
                   the configuration, the list of weights and the library of a package in WebLLM's format
  --seconds NUMBER with --card, when to end with what has been measured (default 200)
  --rows NAMES     with --model or --card, some of its rows, separated by commas: ${ROW_NAMES.join(',')}
  --browser NAME   chromium (default) or firefox, which runs ${namesOf(UNWATCHED_PARTS)}
  --gpu KIND       in Chromium, software (the same on every machine) or hardware, the machine's graphics card (default
                   with --card)
  --site FOLDER    a built site to use as it is; default: dist, built anew when its sources have changed`;

function namesOf(parts: readonly { readonly name: string }[]): string {
  return parts.map(({ name }) => name).join(', ');
}

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    rounds: { type: 'string' },
    only: { type: 'string' },
    model: { type: 'string' },
    card: { type: 'string' },
    seconds: { type: 'string' },
    rows: { type: 'string' },
    browser: { type: 'string', default: 'chromium' },
    gpu: { type: 'string' },
    site: { type: 'string' },
  });
  const { model, card } = values;
  const isOnPage = model !== undefined || card !== undefined;
  if (isOnPage && values.only !== undefined)
    throw new CommandFailure(
      '--only names a part of the run with the built-in model; --model and --card replace them.',
    );
  if (!isOnPage && values.rows !== undefined) throw new CommandFailure('--rows needs --model or --card.');
  const rounds = parseCount('--rounds', values.rounds ?? (card !== undefined ? '5' : model !== undefined ? '3' : '9'));
  const gpuKind = values.gpu ?? (card === undefined ? 'software' : 'hardware');
  const flags = GPU_FLAGS[gpuKind];
  if (!flags) throw new CommandFailure(`--gpu is one of ${Object.keys(GPU_FLAGS).join(', ')}, not "${gpuKind}".`);
  if (!['chromium', 'firefox'].includes(values.browser))
    throw new CommandFailure(`--browser is chromium or firefox, not "${values.browser}".`);
  const inFirefox = values.browser === 'firefox';
  const possible = inFirefox ? UNWATCHED_PARTS : PARTS;
  const parts = possible.filter(({ name }) => values.only === undefined || name === values.only);
  if (parts.length === 0)
    throw new CommandFailure(`In ${values.browser}, --only is one of ${namesOf(possible)}, not "${values.only}".`);
  const dist = values.site ?? (await buildWhenStale());
  const firefox = inFirefox ? findFirefox() : null;
  const executable = firefox ?? findBrowser();
  const clients = fileURLToPath(new URL('in-page', import.meta.url));
  const folder = await buildTestSite({ dist, clients });
  const launch = { executablePath: executable.path, args: [...flags] };
  const browser = firefox ? firefoxWithoutDebugger(firefox) : chromiumWithoutDebugger(flags);
  const gpu = firefox ? describeFirefoxGpu(firefox) : await describeGpu(launch, folder);
  const machine = describeMachine(`${inFirefox ? 'Firefox' : 'Chromium'} ${executable.version}`, gpu);
  const date = new Date().toISOString();

  if (card !== undefined || model !== undefined) {
    const run = {
      rounds,
      rows: parseRows(values.rows ?? (card === undefined ? undefined : CARD_ROWS.join())),
      browser,
      folder,
    };
    const report =
      card === undefined
        ? await measureModel({ ...run, model: model! })
        : await measureCard({
            ...run,
            model: card,
            seconds: parseCount('--seconds', values.seconds ?? '200'),
            onProgress: ({ results }) => console.error(`${results.length} figures…`),
            onEarlyEnd: (reason) => console.error(`Ended before all rounds: ${reason}`),
          });
    console.log(formatBenchReport(report, machine));
    return keepResults(date, { ...report, ranOn: machine });
  }

  const serve = (modelHosts: readonly string[]) => serveBuiltSite({ folder, modelHosts });
  const site = await serve([]);
  const measurements: Measurement[] = [];
  // Each part has its own browser, so that no part profits from what another one has loaded.
  for (const measure of parts) {
    if (signal.aborted) return;
    console.error(`${measure.name}…`);
    measurements.push(...(await measure({ launch, browser, url: site.url, dist, serve, rounds })));
  }
  await site.close();
  const sizes = measureSite(dist);
  console.log(formatReport({ machine, rounds, measurements, sizes }));
  keepResults(date, { date, machine, rounds, measurements, sizes });
});

/** Writes the results into a file of the folder `bench-results`, which git ignores. */
function keepResults(date: string, results: object): void {
  const folder = join(PROJECT_FOLDER, 'bench-results');
  const file = join(folder, `${date.replaceAll(':', '-')}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`\nAlso in ${file}`);
}

function parseRows(rows: string | undefined): readonly RowName[] {
  if (rows === undefined) return ROW_NAMES;
  return rows.split(',').map((name) => {
    const row = ROW_NAMES.find((row) => row === name);
    if (row === undefined) throw new CommandFailure(`--rows has ${ROW_NAMES.join(', ')}, not "${name}".`);
    return row;
  });
}

/** Pages in Firefox cannot read which GPU it uses. */
function describeFirefoxGpu({ environment }: Firefox): string {
  return Object.keys(environment).length > 0 ? 'software Vulkan' : 'as Firefox chose';
}

async function describeGpu(launch: LaunchOptions, folder: string): Promise<string> {
  const site = await serveBuiltSite({ folder });
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  // WebGPU needs a secure context, which about:blank is not.
  await page.goto(new URL('test-clients/blank.html', site.url).href);
  const gpu = await page.evaluate(async () => {
    const adapter = await navigator.gpu?.requestAdapter();
    return adapter
      ? [adapter.info.vendor, adapter.info.architecture, adapter.info.description].filter(Boolean).join(' ')
      : 'none';
  });
  await browser.close();
  await site.close();
  return gpu;
}
