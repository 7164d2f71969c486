/** Reports a lost connection in a strip at the top of every page. */

import { useConnectionState } from '../connection/socket.ts';
import { useWords } from '../preferences.ts';
import { InlineCode } from './inline-code.tsx';

/** The id of the strip, which disabled buttons reference as their description. */
export const CONNECTION_STRIP = 'not-connected';

/** Always rendered, so that screen readers announce text that is added to it. */
export function ConnectionStrip() {
  const w = useWords();
  const lost = useConnectionState() === 'lost';
  return (
    <div role="status">
      {lost && (
        <p id={CONNECTION_STRIP} className="strip">
          <InlineCode text={w.state.offline} />
        </p>
      )}
    </div>
  );
}
