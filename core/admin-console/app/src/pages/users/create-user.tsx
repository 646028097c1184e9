import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { ApiFailure } from '../../api/failure.ts';
import { createUser } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { texts as userTexts } from '../user/texts.ts';
import { useMistakes } from '../user/use-mistakes.ts';
import { texts as usersTexts } from './texts.ts';

const FIELDS = ['username', 'email', 'firstName', 'lastName'] as const;

/** Creates a user and opens the user's page. */
export function CreateUser({ realm, onClose }: { realm: string; onClose: () => void }) {
  const users = useTexts(usersTexts);
  const texts = useTexts(userTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [typed, setTyped] = useState({ username: '', email: '', firstName: '', lastName: '' });
  const create = useMutation({
    mutationFn: () => {
      const filled = Object.entries(typed).filter(([, value]) => value.trim() !== '');
      return createUser(realm, { ...Object.fromEntries(filled), enabled: true });
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: ['realm', realm, 'users', 'list'] });
      navigate(`/realms/${encodeSegment(realm)}/users/${encodeSegment(id)}`);
    },
  });
  const mistakes = useMistakes(create.error);
  const isLocated = create.error instanceof ApiFailure && FIELDS.some((name) => mistakes[name] !== undefined);
  return (
    <DialogForm
      title={users.creating}
      action={users.create}
      isBusy={create.isPending}
      failure={isLocated ? null : create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={texts[name]}
          value={typed[name]}
          error={mistakes[name]}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
        />
      ))}
      <p className="help">{users.creatingHelp}</p>
    </DialogForm>
  );
}
