import { useEffect, useId, useRef } from 'react';
import { type FormBlock, type PageContext, type Row, textIn } from '../../api/plugin-pages.ts';
import { hasUnsaved } from '../../frame/unsaved.ts';
import { useLanguage, useMessages, useTexts } from '../../messages/language.tsx';
import { BlockLink } from './block-link.tsx';
import { FormResult, isOnce } from './form-result.tsx';
import { PostedFields, usePosting } from './page-form.tsx';
import { texts } from './texts.ts';

/** A form that a button opened. It closes when it is done, or shows the result. */
export function FormDialog(props: {
  context: PageContext;
  form: FormBlock;
  row: Row | undefined;
  onClose: () => void;
}) {
  const { context, form, row, onClose } = props;
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const { form: words } = useMessages();
  const id = useId();
  const posting = usePosting(context, form, row);
  const { isDone, isBusy, answer } = posting;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  useEffect(() => {
    if (isDone) close.current?.focus();
  }, [isDone]);
  // A result that is shown only once must not be closed by an accidental key press.
  const mayLeave = () => !isBusy && !(isDone && isOnce(form)) && (!hasUnsaved() || window.confirm(words.leave));
  return (
    <dialog
      ref={dialog}
      className="form-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (mayLeave()) onClose();
      }}
    >
      <h2 id={id}>{textIn(form.title, language)}</h2>
      <BlockLink link={form.link} realm={context.realm} />
      {isDone ? (
        <>
          <FormResult context={context} form={form} answer={answer} />
          <p className="actions dialog-actions">
            <button type="button" className="primary" ref={close} onClick={onClose}>
              {strings.close}
            </button>
          </p>
        </>
      ) : (
        <PostedFields context={context} form={form} row={row} posting={posting} onCancel={onClose} />
      )}
    </dialog>
  );
}
