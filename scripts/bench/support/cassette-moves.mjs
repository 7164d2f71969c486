/** Moves for the cassettes of benchmarks. */

export const flag = path => ({ write: path, text: 'done\n' });

/** The moves of a Refiner that adds nothing to the briefing. */
export const refines = [
  { write: 'briefing/refined.md', text: '# Refined\n' },
  { json: 'briefing/clarifications.json', value: [] },
  { write: 'briefing/log.md', text: 'Nothing.\n' },
  flag('briefing/done.flag'),
];
