import { availableParallelism } from 'node:os';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SUITES, suite } from './test/suite.ts';

const SLOWEST = ['test/field/quick/', 'test/runs.test.ts'];

/** Begins with the slowest files, so that no core waits for them at the end. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOWEST.some(path => moduleId.includes(path));
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))];
  }
}

/** `npm test`: everything but the slow suites. */
export default suite({
  include: ['test/**/*.test.ts'],
  exclude: [...Object.values(SUITES).flat(), '**/node_modules/**', '**/.dure/**'],
  // Its tests wait for processes more than those of the slow suites.
  maxWorkers: 2 * availableParallelism(),
  sequence: { sequencer: SlowestFirst },
});
