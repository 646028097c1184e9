import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../messages/language.tsx';
import { FailureNotice } from './failure-notice.tsx';

/** Asks before something is done. The title names the thing; Escape and the first button leave all as it is. */
export function ConfirmDialog(props: {
  title: string;
  children?: ReactNode;
  confirm: string;
  isDangerous?: true;
  isBusy: boolean;
  failure: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { title, children, confirm, isDangerous, isBusy, failure, onConfirm, onClose } = props;
  const { cancel } = useMessages();
  const heading = useId();
  const ref = useModal();
  return (
    <dialog ref={ref} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
      {failure !== null && <FailureNotice failure={failure} />}
      <p className="actions dialog-actions">
        <button type="button" onClick={() => ref.current?.close()}>
          {cancel}
        </button>
        <button
          type="button"
          className={isDangerous === true ? 'primary destructive' : 'primary'}
          disabled={isBusy}
          onClick={onConfirm}
        >
          {confirm}
        </button>
      </p>
    </dialog>
  );
}

/** Opens a dialog as soon as it is there: the browser holds the focus in it, and gives it back when the dialog goes. */
export function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}
