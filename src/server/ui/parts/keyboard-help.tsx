/** The list of keyboard shortcuts. */
import { useWords } from '../preferences.ts';
import { Dialog } from './dialog.tsx';

export function KeyboardHelp({ close }: { close: () => void }) {
  const w = useWords();
  return (
    <Dialog title={w.help.title} close={close}>
      <dl className="keys">
        {Object.entries(w.help.keys).map(([keys, meaning]) => (
          <KeyLine key={keys} keys={keys} meaning={meaning} />
        ))}
      </dl>
      <button type="button" onClick={close}>
        {w.state.close}
      </button>
    </Dialog>
  );
}
const KeyLine = ({ keys, meaning }: { keys: string; meaning: string }) => (
  <>
    <dt className="row">
      {keys.split(' ').map(key => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dt>
    <dd>{meaning}</dd>
  </>
);
