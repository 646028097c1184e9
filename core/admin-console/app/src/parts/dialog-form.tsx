import { type FormEvent, type ReactNode, useId } from 'react';
import { useMessages } from '../messages/language.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { useModal } from './use-modal.ts';

/**
 * A form in a dialog. It is open while it is rendered.
 * @param props.action the label of the button that submits
 * @param props.dismiss the label of the button that closes the dialog; by default it cancels
 * @param props.isDangerous true if the action cannot be undone
 * @param props.failure an error that no field shows
 */
export function DialogForm(props: {
  title: string;
  action: string;
  dismiss?: string;
  isReady?: boolean;
  isDangerous?: boolean;
  isBusy: boolean;
  failure: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, action, isReady = true, isDangerous = false, isBusy, failure, onSubmit, onClose, children } = props;
  const { cancel } = useMessages();
  const { dismiss = cancel } = props;
  const heading = useId();
  const ref = useModal();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <dialog ref={ref} aria-labelledby={heading} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        <h2 id={heading}>{title}</h2>
        {children}
        {failure !== null && <FailureNotice failure={failure} />}
        <p className="actions dialog-actions">
          <button type="button" onClick={() => ref.current?.close()}>
            {dismiss}
          </button>
          <button type="submit" className={isDangerous ? 'danger' : 'primary'} disabled={!isReady || isBusy}>
            {action}
          </button>
        </p>
      </form>
    </dialog>
  );
}
