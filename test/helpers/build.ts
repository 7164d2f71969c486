import { build } from '../../scripts/build.mjs';

/** Tests of commands and of the runner use the built program, as a person would. */
export default async function setup(): Promise<void> {
  if (process.env['DURE_TEST_BUILT'] !== '1') await build();
}
