import { defineConfig } from 'vitest/config';
import { VERSION_CONSTANT } from '../scripts/build/build-library-files.ts';
import { PROJECT_FOLDER } from '../src/command-line/project-folders.ts';

export default defineConfig({
  root: PROJECT_FOLDER,
  define: VERSION_CONSTANT,
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // Limits for hanging tests, long enough for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // By default Vitest leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    // A thread starts faster than a process. Each test file still gets a thread of its own.
    pool: 'threads',
    setupFiles: ['test/support/own-channels.ts'],
  },
});
