/** A submit button. It is disabled while there is no connection; the status bar shows why. */
import type { ComponentProps } from 'react';
import { useWords } from '../preferences.ts';
import { useConnectionState } from '../socket.ts';
import { InlineCode } from './inline-code.tsx';

const STRIP = 'not-connected';

export function SendButton({ disabled = false, ...button }: ComponentProps<'button'>) {
  const lost = useConnectionState() === 'lost';
  return (
    <button
      type="button"
      {...button}
      disabled={disabled || lost}
      {...(lost ? { 'aria-describedby': STRIP } : {})}
    />
  );
}

/** Always in the page, so that screen readers announce text that is added to it. */
export function ConnectionStrip() {
  const w = useWords();
  const lost = useConnectionState() === 'lost';
  return (
    <div role="status">
      {lost && (
        <p id={STRIP} className="strip">
          <InlineCode text={w.state.offline} />
        </p>
      )}
    </div>
  );
}
