/**
 * What the agents do in a run with injected faults: the first result is wrong, and the Gatekeeper passes it anyway.
 * Each agent records its launch number and process in a ledger outside the project.
 */
const flag = path => ({ write: path, text: 'done\n' });

/** Ten tests in TAP; one reads the result. */
const TESTS = `echo TAP version 13; echo 1..10; i=1; while [ $i -lt 10 ]; do echo "ok $i - nothing $i"; i=$((i+1)); done
if grep -qx hello builder/output/greeting.txt; then echo "ok 10 - greets"; else echo "not ok 10 - greets"; exit 1; fi
`;

export function cassetteOf(ledger, random) {
  const slowly = moves => [
    { sh: `echo "$DURE_RUN $DURE_LAUNCH $PPID-$(cut -d' ' -f22 /proc/$PPID/stat)" >> '${ledger}'` },
    ...moves.flatMap(move => [{ wait: random.between(20, 250) }, move]),
  ];
  const builds = text =>
    slowly([
      { write: 'builder/output/greeting.txt', text },
      { write: 'builder/log.md', text: 'Wrote it.\n' },
      { spend: 0.02 },
      flag('builder/done.flag'),
    ]);
  return {
    title: 'torture',
    parts: {
      refiner: [
        slowly([
          { write: 'briefing/refined.md', text: '# Refined\n' },
          { json: 'briefing/clarifications.json', value: [] },
          { write: 'briefing/log.md', text: 'Nothing.\n' },
          flag('briefing/done.flag'),
        ]),
      ],
      builder: [builds('nothing\n'), builds('hello\n')],
      'verifier:generate': [
        slowly([
          { write: 'verifier/tests/greets.sh', text: TESTS },
          {
            json: 'verifier/test-config.json',
            value: {
              test_framework: 'custom',
              test_command: 'sh verifier/tests/greets.sh',
              test_directory: 'verifier/tests',
              timeout_ms: 60_000,
              coverage: false,
            },
          },
          flag('verifier/tests-ready.flag'),
        ]),
      ],
      'verifier:analyse': [
        slowly([
          { json: 'verifier/results.json', value: { summary: 'read' } },
          { write: 'verifier/log.md', text: 'Read.\n' },
          flag('verifier/done.flag'),
        ]),
      ],
      gatekeeper: [
        slowly([
          { write: 'gatekeeper/review.md', text: '# Review\n\nFine.\n' },
          { write: 'gatekeeper/log.md', text: 'Looked.\n' },
          { json: 'gatekeeper/verdict.json', value: { verdict: 'PASS', reason: 'It greets.' } },
        ]),
      ],
    },
  };
}
