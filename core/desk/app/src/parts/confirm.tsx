import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../messages/language.tsx';

/**
 * Asks before something is done that others notice. It stands while it is rendered.
 * @param title a question
 * @param action what the button says that does it
 * @param isDangerous true for what is not taken back
 * @param children what it means
 */
export function Confirm(props: {
  title: string;
  action: string;
  isDangerous?: boolean;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, action, isDangerous = false, isBusy, onConfirm, onClose, children } = props;
  const { cancel } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closed while it is still in the page, it gives the focus back to what opened it.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-text">{children}</div>
      <p className="actions dialog-actions">
        <button type="button" disabled={isBusy} onClick={onClose}>
          {cancel}
        </button>
        <button type="button" className={isDangerous ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </p>
    </dialog>
  );
}
