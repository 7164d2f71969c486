/** The commands that run the tests of a project, by language. */

const PYTEST = 'python3 -m pytest -q -p no:cacheprovider';

/** `own` runs the project's own test, `command` the Verifier's, `only` those of one criterion, `loads` none. */
export const javascript = subject => ({
  language: 'JavaScript',
  subject,
  needs: ['node', '--version'],
  own: 'node --test own.test.mjs',
  command: 'node --test claims.test.mjs',
  only: id => `node --test --test-name-pattern=${id} claims.test.mjs`,
  loads: `node --check ${subject}`,
});

export const python = subject => ({
  language: 'Python',
  subject,
  needs: ['python3', '-m', 'pytest', '--version'],
  own: `${PYTEST} test_own.py`,
  command: `${PYTEST} --junitxml=junit.xml test_claims.py`,
  only: id => `${PYTEST} test_claims.py -k ${id.toLowerCase().replace('-', '')}`,
  loads: `python3 -m py_compile ${subject}`,
});

export const go = subject => ({
  language: 'Go',
  subject,
  needs: ['go', 'version'],
  own: 'go test -count=1 -run TestOwn .',
  command: 'go test -count=1 -v -run TestAC .',
  only: id => `go test -count=1 -v -run ${id.replace('AC-', 'TestAC')} .`,
  loads: 'go vet .',
});
