import type { OutputMode } from '../run-in-project.ts';
import { addCounts, NO_TESTS, type FileTimes, type TestCounts } from './test-report.ts';

export interface StepResult {
  readonly succeeded: boolean;
  readonly counts: TestCounts;
  /** Lines about single tests. Default: none. */
  readonly remarks?: readonly string[];
  /** Times of test files. Default: none. */
  readonly files?: readonly FileTimes[];
  /** Why this machine cannot run the step. It then counts as not run instead of failed. */
  readonly impossible?: string;
}

export interface Step {
  readonly name: string;
  /** Names of steps that must succeed first. Default: none. */
  readonly needs?: readonly string[];
  run(output: OutputMode): Promise<StepResult>;
}

/** Lanes run in parallel; the steps within a lane run in order. */
export type Stage = readonly (readonly Step[])[];

export interface StepsReport {
  /** Outcome of each step, in order. */
  readonly lines: readonly string[];
  /** Times of all test files, each with its step's name. */
  readonly files: readonly FileTimes[];
  readonly remarks: readonly string[];
  readonly total: TestCounts;
}

/**
 * Runs the stages in order. After an abort, no further step starts. The first lane of a stage prints its output live;
 * the others print it when a step ends.
 */
export async function runSteps(stages: readonly Stage[], signal: AbortSignal): Promise<StepsReport> {
  const results = new Map<string, StepResult>();
  const lines = new Map<string, string>();
  const runStep = async ({ name, needs = [], run }: Step, output: OutputMode): Promise<void> => {
    const missing = needs.find((need) => !results.get(need)?.succeeded);
    if (missing) {
      lines.set(name, `not run  ${name}, for want of: ${missing}`);
      return;
    }
    console.log(`\n── ${name}${output === 'at-end' ? ', beside the others' : ''}`);
    const start = performance.now();
    const result = await run(output);
    if (result.impossible !== undefined) {
      lines.set(name, `not run  ${name}: ${result.impossible}`);
      return;
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`── ${name}: ${result.succeeded ? 'ok' : 'failed'} in ${seconds} s`);
    results.set(name, result);
    lines.set(name, `${result.succeeded ? 'ok     ' : 'FAILED '}  ${name}, ${seconds} s`);
  };
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (steps, lane) => {
        for (const step of steps) if (!signal.aborted) await runStep(step, lane === 0 ? 'inherit' : 'at-end');
      }),
    );
  }
  // A failure outside any test (types, lint, build, a test file that does not load) counts as one failure.
  const total = [...results.values()]
    .map(({ succeeded, counts }) =>
      succeeded || counts.failed ? counts : addCounts(counts, { ...NO_TESTS, failed: 1 }),
    )
    .reduce(addCounts, NO_TESTS);
  const steps = stages.flat(2);
  return {
    lines: steps.flatMap(({ name }) => lines.get(name) ?? []),
    files: steps.flatMap(({ name }) =>
      (results.get(name)?.files ?? []).map((file) => ({ ...file, file: `${file.file} (${name})` })),
    ),
    remarks: steps.flatMap(({ name }) => (results.get(name)?.remarks ?? []).map((remark) => `${name}: ${remark}`)),
    total,
  };
}
