import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { segment } from '../../address.ts';
import { createGroup, groupsKey } from '../../api/groups.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { TextField } from '../../parts/field.tsx';
import { useModal } from '../../parts/use-modal.ts';
import { texts as groupsTexts } from './texts.ts';

/** Creates a group, and goes on to its page. @param props.parent the id of the group that it stands below */
export function CreateGroup({ realm, parent, onClose }: { realm: string; parent?: string; onClose: () => void }) {
  const texts = useTexts(groupsTexts);
  const { cancel } = useMessages();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const heading = useId();
  const ref = useModal();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => createGroup(realm, parent, { name: name.trim() }),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: groupsKey(realm) });
      navigate(`/realms/${segment(realm)}/groups/${segment(id)}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const title = parent === undefined ? texts.create : texts.createBelow;
  return (
    <dialog ref={ref} aria-labelledby={heading} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        <h2 id={heading}>{title}</h2>
        <TextField label={texts.name} required value={name} onChange={({ target }) => setName(target.value)} />
        {create.error !== null && <FailureNotice failure={create.error} />}
        <p className="actions dialog-actions">
          <button type="button" onClick={() => ref.current?.close()}>
            {cancel}
          </button>
          <button type="submit" className="primary" disabled={create.isPending || name.trim() === ''}>
            {title}
          </button>
        </p>
      </form>
    </dialog>
  );
}
