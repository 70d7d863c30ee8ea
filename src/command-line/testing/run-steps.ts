import type { ToolOutput } from '../run-tool.ts';
import { addCounts, NO_TESTS, type FileTimes, type TestCounts } from './test-report.ts';

export interface StepResult {
  readonly succeeded: boolean;
  readonly counts: TestCounts;
  /** Lines on single tests of it. Default: none. */
  readonly remarks?: readonly string[];
  /** Times of its test files. Default: none. */
  readonly files?: readonly FileTimes[];
  /** Why this machine cannot do it, where that is no failure. */
  readonly impossible?: string;
}

export interface Step {
  readonly name: string;
  /** Steps without whose success this one says nothing. */
  readonly needs?: readonly string[];
  run(output: ToolOutput): Promise<StepResult>;
}

/** Lanes run side by side, the steps of each one after the other. */
export type Stage = readonly (readonly Step[])[];

export interface StepsReport {
  /** What became of each step, in their order. */
  readonly lines: readonly string[];
  /** Times of all test files, each named with its step. */
  readonly files: readonly FileTimes[];
  /** What the steps had to say of single tests. */
  readonly remarks: readonly string[];
  readonly total: TestCounts;
}

/**
 * Runs the stages one after the other; those that are left once the signal is aborted are not begun. The first lane of a
 * stage says what it does while it does it, the others when a step has ended.
 */
export async function runSteps(stages: readonly Stage[], signal: AbortSignal): Promise<StepsReport> {
  const results = new Map<string, StepResult>();
  const lines = new Map<string, string>();
  const runStep = async ({ name, needs = [], run }: Step, output: ToolOutput): Promise<void> => {
    const missing = needs.find((need) => !results.get(need)?.succeeded);
    if (missing) {
      lines.set(name, `not run  ${name}, for want of: ${missing}`);
      return;
    }
    console.log(`\n── ${name}${output === 'held' ? ', beside the others' : ''}`);
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
        for (const step of steps) if (!signal.aborted) await runStep(step, lane === 0 ? 'inherit' : 'held');
      }),
    );
  }
  // A step that failed outside any test (types, lint, build, a test file that does not load) counts as one failure.
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
