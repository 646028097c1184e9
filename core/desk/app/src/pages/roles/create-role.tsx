import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { segment } from '../../address.ts';
import { createRole, rolesKey } from '../../api/roles.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { TextField } from '../../parts/field.tsx';
import { useModal } from '../../parts/use-modal.ts';
import { texts as rolesTexts } from './texts.ts';

/** Creates a realm role, and goes on to its page. */
export function CreateRole({ realm, onClose }: { realm: string; onClose: () => void }) {
  const texts = useTexts(rolesTexts);
  const { cancel } = useMessages();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const heading = useId();
  const ref = useModal();
  const [{ name, description }, setTyped] = useState({ name: '', description: '' });
  const create = useMutation({
    mutationFn: () => createRole(realm, { name: name.trim(), ...(description.trim() === '' ? {} : { description }) }),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: [...rolesKey(realm), 'list'] });
      navigate(`/realms/${segment(realm)}/roles/${segment(id)}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <dialog ref={ref} aria-labelledby={heading} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        <h2 id={heading}>{texts.creating}</h2>
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
        {create.error !== null && <FailureNotice failure={create.error} />}
        <p className="actions dialog-actions">
          <button type="button" onClick={() => ref.current?.close()}>
            {cancel}
          </button>
          <button type="submit" className="primary" disabled={create.isPending || name.trim() === ''}>
            {texts.create}
          </button>
        </p>
      </form>
    </dialog>
  );
}
