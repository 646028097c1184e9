import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../messages/language.tsx';

/**
 * Asks for confirmation of an action that affects others. It is open while it is rendered.
 * @param title a question
 * @param action the label of the button that confirms
 * @param isDangerous true if the action cannot be undone
 * @param isReady false if there is nothing to confirm yet
 * @param children explains the consequences
 */
export function Confirm(props: {
  title: string;
  action: string;
  isDangerous?: boolean;
  isBusy: boolean;
  isReady?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, action, isDangerous = false, isBusy, isReady = true, onConfirm, onClose, children } = props;
  const { cancel } = useMessages();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closing it before it is removed restores the focus.
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
        <button
          type="button"
          className={isDangerous ? 'danger' : 'primary'}
          disabled={isBusy || !isReady}
          onClick={onConfirm}
        >
          {action}
        </button>
      </p>
    </dialog>
  );
}
