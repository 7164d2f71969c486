/** A button that sends something to the server. Without a connection it is out of use, and the strip says why. */
import type { ComponentProps } from 'react';
import { useLink } from '../live.ts';
import { useWords } from '../look.ts';
import { WithCode } from './with-code.tsx';

const STRIP = 'not-connected';

export function Send({ disabled = false, ...button }: ComponentProps<'button'>) {
  const lost = useLink() === 'lost';
  return (
    <button
      type="button"
      {...button}
      disabled={disabled || lost}
      {...(lost ? { 'aria-describedby': STRIP } : {})}
    />
  );
}

/** It is always in the page, so that readers hear the words that come into it. */
export function Strip() {
  const w = useWords();
  const lost = useLink() === 'lost';
  return (
    <div role="status">
      {lost && (
        <p id={STRIP} className="strip">
          <WithCode text={w.state.offline} />
        </p>
      )}
    </div>
  );
}
