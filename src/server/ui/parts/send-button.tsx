/** A submit button. It is disabled while there is no connection; the status bar shows why. */
import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useWords } from '../preferences.ts';
import { useConnectionState } from '../socket.ts';
import { InlineCode } from './inline-code.tsx';

const STRIP = 'not-connected';

export function SendButton({ disabled = false, ref, ...button }: ComponentProps<'button'>) {
  const lost = useConnectionState() === 'lost';
  const isDisabled = disabled || lost;
  const shown = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => shown.current!);
  // Browsers take the focus from a disabled button. People who use the keyboard would have to start at the top.
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (isDisabled) hadFocus.current = document.activeElement === shown.current;
    else if (hadFocus.current && document.activeElement === document.body)
      shown.current!.focus({ preventScroll: true });
  }, [isDisabled]);
  return (
    <button
      type="button"
      {...button}
      ref={shown}
      disabled={isDisabled}
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
