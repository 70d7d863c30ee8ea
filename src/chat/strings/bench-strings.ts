import type { RowName, SideName } from '../types/bench-rows.ts';
import { formatBytes, formatDuration, formatMilliseconds, formatNumber } from './format.ts';
import { localized } from './page-language.ts';

const sides: Readonly<Record<SideName, string>> = {
  endpoint: 'This endpoint',
  webllm: 'WebLLM',
  'wllama-1': 'wllama, 1 thread',
  'wllama-all': 'wllama, all threads',
  'wllama-webgpu': 'wllama on WebGPU',
};

const rows: Readonly<Record<RowName, string>> = {
  load: 'Load, to the first token',
  'first-50': 'First token, prompt of 50 tokens',
  'first-500': 'First token, prompt of 500 tokens',
  'first-1500': 'First token, prompt of 1,500 tokens',
  'decode-100': 'Decoding at position 100',
  'decode-1500': 'Decoding at position 1,500',
  schema: 'Decoding with a schema',
  logprobs: 'Decoding with logprobs',
  'turn-10': 'First token, turn\u00a010 ÷ turn\u00a01',
  'two-tabs': 'First token, two chats in turns, turn\u00a05 ÷ turn\u00a01',
  memory: 'Memory of the page after loading, without workers it shares',
  energy: 'Energy',
};

export const benchStrings = localized('benchStrings', {
  title: 'How fast is this device?',
  introduction:
    'This page measures a model that is on this device: through the endpoint of this site, and beside it with the libraries that run it, asked the same in turns. Everything stays in this browser; nothing is sent.',
  back: 'For developers',
  model: 'Model',
  length: 'Length of the run',
  lengths: { short: 'Short: 2 rounds', whole: 'Whole: 7 rounds' },
  compare: 'Compare with',
  measure: 'Measure',
  sides,
  rows,
  start: 'Measure',
  stop: 'Stop',
  advice: 'Close other programs, plug the device in, and leave this tab in front until it is done.',
  waiting: 'Waiting for the endpoint…',
  noModels: 'No model is on this device yet.',
  preparing: 'Preparing…',
  loading: (side: string) => `${side}: loading and warming up…`,
  step: (side: string, row: string, round: number, rounds: number) => `${side}: ${row}, round ${round} of ${rounds}`,
  stopped: 'Stopped. These are the figures so far.',
  done: 'Done.',
  failed: (reason: string) => `The run ended early: ${reason}`,
  hiddenNow: 'This tab was hidden during the run. Browsers slow hidden tabs down: figures of that time may be too low.',
  nothingChosen: 'Choose something to measure.',

  results: 'Results',
  row: 'Measured',
  middleHalf: (lower: string, upper: string) => `${lower} … ${upper}`,
  beside: (ratio: string) => `endpoint × ${ratio}`,
  legend:
    'Each figure is the median, with the middle half below it. “Endpoint ×” is the endpoint’s figure divided by this one, pair by pair: of speeds more than 1 is better, of times less than 1.',
  figures: {
    ms: formatMilliseconds,
    'tokens/s': (value: number) => `${formatNumber(value, value < 10 ? 2 : 1)} tokens/s`,
    '×': (value: number) => `${formatNumber(value, 2)} ×`,
    bytes: formatBytes,
    J: (value: number) => `${formatNumber(value, 1)} J`,
  },
  ratio: (value: number) => formatNumber(value, 2),

  conditions: 'Conditions',
  facts: {
    model: 'Model',
    machine: 'Machine',
    browser: 'Browser',
    place: 'The endpoint computes with',
    read: 'Reading the file alone',
    warmUp: 'Warm-up, not counted',
    leftOut: 'Left out',
    visible: 'Tab',
    power: 'Power',
    rounds: 'Rounds',
    date: 'Date',
  },
  modelFacts: (id: string, bytes: number) => `${id}, ${formatBytes(bytes)}`,
  machineFacts: (processors: number, gpu: string | null, f16: boolean) =>
    `${formatNumber(processors)} logical processors; ${gpu === null ? 'no WebGPU' : `WebGPU on ${gpu}, ${f16 ? 'with f16' : 'without f16'}`}`,
  alwaysVisible: 'in front all the time',
  hiddenFor: (milliseconds: number) => `hidden for ${formatDuration(milliseconds / 1000)}`,
  charging: 'plugged in',
  onBattery: 'on battery',
  powerUnknown: 'the browser does not tell',
  roundsRun: (rounds: number, complete: boolean) => `${formatNumber(rounds)}${complete ? '' : ', not all of them run'}`,

  reasons: {
    memory: 'The browser does not tell.',
    energy: 'The browser does not tell.',
    window: 'Longer than the model’s window.',
    short: 'The answer was too short to measure.',
    noGpu: 'Needs WebGPU.',
    noF16: 'Needs a graphics processor with f16.',
    noJspi: 'Needs a browser with JSPI.',
    noThreads: 'Needs more than one CPU core, and a page that is isolated from other origins.',
  },

  json: 'JSON',
  copyJson: 'Copy the figures as JSON',
});
