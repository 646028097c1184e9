import { useMessages } from '../messages/language.tsx';

/** The buttons to save a form. They do nothing while there is nothing to save. */
export function SaveBar({
  isChanged,
  isBusy,
  onDiscard,
}: {
  isChanged: boolean;
  isBusy: boolean;
  onDiscard: () => void;
}) {
  const { form } = useMessages();
  return (
    <p className="actions save-bar">
      <button type="submit" className="primary" disabled={!isChanged || isBusy}>
        {form.save}
      </button>
      {isChanged && (
        <button type="button" disabled={isBusy} onClick={onDiscard}>
          {form.discard}
        </button>
      )}
    </p>
  );
}
