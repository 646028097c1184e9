import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { createClient } from '../../api/apps.ts';
import { clientsKey } from '../../api/clients.ts';
import { useUnsaved } from '../../frame/unsaved.ts';
import { useTexts } from '../../messages/language.tsx';
import { CheckField, LinesField, TextField } from '../../parts/field.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { useFocusFirstInvalid } from '../../parts/use-focus-first-invalid.ts';
import { texts as connectTexts } from './texts.ts';

/** A client without instructions, whose settings are on its page. */
export function OtherClient({ realm }: { realm: string }) {
  const texts = useTexts(connectTexts);
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [clientId, setClientId] = useState('');
  const [redirectUris, setRedirectUris] = useState('');
  const [hasSecret, setHasSecret] = useState(true);
  const create = useMutation({
    mutationFn: () =>
      createClient(realm, {
        clientId: clientId.trim(),
        publicClient: !hasSecret,
        redirectUris: redirectUris.split('\n').flatMap((line) => line.trim() || []),
      }),
  });
  useUnsaved(clientId !== '' && !create.isPending && !create.isSuccess);
  // How often the form was submitted without a client ID.
  const [namelessCount, setNamelessCount] = useState(0);
  const isMissing = namelessCount > 0 && clientId.trim() === '';
  const form = useFocusFirstInvalid(isMissing ? `nameless ${namelessCount}` : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (clientId.trim() === '') return setNamelessCount(namelessCount + 1);
    create.mutate(undefined, {
      onSuccess: async (id) => {
        await queries.invalidateQueries({ queryKey: clientsKey(realm) });
        navigate(`/realms/${encodeSegment(realm)}/clients/${encodeSegment(id)}`, { replace: true });
      },
    });
  };
  return (
    <section>
      <h2>{texts.other[0]}</h2>
      <form className="card fields" noValidate ref={form} onSubmit={submit}>
        <p className="help">{texts.otherLead}</p>
        <div className="field-pairs">
          <TextField
            label={texts.clientId}
            error={isMissing ? texts.clientIdMissing : undefined}
            value={clientId}
            maxLength={255}
            required
            onChange={({ target }) => setClientId(target.value)}
          />
          <LinesField
            label={texts.redirectUris}
            help={texts.help.redirectUris}
            value={redirectUris}
            isReadOnly={false}
            onChange={setRedirectUris}
          />
        </div>
        <CheckField label={texts.hasSecret} isOn={hasSecret} onTurn={setHasSecret} />
        <Outcome done={undefined} failure={create.error} />
        <p className="actions save-bar">
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </p>
      </form>
    </section>
  );
}
