import { type FormEvent, useId, useState } from 'react';
import { setPassword } from '../../api/credentials.ts';
import { type User, userKey } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { useChange } from '../../parts/use-change.ts';
import { useModal } from '../../parts/use-modal.ts';
import { texts as userTexts } from './texts.ts';

/** A new password of a user, typed twice. @param onSet says that it is done, after which the dialog goes away */
export function PasswordForm(props: { realm: string; user: User; onSet: () => void; onClose: () => void }) {
  const { realm, user, onSet, onClose } = props;
  const texts = useTexts(userTexts);
  const { cancel } = useMessages();
  const heading = useId();
  const ref = useModal();
  const { run, isBusy, failure } = useChange(userKey(realm, user.id));
  const [typed, setTyped] = useState({ value: '', again: '', temporary: true });
  const [isTold, setTold] = useState(false);
  const differs = typed.value !== typed.again;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTold(true);
    if (differs) return;
    run(() => setPassword(realm, user.id, typed), texts.passwordSet, onSet);
  };
  return (
    <dialog ref={ref} aria-labelledby={heading} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        <h2 id={heading}>
          {texts.setPassword}: {user.username}
        </h2>
        <TextField
          label={texts.newPassword}
          type="password"
          autoComplete="new-password"
          required
          value={typed.value}
          onChange={({ target }) => setTyped({ ...typed, value: target.value })}
        />
        <TextField
          label={texts.repeatPassword}
          type="password"
          autoComplete="new-password"
          required
          value={typed.again}
          error={isTold && differs ? texts.differs : undefined}
          onChange={({ target }) => setTyped({ ...typed, again: target.value })}
        />
        <CheckField
          label={texts.temporary}
          isOn={typed.temporary}
          onTurn={(temporary) => setTyped({ ...typed, temporary })}
        />
        <p className="help">{texts.passwordHelp}</p>
        {failure !== null && <FailureNotice failure={failure} />}
        <p className="actions dialog-actions">
          <button type="button" onClick={() => ref.current?.close()}>
            {cancel}
          </button>
          <button type="submit" className="primary" disabled={isBusy}>
            {texts.setPassword}
          </button>
        </p>
      </form>
    </dialog>
  );
}
