#!/usr/bin/env node
import { answered } from '../dist/fast-path.cjs';

if (!(await answered())) {
  const { main } = await import('../dist/cli.js');
  await main();
}
