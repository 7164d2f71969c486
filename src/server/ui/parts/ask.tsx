/** A question before something that cannot be taken back. The browser's own dialog keeps focus and Escape right. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../look.ts';
import { Send } from './send.tsx';

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
    shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={close} onCancel={close}>
      <h2 id="dialog-title" className="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export function Ask(props: {
  title: string;
  yes: string;
  grave?: boolean;
  then: () => void;
  close: () => void;
  children?: ReactNode;
}) {
  const w = useWords();
  return (
    <Dialog title={props.title} close={props.close}>
      <div className="stack">{props.children}</div>
      <div className="row dialog-row">
        <Send
          className={props.grave ? 'grave' : 'main'}
          onClick={() => {
            props.close();
            props.then();
          }}
        >
          {props.yes}
        </Send>
        <button type="button" onClick={props.close}>
          {w.state.cancel}
        </button>
      </div>
    </Dialog>
  );
}
