/** Modal dialogs, such as the confirmation of an action. The native element handles focus and Escape. */
import { type ReactNode, useEffect, useRef } from 'react';
import { sendsForm } from '../keyboard-shortcuts.ts';
import { useWords } from '../preferences.ts';
import { SubmitButton } from './button-needing-connection.tsx';

export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current!;
    const before = document.activeElement;
    shown.showModal();
    return () => {
      shown.close();
      // The browser does not restore the focus when a dialog is removed from the page.
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onClose={close}
      onCancel={close}
      onKeyDown={sendsForm}
    >
      <h2 id="dialog-title" className="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export function ConfirmDialog(props: {
  title: string;
  yes: string;
  isDestructive?: boolean;
  then: () => void;
  close: () => void;
  children?: ReactNode;
}) {
  const w = useWords();
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Runs after the dialog has opened. For an action that cannot be undone, the button does not get the focus, and
    // Ctrl+Enter does not press it.
    if (!props.isDestructive) yes.current!.focus();
  }, [props.isDestructive]);
  return (
    <Dialog title={props.title} close={props.close}>
      <div className="stack">{props.children}</div>
      <div className="row dialog-row">
        <SubmitButton
          ref={yes}
          type={props.isDestructive ? 'button' : 'submit'}
          className={props.isDestructive ? 'grave' : 'main'}
          onClick={() => {
            props.close();
            props.then();
          }}
        >
          {props.yes}
        </SubmitButton>
        <button type="button" onClick={props.close}>
          {w.state.cancel}
        </button>
      </div>
    </Dialog>
  );
}

export function StopDialog({ stop, close }: { stop: () => void; close: () => void }) {
  const w = useWords();
  return (
    <ConfirmDialog title={w.run.stop} yes={w.run.stop} isDestructive then={stop} close={close}>
      <p>{w.run.stopSure}</p>
    </ConfirmDialog>
  );
}
