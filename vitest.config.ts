import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));
const alias = readdirSync(`${root}libs`).map((lib) => ({
  find: `#${lib}`,
  replacement: `${root}libs/${lib}/src/index.ts`,
}));
const shared = { resolve: { alias } };
const outside = ['**/node_modules/**', '**/dist/**'];

/** Without a cache vitest goes by the size of the file. What takes minutes goes first, and the rest beside it. */
const LONGEST = ['kill-matrix.spec.ts'];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Where seconds are asserted that a busy machine does not have. */
const alone = ['test/recovery/commands.spec.ts'];

/**
 * unit: pure logic · integration: one library on real servers · e2e: whole processes of the built service, as its users
 * see them · system: such processes under fire · outcomes: one outcome case per kind of failure that was seen · alone:
 * like system, with nothing else on the machine.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          // A process start and a load of all modules for each of hundreds of files is most of what they would take.
          isolate: false,
          maxWorkers: 2,
          include: [
            'libs/**/*.spec.ts',
            'apps/**/*.spec.ts',
            'test/rules/*.spec.ts',
            'test/bench/*.spec.ts',
            'test/outcomes/*/**/*.spec.ts',
          ],
          exclude: [...outside, '**/*.integration.spec.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'integration',
          include: [
            'libs/**/*.integration.spec.ts',
            'apps/**/*.integration.spec.ts',
            'test/outcomes/**/*.integration.spec.ts',
          ],
          exclude: outside,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          globalSetup: ['./libs/testing/src/vitest-servers.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          exclude: outside,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          globalSetup: ['./libs/testing/src/vitest-servers.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'system',
          include: ['test/**/*.spec.ts'],
          exclude: [...outside, 'test/rules/**', 'test/bench/**', 'test/e2e/**', 'test/outcomes/**', ...alone],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          globalSetup: ['./libs/testing/src/vitest-servers.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'outcomes',
          include: ['test/outcomes/outcomes.spec.ts'],
          exclude: outside,
          // All cases run before the first test.
          hookTimeout: 600_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'alone',
          include: alone,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          globalSetup: ['./libs/testing/src/vitest-servers.ts'],
        },
      },
    ],
  },
});
