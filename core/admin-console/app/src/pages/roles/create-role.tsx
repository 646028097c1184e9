import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { createRole, rolesKey } from '../../api/roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { rolesHref } from './role-columns.tsx';
import { texts as rolesTexts } from './texts.ts';

/** Creates a role of the realm, or of a client, and opens its page. */
export function CreateRole({
  realm,
  client: container,
  onClose,
}: {
  realm: string;
  client?: string;
  onClose: () => void;
}) {
  const texts = useTexts(rolesTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [{ name, description }, setTyped] = useState({ name: '', description: '' });
  const create = useMutation({
    mutationFn: () => {
      const role = { name: name.trim(), ...(description.trim() === '' ? {} : { description }) };
      return createRole(realm, role, container);
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: [...rolesKey(realm), 'list'] });
      navigate(`${rolesHref(realm, container)}/${encodeSegment(id)}`);
    },
  });
  return (
    <DialogForm
      title={texts.creating}
      action={texts.create}
      isReady={name.trim() !== ''}
      isBusy={create.isPending}
      failure={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        required
        value={name}
        onChange={({ target }) => setTyped({ name: target.value, description })}
      />
      <TextField
        label={texts.description}
        value={description}
        onChange={({ target }) => setTyped({ name, description: target.value })}
      />
    </DialogForm>
  );
}
