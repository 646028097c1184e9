import { useState } from 'react';
import { setPassword } from '../../api/credentials.ts';
import { type User, userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as signInTexts } from './sign-in-texts.ts';

/** A new password of a user, typed twice. @param props.onSet called when the password is set */
export function PasswordForm(props: { realm: string; user: User; onSet: () => void; onClose: () => void }) {
  const { realm, user, onSet, onClose } = props;
  const texts = useTexts(signInTexts);
  const { run, isBusy, failure } = useChange(userKey(realm, user.id));
  const [typed, setTyped] = useState({ value: '', again: '', temporary: true });
  const [showsMismatch, setShowsMismatch] = useState(false);
  const differs = typed.value !== typed.again;
  const submit = () => {
    setShowsMismatch(true);
    if (differs) return;
    run(() => setPassword(realm, user.id, typed), texts.passwordSet, onSet);
  };
  return (
    <DialogForm
      title={`${texts.setPassword}: ${user.username}`}
      action={texts.setPassword}
      isBusy={isBusy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
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
        error={showsMismatch && differs ? texts.differs : undefined}
        onChange={({ target }) => setTyped({ ...typed, again: target.value })}
      />
      <CheckField
        label={texts.temporary}
        isOn={typed.temporary}
        onTurn={(temporary) => setTyped({ ...typed, temporary })}
      />
      <p className="help">{texts.passwordHelp}</p>
    </DialogForm>
  );
}
