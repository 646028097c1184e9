import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { segment } from '../../address.ts';
import { removeRole, roleKey, rolesKey } from '../../api/roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import type { OfRole } from './role-page.tsx';
import { texts as roleTexts } from './texts.ts';

/** Deletes the role that was seen: one that was changed since then is looked at first. */
export function RemoveRole({ realm, role, tag }: OfRole) {
  const texts = useTexts(roleTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeRole(realm, role.id, tag),
    onSuccess: () => {
      navigate(`/realms/${segment(realm)}/roles`);
      client.removeQueries({ queryKey: roleKey(realm, role.id) });
      return client.invalidateQueries({ queryKey: [...rolesKey(realm), 'list'] });
    },
    onError: () => client.invalidateQueries({ queryKey: roleKey(realm, role.id) }),
  });
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        {texts.remove}
      </button>
      {isAsked && (
        <Confirm
          title={texts.removeOf(role.name)}
          action={texts.remove}
          isDangerous
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            setAsked(false);
            remove.reset();
          }}
        >
          {remove.error !== null && <FailureNotice failure={remove.error} />}
          <p>{texts.removeLead}</p>
        </Confirm>
      )}
    </>
  );
}
