import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { createGroup, groupsKey } from '../../api/groups.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { texts as groupsTexts } from './texts.ts';

/** Creates a group and opens its page. @param props.parent the ID of its parent group */
export function CreateGroup({ realm, parent, onClose }: { realm: string; parent?: string; onClose: () => void }) {
  const texts = useTexts(groupsTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => createGroup(realm, parent, { name: name.trim() }),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: groupsKey(realm) });
      navigate(`/realms/${encodeSegment(realm)}/groups/${encodeSegment(id)}`);
    },
  });
  const title = parent === undefined ? texts.create : texts.createBelow;
  return (
    <DialogForm
      title={title}
      action={title}
      isReady={name.trim() !== ''}
      isBusy={create.isPending}
      failure={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label={texts.name} required value={name} onChange={({ target }) => setName(target.value)} />
    </DialogForm>
  );
}
