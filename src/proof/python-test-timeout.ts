/**
 * Adds a time limit for each test to a pytest or unittest command, because these runners have none: a timer interrupts
 * the test with an error that is not an `Exception`, so that no test or retry loop catches it. Pure.
 */
import { singleQuoted } from '../formats/text/shell-words.ts';

const RUNS_TESTS =
  /((?:^|&&\s*)(?:\w+=\S*\s+)*(?:(?:uv|poetry|pdm|pipenv|rye)\s+run\s+)?)(?:(\S*python[\d.]*)\s+-m\s+(pytest|unittest)|(\S*\/)?pytest)(?=\s|$)((?:\\.|'[^']*'|"[^"$`\\]*"|[^'"\\|&;<>()#])*)$/;

/** Returns the command unchanged if it does not end with a pytest or unittest command. */
export const withPythonTestTimeout = (command: string, ms: number): string =>
  command
    .trim()
    .replace(RUNS_TESTS, (_, start: string, python: string, module: string, folder: string, rest: string) => {
      const program = python ?? `${folder ?? ''}python3`;
      const lines = [
        ...timer(ms / 1000),
        ...(module === 'unittest' ? UNITTEST : PYTEST(python !== undefined)),
      ];
      return `${start}${program} -c ${singleQuoted(lines.join('\n'))}${rest}`;
    });

/** The timer fires again every second, in case the error is ignored. */
const timer = (seconds: number): string[] => [
  'import signal, sys',
  'class TimeLimit(BaseException): pass',
  'def end(*_): raise TimeLimit("the test did not end within the time limit")',
  'signal.signal(signal.SIGALRM, end)',
  `start = lambda: signal.setitimer(signal.ITIMER_REAL, ${seconds}, 1)`,
  'stop = lambda: signal.setitimer(signal.ITIMER_REAL, 0)',
];

/** `python3 -m pytest` can import from the current folder; `pytest` cannot. */
const PYTEST = (isModule: boolean): string[] => [
  ...(isModule ? [] : ['del sys.path[0]']),
  'import pytest',
  'class Limit:',
  '    @pytest.hookimpl(hookwrapper=True)',
  '    def pytest_runtest_call(self):',
  '        start()',
  '        try: yield',
  '        finally: stop()',
  '    pytest_runtest_setup = pytest_runtest_call',
  'sys.exit(pytest.main(sys.argv[1:], [Limit()]))',
];

const UNITTEST = [
  'import unittest',
  'run = unittest.TestCase.run',
  'def limited(self, *args):',
  '    start()',
  '    try: return run(self, *args)',
  '    finally: stop()',
  'unittest.TestCase.run = limited',
  'unittest.main(module=None, argv=["python3 -m unittest", *sys.argv[1:]])',
];
