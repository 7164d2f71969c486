/** A button that sends something. It is disabled while there is no connection; the connection strip says why. */
import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useConnectionState } from '../connection/socket.ts';
import { CONNECTION_STRIP } from './connection-strip.tsx';

export function SubmitButton({ disabled = false, ref, ...button }: ComponentProps<'button'>) {
  const lost = useConnectionState() === 'lost';
  const isDisabled = disabled || lost;
  const shown = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => shown.current!);
  // A disabled button loses the focus, and keyboard users would have to start again at the top of the page.
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
      {...(lost ? { 'aria-describedby': CONNECTION_STRIP } : {})}
    />
  );
}
