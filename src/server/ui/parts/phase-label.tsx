/** The phase of a run, in the colour of its state. */
import { useWords } from '../preferences.ts';

const TONES: Readonly<Record<string, string>> = {
  completed: 'good',
  ready_for_merge: 'good',
  failed: 'bad',
  unreadable: 'bad',
  stopped: 'soft',
  interrupted: 'warn',
  waiting_human: 'warn',
};
const tone = (phase: string): string => TONES[phase] ?? 'at-work';

export function Phase({ phase, step }: { phase: string; step?: string | null }) {
  const w = useWords();
  const detail = step && tone(phase) === 'at-work' ? w.step(step) : null;
  return (
    <span className={`phase ${tone(phase)}`}>
      {w.phase(phase)}
      {detail && <span className="soft">{detail}</span>}
    </span>
  );
}
export const isAtWork = (phase: string): boolean => tone(phase) === 'at-work';
