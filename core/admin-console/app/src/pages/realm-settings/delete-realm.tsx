import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { realmSettings, removeRealm } from '../../api/realm-settings.ts';
import { REALM_NAMES } from '../../api/realms.ts';
import { forgetRealm } from '../../frame/shown-realm.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { session } from '../../session/session.ts';
import { texts as generalTexts } from './general-texts.ts';

/** Deletes a realm after the user has typed its name. */
export function DeleteRealm({ realm, tag }: { realm: string; tag: string | undefined }) {
  const texts = useTexts(generalTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const remove = useMutation({
    mutationFn: () => removeRealm(realm, tag),
    onSuccess: () => {
      // The session was deleted with the realm.
      if (realm === session.realm) return session.leaveRealm();
      forgetRealm();
      navigate('/');
      client.removeQueries({ queryKey: ['realm', realm] });
      return client.invalidateQueries({ queryKey: REALM_NAMES });
    },
    onError: () => client.invalidateQueries(realmSettings(realm)),
  });
  return (
    <>
      <p className="actions">
        <button type="button" className="danger" onClick={() => setTyped('')}>
          {texts.remove}
        </button>
      </p>
      {typed !== undefined && (
        <DialogForm
          title={texts.removeOf(realm)}
          action={texts.remove}
          isReady={typed === realm}
          isDangerous
          isBusy={remove.isPending}
          failure={remove.error}
          onSubmit={() => remove.mutate()}
          onClose={() => {
            setTyped(undefined);
            remove.reset();
          }}
        >
          <p>{texts.removeLead}</p>
          {session.realm === 'master' && <p>{texts.removeFile}</p>}
          <TextField label={texts.removeName(realm)} value={typed} onChange={({ target }) => setTyped(target.value)} />
        </DialogForm>
      )}
    </>
  );
}
