import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createScope, scopesKey } from '../../api/client-scopes.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { ChoiceField, TextField } from '../../parts/field.tsx';
import { scopeHref } from './scope-href.ts';
import { texts as scopesTexts } from './texts.ts';

/** Creates a client scope and opens its page. */
export function CreateScope({ realm, onClose }: { realm: string; onClose: () => void }) {
  const texts = useTexts(scopesTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [values, setValues] = useState({ name: '', description: '', protocol: 'openid-connect' });
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change });
  const create = useMutation({
    mutationFn: () => createScope(realm, { ...values, name: values.name.trim() }),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: scopesKey(realm) });
      navigate(scopeHref(realm, id));
    },
  });
  return (
    <DialogForm
      title={texts.create}
      action={texts.create}
      isReady={values.name.trim() !== ''}
      isBusy={create.isPending}
      failure={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        required
        value={values.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextField
        label={texts.description}
        value={values.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <ChoiceField
        label={texts.protocol}
        value={values.protocol}
        options={Object.entries(texts.protocols)}
        onChange={(protocol) => set({ protocol })}
      />
    </DialogForm>
  );
}
