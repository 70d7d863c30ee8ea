import { expect, test, vi } from 'vitest';
import { runSteps, type Step } from '../../../scripts/testing/run-steps.ts';
import { NO_TESTS } from '../../../scripts/testing/test-report.ts';

const GOOD = { succeeded: true, counts: { passed: 2, failed: 0, skipped: 1 } };

/** Steps that record when they begin and end. The first step of each name in `broken` fails. */
function recordedSteps(broken: readonly string[] = []) {
  vi.spyOn(console, 'log').mockReturnValue();
  const heard: string[] = [];
  const step = (name: string, needs: readonly string[] = []): Step => ({
    name,
    needs,
    run: async (output) => {
      heard.push(`${name} begins, ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      heard.push(`${name} ends`);
      return broken.includes(name) ? { succeeded: false, counts: NO_TESTS } : GOOD;
    },
  });
  return { heard, step };
}

/** Removes the durations. */
const words = (lines: readonly string[]) => lines.map((line) => line.replace(/, [\d.]+ s$/, ''));

test('the lanes of a stage run in parallel, its steps and the stages in sequence, and only the first lane prints immediately', async () => {
  const { heard, step } = recordedSteps();
  const stages = [[[step('one'), step('two')], [step('beside')]], [[step('last')]]];
  const { lines, total } = await runSteps(stages, new AbortController().signal);
  expect(heard.slice(0, 2)).toEqual(['one begins, inherit', 'beside begins, at-end']);
  expect(heard.indexOf('two begins, inherit')).toBeGreaterThan(heard.indexOf('one ends'));
  expect(heard.slice(-2)).toEqual(['last begins, inherit', 'last ends']);
  expect(words(lines)).toEqual(['ok       one', 'ok       two', 'ok       beside', 'ok       last']);
  expect(total).toEqual({ passed: 8, failed: 0, skipped: 4 });
});

test('a step that needs a failed one does not run, and a failure outside of any test counts as one', async () => {
  const { step } = recordedSteps(['build']);
  const stages = [[[step('build')]], [[step('tests', ['build']), step('other')]]];
  const { lines, total } = await runSteps(stages, new AbortController().signal);
  expect(words(lines)).toEqual(['FAILED   build', 'not run  tests, for want of: build', 'ok       other']);
  expect(total).toEqual({ passed: 2, failed: 1, skipped: 1 });
});

test('a step that is impossible on this machine is reported with the reason, and is not a failure', async () => {
  const { step } = recordedSteps();
  const impossible: Step = {
    name: 'browser',
    run: async () => ({ succeeded: false, counts: NO_TESTS, impossible: 'there is none' }),
  };
  const { lines, total } = await runSteps(
    [[[impossible, step('its tests', ['browser'])]]],
    new AbortController().signal,
  );
  expect(lines).toEqual(['not run  browser: there is none', 'not run  its tests, for want of: browser']);
  expect(total).toEqual(NO_TESTS);
});

test('remarks about single tests are printed with the name of the step', async () => {
  const { step } = recordedSteps();
  const tests: Step = {
    name: 'tests',
    run: async () => ({
      succeeded: false,
      counts: { passed: 1, failed: 1, skipped: 0 },
      remarks: ['failed a.spec.ts'],
    }),
  };
  const { remarks } = await runSteps([[[step('build'), tests]]], new AbortController().signal);
  expect(remarks).toEqual(['tests: failed a.spec.ts']);
});

test('no further step begins after an abort', async () => {
  const { heard, step } = recordedSteps();
  const stopping = new AbortController();
  const stop: Step = {
    name: 'stop',
    run: async () => {
      stopping.abort();
      return GOOD;
    },
  };
  await runSteps([[[stop, step('next')]], [[step('later')]]], stopping.signal);
  expect(heard).toEqual([]);
});
